// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a ray enters, and what is nearest to a point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "juxta/core/function_ref.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query_options.h"
#include "juxta/layer/ray_hit.h"
#include "juxta/math/ray.h"
#include "layer/query_kernel.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Whether a ray asks for anything at all: no NaN, finite origin and direction, max not negative.
template <int D>
[[nodiscard]] bool is_sound(const Ray<D>& ray) noexcept;

// Rays here are sound. A t that is beyond float is infinite, and then nothing is known about the box:
// far_rays.h.
template <int D>
[[nodiscard]] RayHit closest_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                                    SearchWork& work) noexcept;
/// The first hit in the layer's order.
template <int D>
[[nodiscard]] RayHit any_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                                SearchWork& work) noexcept;
/// Hits in the layer's order; `visitor` gives the new end of the ray, a negative one to stop.
template <int D>
void hits_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                 FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept;

/// What a search for the nearest answers: the squared distance is beyond float for those further than 1.8e19.
struct FarNearest {
  NearestHit hit;
  double distance2 = std::numeric_limits<double>::infinity();
};

/// A finite point, a distance of at least 0.
template <int D>
[[nodiscard]] FarNearest nearest_to_point(const LayerView<D>& view, const Vec<D>& point, float max_distance,
                                          const QueryOptions& options, SearchWork& work) noexcept;

}  // namespace juxta::layer_detail
