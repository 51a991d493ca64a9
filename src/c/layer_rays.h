// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rays and hits of C and of C++.
#pragma once

#include <cstddef>

#include "juxta/c/layer_queries.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/ray_hit.h"
#include "juxta/math/ray.h"

namespace juxta::c_detail {

static_assert(sizeof(juxta_ray) == sizeof(Ray3) && offsetof(juxta_ray, max) == offsetof(Ray3, max));
static_assert(sizeof(juxta_ray_hit) == sizeof(RayHit) && sizeof(juxta_nearest_hit) == sizeof(NearestHit));

template <int D>
[[nodiscard]] Ray<D> ray_of(const juxta_ray& ray) noexcept {
  Ray<D> made;
  for (int axis = 0; axis < D; ++axis) {
    made.origin[axis] = ray.origin[axis];
    made.direction[axis] = ray.direction[axis];
  }
  made.max = ray.max;
  return made;
}

[[nodiscard]] inline juxta_ray_hit c_hit(RayHit hit) noexcept {
  return {hit.body, hit.t};
}

}  // namespace juxta::c_detail
