// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace juxta::tool {

/// Opens a page in the user's browser, where there is a screen and xdg-open; else does nothing. Does not
/// wait.
void open_browser(const std::string& url);

}  // namespace juxta::tool
