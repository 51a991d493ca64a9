// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a ray enters, and what is nearest to a point.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/function_ref.h"
#include "juxta/layer/filter.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/raycast.h"
#include "layer/query_kernel.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Whether a ray asks for anything at all: no NaN, finite origin and direction, max not negative.
template <int D>
[[nodiscard]] bool is_sound(const Ray<D>& ray) noexcept;

// Rays here are sound.
template <int D>
[[nodiscard]] RayHit closest_on_ray(const LayerView<D>& view, const Ray<D>& ray, Filter filter,
                                    SearchWork& work) noexcept;
/// The first hit in the layer's order.
template <int D>
[[nodiscard]] RayHit any_on_ray(const LayerView<D>& view, const Ray<D>& ray, Filter filter,
                                SearchWork& work) noexcept;
/// Hits in the layer's order; `visitor` gives the new end of the ray, a negative one to stop.
template <int D>
void hits_on_ray(const LayerView<D>& view, const Ray<D>& ray, Filter filter,
                 FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept;

/// A finite point; `limit` is the largest squared distance allowed.
template <int D>
[[nodiscard]] NearestHit nearest_to_point(const LayerView<D>& view, const PointOf<D>& point, float limit,
                                          Filter filter, SearchWork& work) noexcept;

}  // namespace juxta::layer_detail
