// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/nearest.h"

#include <algorithm>
#include <cmath>

#include "layer/batch.h"
#include "layer/ray_kernel.h"

namespace juxta {

template <int D>
NearestHit find_nearest(const BasicLayer<D>& layer, const PointOf<D>& point, float max_distance,
                        Filter filter) {
  const layer_detail::LayerView<D> view = layer.store().view();
  if (layer_detail::asks_for_nothing(view, filter) || !is_finite(point) || !(max_distance >= 0)) {
    return {};
  }
  layer_detail::SearchWork work;
  return layer_detail::nearest_to_point<D>(view, point, max_distance, filter, work).hit;
}

template <int D>
Result<QueryResult> find_nearest(const BasicLayer<D>& layer, std::span<const PointOf<D>> points,
                                 float max_distance, Workspace& workspace, std::span<NearestHit> out,
                                 const BatchOptions& options) {
  if (points.size() != out.size()) {
    return layer_detail::unlike_lengths(points.size(), out.size());
  }
  std::fill(out.begin(), out.end(), NearestHit{});
  const layer_detail::LayerView<D> view = layer.store().view();
  if (layer_detail::asks_for_nothing(view, options.filter) || !(max_distance >= 0)) {
    return QueryResult{};
  }
  const Workspace::Scope scope(workspace);
  const auto queries = layer_detail::sort_queries<D>(points.size(), workspace, options.executor,
                                                     [&](std::size_t i, Aabb<D>& box) {
                                                       box.lo = points[i];
                                                       box.hi = points[i];
                                                       return is_finite(points[i]);
                                                     });
  layer_detail::SharedWork total;
  executor_or_serial(options.executor)
      .parallel_for(
          queries.order.size(), layer_detail::kBatchGrain, [&](std::size_t first, std::size_t last) {
            layer_detail::SearchWork work;
            std::size_t found = 0;
            for (std::size_t i = first; i < last; ++i) {
              const std::uint32_t query = queries.query[queries.order[i]];
              out[query] =
                  layer_detail::nearest_to_point<D>(view, points[query], max_distance, options.filter, work)
                      .hit;
              found += out[query] ? 1 : 0;
            }
            total.add(work, found);
          });
  QueryResult result = total.result();
  result.written = out.size();
  return result;
}

#define JUXTA_INSTANTIATE(D)                                                                             \
  template JUXTA_API NearestHit find_nearest(const BasicLayer<D>&, const PointOf<D>&, float, Filter);    \
  template JUXTA_API Result<QueryResult> find_nearest(const BasicLayer<D>&, std::span<const PointOf<D>>, \
                                                      float, Workspace&, std::span<NearestHit>,          \
                                                      const BatchOptions&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
