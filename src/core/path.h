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

/// And as they give it: path_of() of it is the path. path::string() is in the code page of a Windows machine
/// with Microsoft's library.
[[nodiscard]] inline std::string utf8_of(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

}  // namespace juxta
