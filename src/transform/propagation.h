// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: how worlds follow from locals.
#pragma once

#include "transform/store.h"
#include "transform/sweep_kernel.h"

namespace juxta::transform_detail {

/// What the rows of a link take from their parent. 0: what roots take from the world.
[[nodiscard]] Frame frame_of(const HierarchyStore& store, std::uint32_t link);
/// Computes a row with flags, whose parent is up to date: its world transform, and its local one. False:
/// where it should be is not finite, and it stands where its parent stands.
bool follow_row(const HierarchyStore& store, Tile& tile, std::uint32_t row);

inline constexpr SweepCalls kSweepCalls{frame_of, follow_row};

/// The world transform of a row as propagate() will leave it, from its root path alone. Writes nothing.
[[nodiscard]] Qvvs exact_world(const HierarchyStore& store, Row row);
/// Remembers it for a written row whose parent's is `parent`.
void know(HierarchyStore& store, Row row, const Qvvs& parent);
/// exact_world() of the parent of a row; the identity for a root.
[[nodiscard]] Qvvs exact_parent_world(const HierarchyStore& store, Row row);

/// The local transform as propagate() will leave it: it rewrites those of nodes that keep something.
[[nodiscard]] LocalTransform exact_local(const HierarchyStore& store, Row row);
/// What the flags of a row keep is from now on where it is now, propagated or not. The world transform that
/// readers see stays; a stretch and a context that it had from its parent become its own.
void keep_from_now(HierarchyStore& store, Row row);

/// Changes the stretch of a node, and what its children know of it.
void put_stretch(Tile& tile, std::uint32_t row, Vec3 stretch) noexcept;

}  // namespace juxta::transform_detail
