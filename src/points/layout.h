// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: points go into the order of space.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/workspace.h"
#include "points/store.h"

namespace juxta::points_detail {

/// Points that were checked, and brought back into a periodic space.
template <int D, class Real>
struct Placed {
  std::span<const Real> at;  // D each
  Real lo[D], hi[D];         // their bounds; of a periodic axis the axis'
};

/// `what` they are, for messages. Takes memory from the workspace if an axis is periodic.
/// Errors: those of BasicPointTree::build().
template <int D, class Real>
[[nodiscard]] Result<Placed<D, Real>> place(std::span<const Real> coordinates,
                                            const PointSpace<D, Real>& space, const char* what,
                                            Workspace& workspace, const Executor& executor);

/// Errors: kInvalidArgument, kNotFinite.
template <int D, class Real>
[[nodiscard]] Result<void> check_space(const PointSpace<D, Real>& space);

template <int D>
[[nodiscard]] Frame<D> frame_of(const Placed<D, float>& placed) noexcept;
template <int D>
[[nodiscard]] Frame<D> frame_of(const Placed<D, double>& placed) noexcept;

/// Where the laid-out points go: whole blocks, plan_block_tree(blocks).total nodes, `exact` or null.
template <int D>
struct LayoutMemory {
  PointBlock<D>* blocks;
  std::uint32_t* number;
  BoxBlock<D>* nodes;
  double* exact;
};

/// Orders points and fills the memory.
template <int D, class Real>
[[nodiscard]] PointsView<D> lay_out(const Placed<D, Real>& placed, const Frame<D>& frame,
                                    const LayoutMemory<D>& memory, Workspace& workspace,
                                    const Executor& executor);

/// x in floats of the frame, clamped to 2^60: beyond that nothing near is left to tell apart.
template <int D>
[[nodiscard]] inline float framed(const Frame<D>&, int, float x) noexcept {
  return x;
}
template <int D>
[[nodiscard]] inline float framed(const Frame<D>& frame, int axis, double x) noexcept {
  constexpr double kMost = 0x1p+60;
  const double at = (x - frame.origin[axis]) * frame.scale;
  return static_cast<float>(at < -kMost ? -kMost : at > kMost ? kMost : at);
}

}  // namespace juxta::points_detail
