// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// No output may destroy an input, or another output.
#pragma once

#include <span>
#include <string>

#include "juxta/core/error.h"

namespace juxta::program_detail {

/// A file of the command line; `path` may be empty (not asked for) or "-" (a standard stream).
struct NamedFile {
  std::string path;
  std::string role;  ///< "--svg"
};

/// Refuses outputs that are the same file as an input or as another output: by another spelling, through a
/// link, or as a hard link. Devices, pipes and folders are no files here, but the file that the shell made
/// the standard input is one. Call it before an input is read. Errors: kInvalidArgument, naming both.
[[nodiscard]] Result<void> check_outputs(std::span<const std::string> inputs,
                                         std::span<const NamedFile> outputs);

}  // namespace juxta::program_detail
