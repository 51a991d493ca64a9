// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sixteen rows of a tile into arrays of a number each, and back. Undefined below SSE4.2 (see
// active_isa()). Each function has a plain twin with the same bits. Systems and readers take the steps inside
// of one kernel (visit_lanes_kernel.h); all but store_matrices() are here for the tests, step by step.
#pragma once

#include "juxta/transform/lanes.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

/// Sixteen slots that a later call of a reader is likely to have: what a table has there may be asked for.
/// Null: nothing is known.
struct NodesAhead {
  static const std::uint32_t* of(const NodeLanes& lanes) noexcept { return lanes.ahead_; }
  static void put(NodeLanes& lanes, const std::uint32_t* slots) noexcept { lanes.ahead_ = slots; }
};

/// The columns of sixteen rows. NodeFields that are not asked for are neither read nor written: their columns
/// are those of the identity.
void load_transforms(const LocalTransform* rows, NodeFields fields, TransformLanes& out) noexcept;
void store_transforms(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) noexcept;
/// The same for the two groups of a tile of lanes.
void load_groups(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) noexcept;
void store_groups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) noexcept;
/// Stretches and contexts.
void load_cold(const Cold* rows, WorldLanes& out) noexcept;
/// Lanes that the store does not keep as they are: checked() normalises them, or refuses them.
[[nodiscard]] NodeMask unfit_lanes(const TransformLanes& lanes) noexcept;
/// to_matrix34() of the lanes of the mask to out[slots[lane]].
void store_matrices(const WorldLanes& lanes, Matrix34* out) noexcept;

void load_transforms_reference(const LocalTransform* rows, NodeFields fields, TransformLanes& out) noexcept;
void store_transforms_reference(const TransformLanes& lanes, NodeFields fields,
                                LocalTransform* rows) noexcept;
void load_groups_reference(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) noexcept;
void store_groups_reference(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) noexcept;
void load_cold_reference(const Cold* rows, WorldLanes& out) noexcept;
[[nodiscard]] NodeMask unfit_lanes_reference(const TransformLanes& lanes) noexcept;
void store_matrices_reference(const WorldLanes& lanes, Matrix34* out) noexcept;

/// One lane.
[[nodiscard]] LocalTransform transform_of(const TransformLanes& lanes, std::size_t lane) noexcept;
void load_lane(const LocalTransform& row, NodeFields fields, TransformLanes& lanes,
               std::size_t lane) noexcept;
/// Some fields of a row; the others are not touched.
void store_fields(const LocalTransform& from, NodeFields fields, LocalTransform& row) noexcept;
void store_fields(const LocalTransform& from, NodeFields fields, GroupTransforms& group,
                  std::uint32_t lane) noexcept;
void store_fields(const LocalTransform& from, NodeFields fields, Tile& tile, std::uint32_t row) noexcept;

}  // namespace juxta::transform_detail
