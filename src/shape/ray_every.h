// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: every surface that a ray meets, in no order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "juxta/core/function_ref.h"
#include "juxta/shape/query.h"
#include "shape/placed.h"

namespace juxta::shape_detail {

/// Calls visit(hit) for each part of `shape` that is convex and met, and for each triangle of its surfaces.
void each_surface_on_ray(const Shape& shape, const Qvvs& at, const Ray3& ray,
                         FunctionRef<void(const SurfaceHit&)> visit) noexcept;

/// By t, then part, then triangle.
[[nodiscard]] inline bool earlier_surface(const SurfaceHit& a, const SurfaceHit& b) noexcept {
  return a.t != b.t ? a.t < b.t : before(a.part, b.part);
}

}  // namespace juxta::shape_detail
