// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: putting bodies into lanes.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "layer/store.h"
#include "order/box_codes_kernel.h"

namespace juxta::layer_detail {

inline constexpr double kMostLooseness = 1.15;
/// Strays that may stand in no order at all, and the lanes to which sorted parts are rounded up.
inline constexpr std::uint32_t kTailStep = kBlockLanes * kBlockLanes;

/// What a lane without a body holds: neutral to bounds, and no finite box overlaps it.
template <int D>
[[nodiscard]] Aabb<D> empty_lane() noexcept {
  Aabb<D> box;
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] = std::numeric_limits<float>::infinity();
    box.hi[axis] = -std::numeric_limits<float>::infinity();
  }
  return box;
}
/// Bounds are minima and maxima, which may give either zero: lanes hold none with a sign.
template <int D>
[[nodiscard]] Aabb<D> without_signed_zeros(Aabb<D> box) noexcept {
  for (int axis = 0; axis < D; ++axis) {
    box.lo[axis] += 0.0F;
    box.hi[axis] += 0.0F;
  }
  return box;
}

/// Makes the layer hold exactly these sound boxes, body i = boxes[i], without spare lanes.
template <int D>
void sort_new_bodies(LayerStore<D>& store, std::span<const Aabb<D>> boxes,
                     const order_detail::CentreRange<D>& range, std::span<const Filter> filters,
                     OrderQuality quality, Workspace& workspace, const Executor& executor);

/// Puts all living bodies in order again, with room for `more` others at least. Boxes come from `boxes` by
/// body number, or from the lanes when it is empty. Strays become ordinary bodies.
template <int D>
void sort_again(LayerStore<D>& store, std::span<const Aabb<D>> boxes, std::size_t more, Workspace& workspace,
                const Executor& executor);

/// Puts the strays in order among themselves.
template <int D>
void sort_tail(LayerStore<D>& store, Workspace& workspace);

/// Makes `body` live in the next free lane, in order or not; there is room.
template <int D>
void append_stray(LayerStore<D>& store, std::uint32_t body, const Aabb<D>& box, Filter filter);

}  // namespace juxta::layer_detail
