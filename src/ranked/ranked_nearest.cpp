// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// RankedPoints::nearest.

#include <algorithm>
#include <cmath>

#include "juxta/ranked/ranked_points.h"
#include "ranked/filter_plan.h"
#include "ranked/nearest_kernel.h"
#include "ranked/store.h"

namespace juxta {

QueryResult RankedPoints::nearest(double x, double y, std::size_t k, std::span<std::uint32_t> out,
                                  std::span<double> distances,
                                  const RankedNearestOptions& options) const noexcept {
  const ranked_detail::FilterPlan plan = ranked_detail::plan_of(store_->view, options.filter);
  if (plan.set == nullptr || !std::isfinite(x) || !std::isfinite(y) || !(options.max_distance >= 0)) {
    return {};
  }
  const std::size_t end = std::min(options.most_important, plan.set->positions());
  const std::size_t wanted = std::min({k, out.size(), distances.size(), plan.set->size, end});
  if (wanted == 0) {
    return {};
  }
  return ranked_detail::nearest_points(*plan.set,
                                       {.x = x,
                                        .y = y,
                                        .most_square = options.max_distance * options.max_distance,
                                        .end = static_cast<std::uint32_t>(end),
                                        .filter = plan.query},
                                       wanted, out.data(), distances.data());
}

}  // namespace juxta
