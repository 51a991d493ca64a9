// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"

namespace juxta::program_detail {

/// "folder/name".
[[nodiscard]] std::string in_folder(const std::string& folder, const std::string& name);
/// The folder of "folder/name.csv", without the "/", or nothing; "name.csv"; and "name".
[[nodiscard]] std::string folder_of(const std::string& file);
[[nodiscard]] std::string name_of(const std::string& file);
[[nodiscard]] std::string stem_of(const std::string& file);
/// The files and folders in it, with its name before them; those up to an error.
[[nodiscard]] std::vector<std::string> entries_of(const std::string& folder);
[[nodiscard]] bool is_folder(const std::string& path);
[[nodiscard]] bool is_regular_file(const std::string& path);
/// Makes the folder, and tries whether the files will find their place in it, so that nothing is computed in
/// vain. An empty name: no folder is wanted. Errors: kIo.
[[nodiscard]] Result<void> make_folder(const std::string& folder, std::span<const char* const> files);

}  // namespace juxta::program_detail
