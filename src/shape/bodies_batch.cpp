// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many rays at once, in the order of where they start: neighbours read the same blocks and bodies.
#include <algorithm>

#include "juxta/shape/bodies.h"
#include "layer/batch.h"
#include "layer/ray_kernel.h"
#include "shape/bodies_store.h"

namespace juxta {

Result<QueryResult> Bodies::raycast_closest(std::span<const Ray3> rays, Workspace& workspace,
                                            std::span<BodyRayHit> out, const BatchOptions& options) const {
  if (rays.size() != out.size()) {
    return detail::unlike_lengths(rays.size(), out.size());
  }
  std::fill(out.begin(), out.end(), BodyRayHit{});
  if (detail::asks_for_nothing(store_->layer.store().view(), options.filter)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto starts =
      detail::sort_queries<3>(rays.size(), workspace, options.executor, [&](std::size_t i, Aabb3& box) {
        std::copy_n(rays[i].origin, 3, box.lo);
        std::copy_n(rays[i].origin, 3, box.hi);
        return detail::is_sound(rays[i]);
      });
  const BodyQuery query{options.filter, {}};
  detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(starts.order.size(), detail::kBatchGrain, [&](std::size_t first, std::size_t last) {
        detail::SearchWork work;
        std::size_t found = 0;
        for (std::size_t i = first; i < last; ++i) {
          const std::uint32_t ray = starts.query[starts.order[i]];
          out[ray] = detail::closest_on_ray(*store_, rays[ray], query, work);
          found += out[ray] ? 1 : 0;
        }
        total.add(work, found);
      });
  QueryResult result = total.result();
  result.written = out.size();
  return result;
}

}  // namespace juxta
