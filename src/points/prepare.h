// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a call becomes a search.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "juxta/core/array.h"
#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "points/layout.h"
#include "points/search.h"

namespace juxta::points_detail {

/// Errors: kInvalidArgument (negative, NaN). `index` is for the message: Error::kNowhere for the only one.
template <class Real>
[[nodiscard]] Result<void> check_radius(Real radius, std::uint64_t index = Error::kNowhere);

/// How near a radius is, when distances in floats are that far from the truth (error_of()).
template <int D>
[[nodiscard]] Limit limit_of(const PointStore<D, float>& store, float radius, float error) noexcept;
template <int D>
[[nodiscard]] Limit limit_of(const PointStore<D, double>& store, double radius, float error) noexcept;

/// The points of a tree look at each other. `limit` is kept by the caller.
template <int D, class Real>
[[nodiscard]] Search<D> search_own(const PointStore<D, Real>& store, Real radius, Limit& limit);

/// Seers that are not the tree's points.
template <int D>
struct OtherSeers {
  explicit OtherSeers(std::pmr::memory_resource* resource)
      : blocks(resource), number(resource), nodes(resource), exact(resource), limits(resource) {}

  Array<PointBlock<D>> blocks;
  Array<std::uint32_t> number;
  Array<BoxBlock<D>> nodes;
  Array<double> exact;
  Array<Limit> limits;  // per lane
};

/// Other points look at a tree. What the search refers to is in `seers`.
/// Errors: kInvalidArgument (radii), those of BasicPointTree::build().
template <int D, class Real>
[[nodiscard]] Result<Search<D>> search_others(const PointStore<D, Real>& store, std::span<const Real> points,
                                              std::span<const Real> radii, OtherSeers<D>& seers,
                                              Workspace& workspace, const Executor& executor);

}  // namespace juxta::points_detail
