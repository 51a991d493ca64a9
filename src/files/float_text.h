// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: numbers of text files as floats, each rounded once.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <system_error>

#include "files/point_columns.h"

namespace juxta::files_detail {

/// A number filling the whole cell (spaces around it allowed, a leading + too), rounded to the nearest float;
/// infinite and NaN as written. Nothing when it is no number, or finite but beyond float. Too small: 0.
inline std::optional<float> parse_any_float(std::string_view cell) noexcept {
  cell = trimmed(cell);
  if (cell.size() > 1 && cell[0] == '+' && cell[1] != '-') {
    cell.remove_prefix(1);  // from_chars knows no plus
  }
  float value = 0;
  const char* last = cell.data() + cell.size();
  const auto [end, error] = std::from_chars(cell.data(), last, value);
  if (end != last || cell.empty() || error == std::errc::invalid_argument) {
    return std::nullopt;
  }
  if (error == std::errc::result_out_of_range) {  // from_chars does not say at which end of the range
    double wide = 0;
    if (std::from_chars(cell.data(), last, wide).ec != std::errc{} || std::abs(wide) > 1) {
      return std::nullopt;
    }
    return static_cast<float>(wide);
  }
  return value;
}

/// The same, finite.
inline std::optional<float> parse_float(std::string_view cell) noexcept {
  const auto value = parse_any_float(cell);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

}  // namespace juxta::files_detail
