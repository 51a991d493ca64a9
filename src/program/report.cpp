// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/report.h"

#include <fmt/format.h>

#include <cstddef>

namespace juxta::program_detail {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) {
      text.push_back(',');
    }
    text.push_back(digits[i]);
  }
  return text;
}

std::string report_line(std::string_view what, const std::string& text) {
  return fmt::format("  {:<10} {}\n", what, text);
}

std::string workers(unsigned ranks, unsigned threads) {
  const std::string each = fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
  return ranks == 0 ? each : fmt::format("{} rank{} of {}", ranks, ranks == 1 ? "" : "s", each);
}

}  // namespace juxta::program_detail
