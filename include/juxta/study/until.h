// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "juxta/core/error.h"

namespace juxta {

/// A stop condition: a run has done what it is for when a number that it reports meets this. Changes where a
/// run ends, and nothing before that. A run ends after the first step that meets it: the start, step 0, does
/// not count, when nothing has moved yet.
struct Until {
  enum class Op : std::uint8_t { kLess, kLessOrEqual, kGreater, kGreaterOrEqual, kEqual, kNotEqual };

  std::string report;  ///< A column of Collector::steps(): "infected"; "step" is one too.
  Op op = Op::kEqual;
  double value = 0;

  /// Whether the reported number meets it. NaN, which is no number, meets nothing.
  [[nodiscard]] bool met_by(double reported) const noexcept;
  /// Which of these columns it is about. Errors: kNotFound (the message names those that there are),
  /// kInvalidArgument (parse_until() would not read its text() as the same).
  [[nodiscard]] Result<std::size_t> column_in(std::span<const std::string> names) const;
  /// "infected == 0": what parse_until() reads as the same condition.
  [[nodiscard]] std::string text() const;
};

/// "REPORT OP NUMBER", as in "infected == 0" or "mean age >= 12.5"; OP is one of <, <=, >, >=, ==, !=. The
/// last operator counts, so a report's name may contain others. Errors: kParse (no such form, or the number
/// is none or NaN).
[[nodiscard]] Result<Until> parse_until(std::string_view text);

}  // namespace juxta
