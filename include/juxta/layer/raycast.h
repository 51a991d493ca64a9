// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a ray or a segment touches, by box. A query about one ray allocates nothing; any number may run at
// once. A ray with a NaN, an infinite origin or direction, or a negative max touches nothing. A ray of zero
// direction touches the boxes that hold its origin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/query_result.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair.h"
#include "juxta/layer/query_options.h"
#include "juxta/layer/ray_hit.h"
#include "juxta/math/ray.h"

namespace juxta {

template <int D>
using RayOf = std::type_identity_t<Ray<D>>;

/// The body entered first; of several at the same t the lowest number. The distance to a side is computed as
/// (side - origin) * (1 / direction) in float, and nothing is missed or invented relative to that. Where a
/// part of the direction has no safe inverse in float (below 5.9e-39, above 1.1e18), or the origin is beyond
/// 5e30, it is (side - origin) / direction in double. A t beyond float is infinite; the closest body is still
/// the closest.
template <int D>
[[nodiscard]] RayHit raycast_closest(const BasicLayer<D>& layer, const RayOf<D>& ray,
                                     const QueryOptions& options = {});

/// Any body that the ray touches, or none: for lines of sight.
template <int D>
[[nodiscard]] RayHit raycast_any(const BasicLayer<D>& layer, const RayOf<D>& ray,
                                 const QueryOptions& options = {});

/// All bodies in order of (t, body). A short `out` gets the nearest, and `found` the exact need.
template <int D>
QueryResult raycast_all(const BasicLayer<D>& layer, const RayOf<D>& ray, std::span<RayHit> out,
                        const QueryOptions& options = {});

/// Hands over hits in the layer's order; `visitor` returns the new end of the ray: `hit.t` to look for nearer
/// ones only, an infinity to go on as before, a negative number to stop. (As b2World_CastRay of Box2D does.)
template <int D>
QueryResult visit_ray(const BasicLayer<D>& layer, const RayOf<D>& ray, FunctionRef<float(RayHit)> visitor,
                      const QueryOptions& options = {});

// Many rays at once give the answers of single calls. In layers of more than about 80,000
// bodies they are asked in the order of space. Errors of all: kInvalidArgument (lengths differ; `ignore` is
// not as long as rays).

/// out[i] = the answer to rays[i].
template <int D>
[[nodiscard]] Result<QueryResult> raycast_closest(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                                  std::span<RayHit> out, const BatchOptions& options = {},
                                                  const Context& context = {});
template <int D>
[[nodiscard]] Result<QueryResult> raycast_any(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                              std::span<RayHit> out, const BatchOptions& options = {},
                                              const Context& context = {});
/// All hits of ray i stand in out[offsets[i]] ... out[offsets[i + 1] - 1] in order of (t, body); offsets is
/// one longer than rays. A short `out` gets the hits of the first rays, and `found` the exact need.
template <int D>
[[nodiscard]] Result<QueryResult> raycast_all(const BasicLayer<D>& layer, std::span<const RayOf<D>> rays,
                                              std::span<std::size_t> offsets, std::span<RayHit> out,
                                              const BatchOptions& options = {}, const Context& context = {});

}  // namespace juxta
