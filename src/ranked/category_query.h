// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what is asked of the categories of a point.
#pragma once

#include <cstdint>

#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// In bits that are used, as CategoriesView counts them. A point passes when it has all of `all`, none of
/// `none`, and one of `any` unless that is 0.
struct CategoryQuery {
  std::uint64_t any = 0, all = 0, none = 0;
  double share = 1;  // about how many of the points pass, if categories were independent

  [[nodiscard]] bool passes_all() const noexcept { return (any | all | none) == 0; }
};

}  // namespace juxta::ranked_detail
