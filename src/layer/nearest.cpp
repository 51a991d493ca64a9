// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/nearest.h"

#include "layer/batch.h"
#include "layer/ray_kernel.h"

namespace juxta {

template <int D>
NearestHit nearest(const BasicLayer<D>& layer, const PointOf<D>& point, float max_distance,
                   const QueryOptions& options) {
  const layer_detail::LayerView<D> view = layer_detail::view_of(layer);
  if (layer_detail::asks_for_nothing(view, options.filter) || !is_finite(point) || !(max_distance >= 0)) {
    return {};
  }
  layer_detail::SearchWork work;
  return layer_detail::nearest_to_point<D>(view, point, max_distance, options, work).hit;
}

template <int D>
Result<QueryResult> nearest(const BasicLayer<D>& layer, std::span<const PointOf<D>> points,
                            float max_distance, std::span<NearestHit> out, const BatchOptions& options,
                            const Context& context) {
  const layer_detail::LayerView<D> view = layer_detail::view_of(layer);
  const bool asks = max_distance >= 0;
  return layer_detail::answer_each<D>(
      layer, points, out, options, context,
      [&](std::size_t i, Aabb<D>& box) {
        const PointOf<D> point = points[i];
        box.lo = point;
        box.hi = point;
        return asks && is_finite(point);
      },
      [&](const Vec<D>& point, const QueryOptions& own, layer_detail::SearchWork& work) {
        return layer_detail::nearest_to_point<D>(view, point, max_distance, own, work).hit;
      });
}

#define JUXTA_INSTANTIATE(D)                                                                               \
  template JUXTA_API NearestHit nearest(const BasicLayer<D>&, const PointOf<D>&, float,                    \
                                        const QueryOptions&);                                              \
  template JUXTA_API Result<QueryResult> nearest(const BasicLayer<D>&, std::span<const PointOf<D>>, float, \
                                                 std::span<NearestHit>, const BatchOptions&,               \
                                                 const Context&);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
