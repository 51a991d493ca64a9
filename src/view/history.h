// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/exchange.h"

namespace juxta::view_detail {

/// Reported numbers, step by step; every second row goes when there are too many.
class History {
 public:
  static constexpr std::size_t kMost = 2000;
  void clear(std::size_t reports);
  /// A step that is there already stays as it was, and so do those near it once rows have gone.
  void add(std::uint64_t step, const std::vector<double>& values);
  [[nodiscard]] Json since(std::uint64_t step, const std::vector<std::string>& names) const;

 private:
  void thin();

  std::vector<std::uint64_t> steps_;
  std::vector<std::vector<double>> values_;  // by report
  std::uint64_t least_ = 1;                  // steps between two rows
};

}  // namespace juxta::view_detail
