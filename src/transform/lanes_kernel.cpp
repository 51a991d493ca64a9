// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen rows of a tile into arrays of a number each, and back.
//
// How is in lane_columns-inl.h. Whole words of a tile, with a system or a reader: visit_lanes_kernel.cpp.
//
// Per row:      2 loads and 2 shuffles in, 2 shuffles and 2 stores out: about 1 ns each way.
//
// Limit:        shuffles in the caches; beyond them memory, 32 bytes a row.
//
// Determinism:  bits are moved. Matrices take the operations of to_matrix34() in the same order, nothing
//               fused.
#include "transform/lanes_kernel.h"

#include "core/prefetch.h"
#include "transform/store.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/lanes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "transform/lane_columns-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

void LoadTransforms(const LocalTransform* rows, NodeFields fields, TransformLanes& out) {
  RowsToLanes(rows, fields, out);
}
void StoreTransforms(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) {
  LanesToRows(lanes, fields, rows);
}
void LoadGroups(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) {
  GroupsToLanes(groups, fields, out);
}
void StoreGroups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) {
  LanesToGroups(lanes, fields, groups);
}
void LoadCold(const Cold* rows, WorldLanes& out) {
  ColdToLanes(rows, out);
}
std::uint32_t UnfitLanes(const TransformLanes& lanes) {
  return NotKept(lanes);
}

#if HWY_HAVE_FLOAT64
/// Three rows of four numbers of a matrix, for kNodes lanes.
struct MatrixRows {
  Four row[3];
};
HWY_INLINE MatrixRows MatricesOf(const WorldLanes& lanes, std::size_t n) {
  const FloatTag d;
  const TransformLanes& w = lanes.world;
  const Floats x = hn::Load(d, w.qx + n), y = hn::Load(d, w.qy + n), z = hn::Load(d, w.qz + n),
               q = hn::Load(d, w.qw + n), one = hn::Set(d, 1.0F), scale = hn::Load(d, w.scale + n);
  const Floats sx = hn::Mul(hn::LoadU(d, lanes.stretch_x + n), scale),
               sy = hn::Mul(hn::LoadU(d, lanes.stretch_y + n), scale),
               sz = hn::Mul(hn::LoadU(d, lanes.stretch_z + n), scale);
  const Floats x2 = hn::Add(x, x), y2 = hn::Add(y, y), z2 = hn::Add(z, z);
  const Floats xx = hn::Mul(x, x2), yy = hn::Mul(y, y2), zz = hn::Mul(z, z2);
  const Floats xy = hn::Mul(x, y2), xz = hn::Mul(x, z2), yz = hn::Mul(y, z2);
  const Floats wx = hn::Mul(q, x2), wy = hn::Mul(q, y2), wz = hn::Mul(q, z2);
  const auto diagonal = [&](Floats a, Floats b) HWY_ATTR { return hn::Sub(one, hn::Add(a, b)); };
  return {{{hn::Mul(diagonal(yy, zz), sx), hn::Mul(hn::Sub(xy, wz), sy), hn::Mul(hn::Add(xz, wy), sz),
            hn::Load(d, w.x + n)},
           {hn::Mul(hn::Add(xy, wz), sx), hn::Mul(diagonal(xx, zz), sy), hn::Mul(hn::Sub(yz, wx), sz),
            hn::Load(d, w.y + n)},
           {hn::Mul(hn::Sub(xz, wy), sx), hn::Mul(hn::Add(yz, wx), sy), hn::Mul(diagonal(xx, yy), sz),
            hn::Load(d, w.z + n)}}};
}

/// Each lane's place in a table by slots.
struct Targets {
  const std::uint32_t* slots;
  HWY_INLINE std::size_t operator[](std::size_t lane) const { return slots[lane]; }
};

/// A line has the beginning of a matrix at least: those of all nodes are all lines.
HWY_INLINE void AskForMatrices(const std::uint32_t* slots, const Matrix34* out) {
  if (slots == nullptr) {
    return;
  }
  core_detail::prefetch_line(reinterpret_cast<const std::byte*>(slots) +
                             64 * sizeof *slots);  // asked for next
  for (std::size_t lane = 0; lane < kNodeLanes; ++lane) {
    core_detail::prefetch_line(reinterpret_cast<const std::byte*>(out) + slots[lane] * sizeof(Matrix34));
  }
}

void StoreMatrices(const WorldLanes& lanes, Matrix34* out) {
  AskForMatrices(NodesAhead::of(lanes), out);
  constexpr std::size_t kMatrixFloats = sizeof(Matrix34) / sizeof(float);
  constexpr std::uint32_t kAll = (std::uint32_t{1} << kNodes) - 1;
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    const std::uint32_t mask = lanes.mask() >> n & kAll;
    if (mask == 0) {
      continue;
    }
    const MatrixRows matrices = MatricesOf(lanes, n);
    if (mask == kAll) {
      for (std::size_t row = 0; row < 3; ++row) {
        StoreColumns<kMatrixFloats>(matrices.row[row], &out->m[row][0], Targets{&lanes.slots()[n]});
      }
    } else {
      Matrix34 some[kNodes];
      for (std::size_t row = 0; row < 3; ++row) {
        StoreColumns<kMatrixFloats>(matrices.row[row], &some->m[row][0], InRow{0});
      }
      for (std::size_t lane = 0; lane < kNodes; ++lane) {
        if ((mask >> lane & 1) != 0) {
          out[lanes.slots()[n + lane]] = some[lane];
        }
      }
    }
  }
}
#else
void StoreMatrices(const WorldLanes& lanes, Matrix34* out) {
  store_matrices_reference(lanes, out);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta {
namespace transform_detail {

JUXTA_KERNEL(LoadTransforms);
JUXTA_KERNEL(StoreTransforms);
JUXTA_KERNEL(LoadGroups);
JUXTA_KERNEL(StoreGroups);
JUXTA_KERNEL(LoadCold);
JUXTA_KERNEL(UnfitLanes);
JUXTA_KERNEL(StoreMatrices);

void load_transforms(const LocalTransform* rows, NodeFields fields, TransformLanes& out) noexcept {
  JUXTA_CALL_KERNEL(LoadTransforms)(rows, fields, out);
}
void store_transforms(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) noexcept {
  JUXTA_CALL_KERNEL(StoreTransforms)(lanes, fields, rows);
}
void load_groups(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) noexcept {
  JUXTA_CALL_KERNEL(LoadGroups)(groups, fields, out);
}
void store_groups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) noexcept {
  JUXTA_CALL_KERNEL(StoreGroups)(lanes, fields, groups);
}
void load_cold(const Cold* rows, WorldLanes& out) noexcept {
  JUXTA_CALL_KERNEL(LoadCold)(rows, out);
}
NodeMask unfit_lanes(const TransformLanes& lanes) noexcept {
  return JUXTA_CALL_KERNEL(UnfitLanes)(lanes);
}
void store_matrices(const WorldLanes& lanes, Matrix34* out) noexcept {
  JUXTA_CALL_KERNEL(StoreMatrices)(lanes, out);
}

}  // namespace transform_detail
}  // namespace juxta
#endif
