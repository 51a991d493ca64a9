// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include "core/os.h"

namespace juxta::test {

/// A new folder in `parent`, whose name begins with `begin`; empty: none could be made.
inline std::filesystem::path make_scratch_folder(
    const std::string& begin, const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
  std::error_code error;
  for (int i = 0; i < 10'000; ++i) {
    const auto path = parent / (begin + std::to_string(core_detail::process_id()) + "_" + std::to_string(i));
    if (std::filesystem::create_directory(path, error)) {
      return path;
    }
  }
  return {};
}

}  // namespace juxta::test
