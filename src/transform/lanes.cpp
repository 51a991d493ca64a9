// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lanes as users see them, and the plain twins of lanes_kernel.cpp.
#include "juxta/transform/lanes.h"

#include "transform/lanes_kernel.h"
#include "transform/store.h"

namespace juxta {

Id NodeLanes::id(std::size_t lane) const noexcept {
  return {slots_[lane], store_->slots[slots_[lane]].generation};
}

void write_matrices(const WorldLanes& lanes, std::span<Matrix34> out) noexcept {
  transform_detail::store_matrices(lanes, out.data());
}

namespace transform_detail {

void load_lane(const LocalTransform& row, NodeFields fields, TransformLanes& lanes, std::size_t i) noexcept {
  const Quat q = has(fields, NodeFields::kRotation) ? row.rotation : Quat{};
  lanes.qx[i] = q.x;
  lanes.qy[i] = q.y;
  lanes.qz[i] = q.z;
  lanes.qw[i] = q.w;
  const bool place = has(fields, NodeFields::kPlace);
  const Vec3 p = place ? row.position : Vec3{};
  lanes.x[i] = p.x;
  lanes.y[i] = p.y;
  lanes.z[i] = p.z;
  lanes.scale[i] = place ? row.scale : 1;
}

LocalTransform transform_of(const TransformLanes& lanes, std::size_t i) noexcept {
  return {{lanes.qx[i], lanes.qy[i], lanes.qz[i], lanes.qw[i]},
          {lanes.x[i], lanes.y[i], lanes.z[i]},
          lanes.scale[i]};
}

void store_fields(const LocalTransform& from, NodeFields fields, LocalTransform& row) noexcept {
  if (has(fields, NodeFields::kRotation)) {
    row.rotation = from.rotation;
  }
  if (has(fields, NodeFields::kPlace)) {
    row.position = from.position;
    row.scale = from.scale;
  }
}

void store_fields(const LocalTransform& from, NodeFields fields, GroupTransforms& group,
                  std::uint32_t lane) noexcept {
  if (has(fields, NodeFields::kRotation)) {
    group.put_rotation(lane, from.rotation);
  }
  if (has(fields, NodeFields::kPlace)) {
    group.put_place(lane, from.position, from.scale);
  }
}

void store_fields(const LocalTransform& from, NodeFields fields, Tile& tile, std::uint32_t row) noexcept {
  if (Tile::has_turned(tile.local_turned.bits(), row)) {
    store_fields(from, fields, tile.local.group(row / kGroupRows), row % kGroupRows);
  } else {
    store_fields(from, fields, tile.local.rows()[row]);
  }
}

void load_transforms_reference(const LocalTransform* rows, NodeFields fields, TransformLanes& out) noexcept {
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    load_lane(rows[i], fields, out, i);
  }
}

void store_transforms_reference(const TransformLanes& lanes, NodeFields fields,
                                LocalTransform* rows) noexcept {
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    store_fields(transform_of(lanes, i), fields, rows[i]);
  }
}

void load_groups_reference(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) noexcept {
  for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
    load_lane(groups[i / kGroupRows].get(i % kGroupRows), fields, out, i);
  }
}

void store_groups_reference(const TransformLanes& lanes, NodeFields fields,
                            GroupTransforms* groups) noexcept {
  for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
    store_fields(transform_of(lanes, i), fields, groups[i / kGroupRows], i % kGroupRows);
  }
}

void load_cold_reference(const Cold* rows, WorldLanes& out) noexcept {
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    out.stretch_x[i] = rows[i].stretch.x;
    out.stretch_y[i] = rows[i].stretch.y;
    out.stretch_z[i] = rows[i].stretch.z;
    out.context[i] = rows[i].context;
  }
}

NodeMask unfit_lanes_reference(const TransformLanes& lanes) noexcept {
  NodeMask unfit = 0;
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    unfit |= NodeMask{!kept_as_it_is(transform_of(lanes, i))} << i;
  }
  return unfit;
}

void store_matrices_reference(const WorldLanes& lanes, Matrix34* out) noexcept {
  for (std::size_t i = 0; i < kNodeLanes; ++i) {
    if (lanes.has(i)) {
      const LocalTransform world = transform_of(lanes.world, i);
      out[lanes.slots()[i]] = to_matrix34({world.rotation,
                                           world.position,
                                           lanes.context[i],
                                           {lanes.stretch_x[i], lanes.stretch_y[i], lanes.stretch_z[i]},
                                           world.scale});
    }
  }
}

}  // namespace transform_detail
}  // namespace juxta
