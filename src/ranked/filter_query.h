// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what is asked of the categories and the numbers of a point.
#pragma once

#include <array>
#include <cstdint>

#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// Categories in bits that are used, as CategoriesView counts them. A point passes when it has all of `all`,
/// none of `none`, and one of `any` unless that is 0; and when its numbers are in all ranges that are asked.
struct FilterQuery {
  std::uint64_t any = 0, all = 0, none = 0;
  std::array<ValueRange, kMostValues> ranges{};
  bool asks_ranges = false;
  double share = 1;  // about how many of the points pass, if all of this were independent

  [[nodiscard]] bool asks_categories() const noexcept { return (any | all | none) != 0; }
  [[nodiscard]] bool passes_all() const noexcept { return !asks_categories() && !asks_ranges; }
};

}  // namespace juxta::ranked_detail
