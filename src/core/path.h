// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace juxta {

/// A path as public functions take it: UTF-8, on every system.
[[nodiscard]] inline std::filesystem::path path_of(std::string_view path) {
  return {std::u8string(path.begin(), path.end())};
}

}  // namespace juxta
