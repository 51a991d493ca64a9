// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "juxta/core/error.h"

namespace juxta {

/// A TOML text as toml++ 3.3 can be given it, whoever wrote it. That library nests a table for every dot of a
/// key, without a limit, and frees them by recursion; and it looks at letters beyond ASCII by a switch that
/// has no case for most of them, which is undefined. So a line has at most 64 dots (of numbers they do not
/// count), and other letters become '?': names here have none, and in comments nobody looks. A mark of UTF-8
/// in front is dropped. Errors: kParse with the line.
[[nodiscard]] Result<std::string> plain_toml(std::string_view text);

}  // namespace juxta
