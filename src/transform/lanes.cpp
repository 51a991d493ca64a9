// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lanes as users see them, and the plain twins of lanes_kernel.cpp.
#include "juxta/transform/lanes.h"

#include <algorithm>
#include <cstring>

#include "transform/lanes_kernel.h"
#include "transform/store.h"

namespace juxta {

Id Lanes::id(std::size_t lane) const noexcept {
  return {slots_[lane], store_->slots[slots_[lane]].generation};
}

void write_matrices(const WorldLanes& lanes, std::span<Matrix34> out) noexcept {
  transform_detail::store_matrices(lanes, out.data());
}

namespace transform_detail {

void load_lane(const LocalTransform& row, Fields fields, TransformLanes& lanes, std::size_t i) noexcept {
  const Quat q = has(fields, Fields::kRotation) ? row.rotation : Quat{};
  lanes.qx[i] = q.x;
  lanes.qy[i] = q.y;
  lanes.qz[i] = q.z;
  lanes.qw[i] = q.w;
  const bool place = has(fields, Fields::kPlace);
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

void store_fields(const LocalTransform& from, Fields fields, LocalTransform& row) noexcept {
  if (has(fields, Fields::kRotation)) {
    row.rotation = from.rotation;
  }
  if (has(fields, Fields::kPlace)) {
    row.position = from.position;
    row.scale = from.scale;
  }
}

void store_fields(const LocalTransform& from, Fields fields, Tile& tile, std::uint32_t row) noexcept {
  if (!tile.lanes) {
    store_fields(from, fields, tile.local.rows()[row]);
    return;
  }
  GroupTransforms& group = tile.local.group(row / kGroupRows);
  const std::uint32_t lane = row % kGroupRows;
  if (has(fields, Fields::kRotation)) {
    group.put_rotation(lane, from.rotation);
  }
  if (has(fields, Fields::kPlace)) {
    group.put_place(lane, from.position, from.scale);
  }
}

void load_transforms_reference(const LocalTransform* rows, Fields fields, TransformLanes& out) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i) {
    load_lane(rows[i], fields, out, i);
  }
}

void store_transforms_reference(const TransformLanes& lanes, Fields fields, LocalTransform* rows) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i) {
    store_fields(transform_of(lanes, i), fields, rows[i]);
  }
}

namespace {

static_assert(kLanes == 2 * kGroupRows);
constexpr std::size_t kBytes = kGroupRows * sizeof(float);

/// Calls `body(of the groups, of the lanes)` for each of four columns: eight numbers of two groups are
/// sixteen.
template <class Group, class Lanes, class Body>
void for_rotations(Group* groups, Lanes& lanes, Body&& body) {
  for (std::size_t g = 0; g < 2; ++g) {
    body(groups[g].qx, lanes.qx + g * kGroupRows);
    body(groups[g].qy, lanes.qy + g * kGroupRows);
    body(groups[g].qz, lanes.qz + g * kGroupRows);
    body(groups[g].qw, lanes.qw + g * kGroupRows);
  }
}
template <class Group, class Lanes, class Body>
void for_places(Group* groups, Lanes& lanes, Body&& body) {
  for (std::size_t g = 0; g < 2; ++g) {
    body(groups[g].x, lanes.x + g * kGroupRows);
    body(groups[g].y, lanes.y + g * kGroupRows);
    body(groups[g].z, lanes.z + g * kGroupRows);
    body(groups[g].scale, lanes.scale + g * kGroupRows);
  }
}

/// (0, 0, 0, 1): of a rotation, and of position and scale.
void put_identity(float* a, float* b, float* c, float* one) {
  for (float* const zeros : {a, b, c}) {
    std::fill_n(zeros, kLanes, 0.0F);
  }
  std::fill_n(one, kLanes, 1.0F);
}

}  // namespace

void load_groups(const GroupTransforms* groups, Fields fields, TransformLanes& out) noexcept {
  const auto load = [](const float* from, float* to) { std::memcpy(to, from, kBytes); };
  if (has(fields, Fields::kRotation)) {
    for_rotations(groups, out, load);
  } else {
    put_identity(out.qx, out.qy, out.qz, out.qw);
  }
  if (has(fields, Fields::kPlace)) {
    for_places(groups, out, load);
  } else {
    put_identity(out.x, out.y, out.z, out.scale);
  }
}

void store_groups(const TransformLanes& lanes, Fields fields, GroupTransforms* groups) noexcept {
  const auto store = [](float* to, const float* from) { std::memcpy(to, from, kBytes); };
  if (has(fields, Fields::kRotation)) {
    for_rotations(groups, lanes, store);
  }
  if (has(fields, Fields::kPlace)) {
    for_places(groups, lanes, store);
  }
}

void load_cold_reference(const Cold* rows, WorldLanes& out) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i) {
    out.stretch_x[i] = rows[i].stretch.x;
    out.stretch_y[i] = rows[i].stretch.y;
    out.stretch_z[i] = rows[i].stretch.z;
    out.context[i] = rows[i].context;
  }
}

LaneMask unfit_lanes_reference(const TransformLanes& lanes) noexcept {
  LaneMask unfit = 0;
  for (std::size_t i = 0; i < kLanes; ++i) {
    unfit |= LaneMask{!kept_as_it_is(transform_of(lanes, i))} << i;
  }
  return unfit;
}

void store_matrices_reference(const WorldLanes& lanes, Matrix34* out) noexcept {
  for (std::size_t i = 0; i < kLanes; ++i) {
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
