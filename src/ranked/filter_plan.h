// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which set of points, and which test of categories, answers a filter.
#pragma once

#include "juxta/ranked/ranked_points.h"
#include "ranked/filter_query.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// What answers a filter: nothing, a set without a filter, or the tall tree with one.
struct FilterPlan {
  const RankedView* set = nullptr;  // null: no point passes
  FilterQuery query;

  [[nodiscard]] bool filtered() const noexcept { return !query.passes_all(); }
};

[[nodiscard]] FilterPlan plan_of(const RankedView& view, const RankedFilter& filter) noexcept;

}  // namespace juxta::ranked_detail
