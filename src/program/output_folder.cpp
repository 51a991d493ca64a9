// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/output_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/path.h"
#include "juxta/files/output_file.h"

namespace juxta::program_detail {

std::string in_folder(const std::string& folder, const std::string& name) {
  return utf8_of(path_of(folder) / path_of(name));
}

std::string folder_of(const std::string& file) {
  return utf8_of(path_of(file).parent_path());
}

std::string name_of(const std::string& file) {
  return utf8_of(path_of(file).filename());
}

std::string stem_of(const std::string& file) {
  return utf8_of(path_of(file).stem());
}

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(path_of(folder), error), end; !error && at != end;
       at.increment(error)) {
    found.push_back(utf8_of(at->path()));
  }
  return found;
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path_of(path), ignored);
}

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path_of(path), ignored);
}

Result<void> make_folder(const std::string& folder, std::span<const char* const> files) {
  if (folder.empty()) {
    return {};
  }
  std::error_code error;
  std::filesystem::create_directories(path_of(folder), error);
  if (error) {
    return fail(ErrorCode::kIo, fmt::format("cannot make the folder {}: {}", folder, error.message()));
  }
  for (const char* name : files) {
    if (auto tried = OutputFile::open(in_folder(folder, name)); !tried) {  // not committed: leaves nothing
      return tl::unexpected<Error>(std::move(tried.error()));
    }
  }
  return {};
}

}  // namespace juxta::program_detail
