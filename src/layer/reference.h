// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the plain twins of everything that a layer answers: every box looked at one by one, in the order
// of body numbers. What they say is the definition; tests and fuzzers hold the kernels to it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/layer/find_pairs.h"
#include "juxta/layer/frustum.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/raycast.h"

namespace juxta::layer_detail {

/// Bodies by number, as a layer that was given them would hold them.
template <int D>
struct ReferenceBodies {
  std::span<const Aabb<D>> boxes;
  std::span<const Filter> filters = {};      // empty: every body meets every other
  std::span<const std::uint8_t> alive = {};  // empty: all are

  [[nodiscard]] bool lives(std::size_t body) const noexcept { return alive.empty() || alive[body] != 0; }
  [[nodiscard]] Filter filter(std::size_t body) const noexcept {
    return filters.empty() ? Filter{} : filters[body];
  }
};

/// Ascending (a, b), a < b. `only` as FindPairsOptions has it: empty is all, a wrong length is none.
template <int D>
[[nodiscard]] std::vector<Pair> pairs_reference(const ReferenceBodies<D>& bodies,
                                                std::span<const std::uint8_t> only = {});
/// Ascending (a of the first, b of the second).
template <int D>
[[nodiscard]] std::vector<Pair> pairs_reference(const ReferenceBodies<D>& a, const ReferenceBodies<D>& b,
                                                std::span<const std::uint8_t> only_a = {},
                                                std::span<const std::uint8_t> only_b = {});

/// Ascending bodies that the box overlaps.
template <int D>
[[nodiscard]] std::vector<std::uint32_t> find_all_reference(const ReferenceBodies<D>& bodies,
                                                            const BoxOf<D>& box,
                                                            const QueryOptions& options = {});
template <int D>
[[nodiscard]] bool find_any_reference(const ReferenceBodies<D>& bodies, const BoxOf<D>& box,
                                      const QueryOptions& options = {});

/// Whether the ray asks for anything: no NaN, finite origin and direction, max not negative.
template <int D>
[[nodiscard]] bool ray_is_sound(const Ray<D>& ray) noexcept;
/// Where a sound ray enters the box, or a negative number: it does not.
template <int D>
[[nodiscard]] double ray_enters(const Ray<D>& ray, const BoxOf<D>& box) noexcept;

/// In order of (t, body).
template <int D>
[[nodiscard]] std::vector<RayHit> raycast_all_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                                                        const QueryOptions& options = {});
template <int D>
[[nodiscard]] RayHit raycast_closest_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                                               const QueryOptions& options = {});
template <int D>
[[nodiscard]] bool raycast_any_reference(const ReferenceBodies<D>& bodies, const RayOf<D>& ray,
                                         const QueryOptions& options = {});

/// The squared distance of a point from a box: d = max(lo - p, 0, p - hi) per axis, squares from left to
/// right.
template <int D>
[[nodiscard]] float distance2(const Aabb<D>& box, const PointOf<D>& point) noexcept;
template <int D>
[[nodiscard]] NearestHit nearest_reference(const ReferenceBodies<D>& bodies, const PointOf<D>& point,
                                           float max_distance, const QueryOptions& options = {});

/// Ascending bodies that no plane has wholly outside.
template <int D>
[[nodiscard]] std::vector<std::uint32_t> find_in_frustum_reference(const ReferenceBodies<D>& bodies,
                                                                   std::span<const Plane<D>> planes,
                                                                   const QueryOptions& options = {});

}  // namespace juxta::layer_detail
