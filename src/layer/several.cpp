// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/layer/several.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const RayHit hit = raycast_closest(*layers[i], rest, filter);
    if (hit && (!closest || hit.t < closest.t)) {
      closest = {{i, hit.body}, hit.t};
      rest.max = hit.t;
    }
  }
  return closest;
}

template <int D>
LayerNearestHit find_nearest(LayerSpan<D> layers, const PointOf<D>& point, float max_distance,
                             Filter filter) {
  LayerNearestHit nearest;
  for (std::uint32_t i = 0; i < layers.size(); ++i) {
    const NearestHit hit = find_nearest(*layers[i], point, max_distance, filter);
    if (hit && (!nearest || hit.distance2 < nearest.distance2)) {
      nearest = {{i, hit.body}, hit.distance2};
      max_distance = std::min(max_distance, reach(hit.distance2));
    }
  }
  return nearest;
}

#define JUXTA_INSTANTIATE(D)                                                                           \
  template JUXTA_API LayerBody find_any(LayerSpan<D>, const Aabb<D>&, Filter);                         \
  template JUXTA_API QueryResult find_all(LayerSpan<D>, const Aabb<D>&, std::span<LayerBody>, Filter); \
  template JUXTA_API LayerRayHit raycast_closest(LayerSpan<D>, const Ray<D>&, Filter);                 \
  template JUXTA_API LayerNearestHit find_nearest(LayerSpan<D>, const Point<D>&, float, Filter);
JUXTA_INSTANTIATE(2)
JUXTA_INSTANTIATE(3)
#undef JUXTA_INSTANTIATE

}  // namespace juxta
