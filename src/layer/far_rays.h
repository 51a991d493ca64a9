// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rays whose arithmetic leaves the range of float, in double.
#pragma once

#include <cmath>

#include "juxta/core/function_ref.h"
#include "juxta/layer/query_options.h"
#include "juxta/layer/ray_hit.h"
#include "juxta/math/aabb.h"
#include "juxta/math/ray.h"
#include "layer/query_kernel.h"
#include "layer/store.h"

namespace juxta::layer_detail {

/// Whether the kernel's (side - origin) * (1 / direction) is not to be trusted: a part of the direction has
/// no inverse in float or is so long that the inverse is nearly none, or the origin is so far away that a
/// difference may be infinite. Otherwise only t itself may be beyond float, and is infinite then.
template <int D>
[[nodiscard]] bool leaves_floats(const Ray<D>& ray) noexcept {
  bool leaves = false;
  for (int axis = 0; axis < D; ++axis) {
    const float part = std::fabs(ray.direction[axis]);
    leaves = leaves || (part != 0 && !(part >= 0x1p-127F && part <= 0x1p60F)) ||
             !(std::fabs(ray.origin[axis]) <= 0x1p102F);
  }
  return leaves;
}

/// Where a sound ray enters a box, (side - origin) / direction in double; below 0: nowhere.
template <int D>
[[nodiscard]] double enters_in_doubles(const Ray<D>& ray, const Aabb<D>& box) noexcept;

/// Hits in the layer's order, each by enters_in_doubles(), t rounded to float (infinite when beyond it).
/// `visitor` gives the new end of the ray, a negative one to stop. About 30 ns a box: such rays are rare.
template <int D>
void hits_in_doubles(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                     FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept;

/// raycast_closest() for a sound ray and a filter that meets something; `t` also where it is beyond float.
struct FarRayHit {
  RayHit hit;
  double t = 0;
};
template <int D>
[[nodiscard]] FarRayHit closest_however_far(const LayerStore<D>& store, const Ray<D>& ray,
                                            const QueryOptions& options, SearchWork& work) noexcept;

/// hits_on_ray() that visits nobody whose t is infinite unless the ray does touch the box.
template <int D>
void hits_however_far(const LayerStore<D>& store, const Ray<D>& ray, const QueryOptions& options,
                      FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept;

/// The order of hits on one ray: by t, infinite ones by their t in double, then by body.
template <int D>
struct FarOrder {
  const LayerStore<D>& store;
  const Ray<D>& ray;

  [[nodiscard]] double t(const RayHit& hit) const noexcept;
  [[nodiscard]] bool operator()(const RayHit& a, const RayHit& b) const noexcept;
};

}  // namespace juxta::layer_detail
