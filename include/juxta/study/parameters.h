// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"

namespace juxta {

/// A number that a model can be told.
struct Parameter {
  std::string name;       ///< Letters, digits and '_'.
  double value = 0;       ///< Unless told otherwise.
  double lo = 0, hi = 0;  ///< Both allowed.
  bool whole = false;     ///< Whole numbers only.
  std::string what;       ///< "how far a bird sees"
  /// Run::set() may change it at any time: rules read it, and no memory that begin() made hangs on it.
  bool live = false;
};

/// The numbers of one run, each within its range.
class Parameters {
 public:
  Parameters() = default;
  explicit Parameters(std::vector<Parameter> declared);

  [[nodiscard]] std::span<const Parameter> declared() const noexcept { return {all_.data(), all_.size()}; }
  /// Errors: kNotFound (the message names those that there are), kInvalidArgument (out of its range, which is
  /// named; not whole; NaN). Nothing was changed then.
  [[nodiscard]] Result<void> set(std::string_view name, double value);
  /// "radius=12.5". Errors: as set(); kParse (no such form, or no number).
  [[nodiscard]] Result<void> set(std::string_view assignment);

  /// NaN when there is none of that name: a slip of the model's author.
  [[nodiscard]] double operator[](std::string_view name) const noexcept;
  /// Rounded down, for those that are whole and not negative.
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  [[nodiscard]] float real(std::string_view name) const noexcept;

 private:
  std::vector<Parameter> all_;
};

/// The shortest text that reads back as the same number; the same on every machine.
[[nodiscard]] std::string number_text(double value);

}  // namespace juxta
