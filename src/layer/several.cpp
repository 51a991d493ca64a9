// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/several.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "layer/far_rays.h"
#include "layer/query_kernel.h"
#include "layer/ray_kernel.h"

namespace juxta {
namespace {

/// A distance whose square in float is not below d2, so that everything nearer than d2 lies within it: the
/// root rounds to nearest, the float above it is beyond the true one.
float reach(float d2) noexcept {
  return std::nextafter(std::sqrt(d2), std::numeric_limits<float>::infinity());
}

}  // namespace

template <int D>
LayerBody find_any(LayerSpan<D> layers, const BoxOf<D>& box, Filter filter) {
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    if (const std::uint32_t body = find_any(*layers[i], box, filter); body != kNoBody) {
      return {i, body};
    }
  }
  return {};
}

template <int D>
QueryResult find_all(LayerSpan<D> layers, const BoxOf<D>& box, std::span<LayerBody> out, Filter filter) {
  QueryResult all;
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const auto store = [&](std::uint32_t body) {
      if (all.written < out.size()) {
        out[all.written++] = {i, body};
      }
      ++all.found;
      return true;
    };
    const QueryResult one = visit(*layers[i], box, store, filter);
    all.tested += one.tested;
    all.visited += one.visited;
  }
  return all;
}

template <int D>
LayerRayHit raycast_closest(LayerSpan<D> layers, const RayOf<D>& ray, Filter filter) {
  LayerRayHit closest;
  Ray<D> rest = ray;
  double t = 0;  // of the closest, also where that is beyond float
  layer_detail::SearchWork work;
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    if (layer_detail::asks_for_nothing(layers[i]->store().view(), filter) || !layer_detail::is_sound(ray)) {
      continue;
    }
    const layer_detail::FarRayHit found =
        layer_detail::closest_however_far<D>(layers[i]->store(), rest, filter, work);
    if (found.hit && (!closest || found.t < t)) {
      closest = {{i, found.hit.body}, found.hit.t};
      t = found.t;
      rest.max = found.hit.t;
    }
  }
  return closest;
}

template <int D>
LayerNearestHit find_nearest(LayerSpan<D> layers, const PointOf<D>& point, float max_distance,
                             Filter filter) {
  LayerNearestHit nearest;
  if (!(max_distance >= 0) || !is_finite(point)) {
    return nearest;
  }
  double distance2 = 0;  // of the nearest, also where that is beyond float
  layer_detail::SearchWork work;
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const layer_detail::LayerView<D> view = layers[i]->store().view();
    if (layer_detail::asks_for_nothing(view, filter)) {
      continue;
    }
    const auto found = layer_detail::nearest_to_point<D>(view, point, max_distance, filter, work);
    if (found.hit && (!nearest || found.distance2 < distance2)) {
      nearest = {{i, found.hit.body}, found.hit.distance2};
      distance2 = found.distance2;
      max_distance = std::min(max_distance, reach(found.hit.distance2));
    }
  }
  return nearest;
}

#define JUXTA_INSTANTIATE(D)                                                                           \
  template JUXTA_API LayerBody find_any(LayerSpan<D>, const Aabb<D>&, Filter);                         \
  template JUXTA_API QueryResult find_all(LayerSpan<D>, const Aabb<D>&, std::span<LayerBody>, Filter); \
  template JUXTA_API LayerRayHit raycast_closest(LayerSpan<D>, const Ray<D>&, Filter);                 \
  template JUXTA_API LayerNearestHit find_nearest(LayerSpan<D>, const Vec<D>&, float, Filter);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
