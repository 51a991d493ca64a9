// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/files/plain_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace juxta {
namespace {

constexpr std::size_t kMostDots = 64;

/// A dot is of a number when it is the only one between digits.
std::optional<std::uint64_t> line_with_endless_key(std::string_view text) {
  std::uint64_t line = 1;
  std::size_t dots = 0;
  bool number = false;  // a dot was met since the last letter that is neither digit nor dot
  const auto digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      ++line;
      dots = 0;
    } else if (text[i] == '.') {
      dots += !number && i > 0 && digit(i - 1) && digit(i + 1) ? 0 : 1;
      number = true;
    } else if (!digit(i)) {
      number = false;
    }
    if (dots > kMostDots) {
      return line;
    }
  }
  return {};
}

}  // namespace

Result<std::string> plain_toml(std::string_view text) {
  if (const auto line = line_with_endless_key(text)) {
    Error error;
    error.code = ErrorCode::kParse;
    error.message = fmt::format("more than {} dots in a line: shorten it", kMostDots);
    error.line = *line;
    return tl::unexpected<Error>(std::move(error));
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  std::string plain(text.starts_with(kMark) ? text.substr(kMark.size()) : text);
  std::ranges::replace_if(
      plain, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return plain;
}

}  // namespace juxta
