// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "juxta/core/error.h"

namespace juxta::program_detail {

/// "folder/name".
[[nodiscard]] std::string in_folder(const std::string& folder, const std::string& name);
/// Makes the folder, and tries whether the files will find their place in it, so that nothing is computed in
/// vain. An empty name: no folder is wanted. Errors: kIo.
[[nodiscard]] Result<void> make_folder(const std::string& folder, std::span<const char* const> files);

}  // namespace juxta::program_detail
