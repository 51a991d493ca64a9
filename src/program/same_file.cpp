// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/same_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/path.h"

namespace juxta::program_detail {
namespace {

namespace fs = std::filesystem;

/// Device and inode when both exist; else the path that is left when all links are followed.
bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  const bool a_is_there = fs::exists(a, error), b_is_there = fs::exists(b, error);
  if (a_is_there != b_is_there) {
    return false;
  }
  if (a_is_there) {
    return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
  }
  std::error_code a_error, b_error;
  const fs::path one = fs::weakly_canonical(a, a_error), other = fs::weakly_canonical(b, b_error);
  return !a_error && !b_error && one == other;
}

/// A new file behind a link that leads nowhere yet is written where the link leads.
fs::path target_of(const std::string& path) {
  fs::path target = path_of(path);
  std::error_code error;
  for (int i = 0; i < 40 && fs::is_symlink(fs::symlink_status(target, error)); ++i) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) {
      break;
    }
    target = target.parent_path() / next;
  }
  return target;
}

bool is_file(const std::string& path) {
  return !path.empty() && path != "-";
}

}  // namespace

Result<void> check_outputs(std::span<const std::string> inputs, std::span<const NamedFile> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_file(outputs[i].path)) {
      continue;
    }
    const auto& [path, role] = outputs[i];
    for (const std::string& input : inputs) {
      if (!input.empty() && same_file(path_of(path), path_of(input == "-" ? "/dev/stdin" : input))) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{} {} is the same file as the input {}, which it would overwrite: give "
                                "another name",
                                role, path, input == "-" ? "on the standard input" : input));
      }
    }
    for (const NamedFile& other : outputs.first(i)) {
      if (is_file(other.path) && same_file(target_of(path), target_of(other.path))) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{} {} and {} {} are the same file: give two names", other.role, other.path,
                                role, path));
      }
    }
  }
  return {};
}

}  // namespace juxta::program_detail
