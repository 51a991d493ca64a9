// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/function_ref.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/query.h"
#include "juxta/math/ray.h"

// What a ray or a segment touches, by box. A single query allocates nothing; any number may run at once. A
// ray with a NaN, an infinite origin or direction, or a negative max touches nothing. A ray of zero direction
// touches the boxes that hold its origin.

namespace juxta {

/// Where a ray enters a box: t = 0 when it starts inside.
struct RayHit {
  std::uint32_t body = kNoBody;
  float t = std::numeric_limits<float>::infinity();

  [[nodiscard]] explicit operator bool() const noexcept { return body != kNoBody; }
  friend bool operator==(const RayHit&, const RayHit&) = default;
};

template <int D>
using RayOf = std::type_identity_t<Ray<D>>;

/// The body entered first; of several at the same t the lowest number. The distance to a side is computed as
/// (side - origin) * (1 / direction) in float, and nothing is missed or invented relative to that. Where a
/// part of the direction has no safe inverse in float (below 5.9e-39, above 1.1e18), or the origin is beyond
/// 5e30, it is (side - origin) / direction in double. A t beyond float is infinite; the closest body is still
/// the closest.
template <int D>
[[nodiscard]] RayHit raycast_closest(const BasicLayer<D>& layer, const RayOf<D>& ray, Filter filter = {});

/// Any body that the ray touches, or none: for lines of sight.
template <int D>
[[nodiscard]] RayHit raycast_any(const BasicLayer<D>& layer, const RayOf<D>& ray, Filter filter = {});

/// All bodies in order of (t, body). A short `out` gets the nearest, and `found` the exact need.
template <int D>
QueryResult raycast_all(const BasicLayer<D>& layer, const RayOf<D>& ray, std::span<RayHit> out,
                        Filter filter = {});

/// Hands over hits in the layer's order; `visitor` returns the new end of the ray: `hit.t` to look for nearer
/// ones only, an infinity to go on as before, a negative number to stop. (As b2World_CastRay of Box2D does.)
template <int D>
QueryResult visit_ray(const BasicLayer<D>& layer, const RayOf<D>& ray, FunctionRef<float(RayHit)> visitor,
                      Filter filter = {});

/// out[i] = the answer to rays[i]; sorted by where they start, on the executor's threads.
/// Errors: kInvalidArgument (lengths differ).
template <int D>
[[nodiscard]] Result<QueryResult> raycast_closest(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                                  Workspace& workspace, std::span<RayHit> out,
                                                  const BatchOptions& options = {});
template <int D>
[[nodiscard]] Result<QueryResult> raycast_any(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                              Workspace& workspace, std::span<RayHit> out,
                                              const BatchOptions& options = {});
/// All hits of ray i stand in out[offsets[i]] ... out[offsets[i + 1] - 1] in order of (t, body); offsets is
/// one longer than rays. A short `out` gets the hits of the first rays, and `found` the exact need.
template <int D>
[[nodiscard]] Result<QueryResult> raycast_all(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                              Workspace& workspace, std::span<std::size_t> offsets,
                                              std::span<RayHit> out, const BatchOptions& options = {});

}  // namespace juxta
