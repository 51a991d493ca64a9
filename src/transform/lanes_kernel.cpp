// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen rows of a tile into arrays of a number each, and back.
//
//   rows, 32 bytes    | qx qy qz qw | px py pz s |         lanes     qx | r0 r1 r2 .. r15 |
//                     | qx qy qz qw | px py pz s |   <-->            qy | r0 r1 r2 .. r15 |
//                       ...                                          .. |                 |
//
//   vectors of four floats from four (AVX-512: eight) rows are transposed in blocks of 128 bits
//
// Per row:      2 loads and 2 shuffles in, 2 shuffles and 2 stores out: about 1 ns each way.
//
// Limit:        shuffles in the caches; beyond them memory, 32 bytes a row.
//
// Determinism:  bits are moved. Matrices take the operations of to_matrix34() in the same order, nothing
//               fused.
#include "transform/lanes_kernel.h"

#include "transform/store.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/lanes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#if HWY_HAVE_FLOAT64
#include "transform/node_lanes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64
using namespace core_detail::HWY_NAMESPACE;

inline constexpr std::size_t kRowFloats = sizeof(LocalTransform) / sizeof(float);
inline constexpr std::size_t kColdFloats = sizeof(Cold) / sizeof(float);

HWY_INLINE void Put(const Four& columns, float* a, float* b, float* c, float* e) {
  const FloatTag d;
  hn::Store(columns.a, d, a);
  hn::Store(columns.b, d, b);
  hn::Store(columns.c, d, c);
  hn::Store(columns.e, d, e);
}
HWY_INLINE Four Get(const float* a, const float* b, const float* c, const float* e) {
  const FloatTag d;
  return {hn::Load(d, a), hn::Load(d, b), hn::Load(d, c), hn::Load(d, e)};
}
/// (0, 0, 0, 1): of a rotation, and of position and scale.
HWY_INLINE Four Identity() {
  const FloatTag d;
  return {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Set(d, 1.0F)};
}

void LoadTransforms(const LocalTransform* rows, NodeFields fields, TransformLanes& out) {
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    Put(has(fields, NodeFields::kRotation) ? LoadColumns<kRowFloats>(&rows->rotation.x, InRow{n})
                                           : Identity(),
        out.qx + n, out.qy + n, out.qz + n, out.qw + n);
    Put(has(fields, NodeFields::kPlace) ? LoadColumns<kRowFloats>(&rows->position.x, InRow{n}) : Identity(),
        out.x + n, out.y + n, out.z + n, out.scale + n);
  }
}

void StoreTransforms(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) {
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    if (has(fields, NodeFields::kRotation)) {
      StoreColumns<kRowFloats>(Get(lanes.qx + n, lanes.qy + n, lanes.qz + n, lanes.qw + n), &rows->rotation.x,
                               InRow{n});
    }
    if (has(fields, NodeFields::kPlace)) {
      StoreColumns<kRowFloats>(Get(lanes.x + n, lanes.y + n, lanes.z + n, lanes.scale + n), &rows->position.x,
                               InRow{n});
    }
  }
}

/// Eight numbers of each of two groups are sixteen lanes.
using GroupTag = hn::CappedTag<float, kGroupRows>;
inline constexpr std::size_t kGroupStep = hn::MaxLanes(GroupTag());
static_assert(kNodeLanes == 2 * kGroupRows);

HWY_INLINE void CopyColumns(const float* const (&from)[4], float* const (&to)[4]) {
  const GroupTag d;
  for (std::size_t n = 0; n < kGroupRows; n += kGroupStep) {
    for (std::size_t c = 0; c < 4; ++c) {
      hn::Store(hn::Load(d, from[c] + n), d, to[c] + n);
    }
  }
}

void LoadGroups(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) {
  constexpr GroupTransforms kIdentity = {{}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1},
                                         {}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1}};
  for (std::size_t g = 0; g < 2; ++g) {
    const GroupTransforms& q = has(fields, NodeFields::kRotation) ? groups[g] : kIdentity;
    const GroupTransforms& p = has(fields, NodeFields::kPlace) ? groups[g] : kIdentity;
    const std::size_t at = g * kGroupRows;
    CopyColumns({q.qx, q.qy, q.qz, q.qw}, {out.qx + at, out.qy + at, out.qz + at, out.qw + at});
    CopyColumns({p.x, p.y, p.z, p.scale}, {out.x + at, out.y + at, out.z + at, out.scale + at});
  }
}

void StoreGroups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) {
  for (std::size_t g = 0; g < 2; ++g) {
    GroupTransforms& to = groups[g];
    const std::size_t at = g * kGroupRows;
    if (has(fields, NodeFields::kRotation)) {
      CopyColumns({lanes.qx + at, lanes.qy + at, lanes.qz + at, lanes.qw + at}, {to.qx, to.qy, to.qz, to.qw});
    }
    if (has(fields, NodeFields::kPlace)) {
      CopyColumns({lanes.x + at, lanes.y + at, lanes.z + at, lanes.scale + at}, {to.x, to.y, to.z, to.scale});
    }
  }
}

void LoadCold(const Cold* rows, WorldLanes& out) {
  const FloatTag d;
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    const Four s = LoadColumns<kColdFloats>(&rows->stretch.x, InRow{n});
    hn::Store(s.a, d, out.stretch_x + n);
    hn::Store(s.b, d, out.stretch_y + n);
    hn::Store(s.c, d, out.stretch_z + n);
    hn::Store(hn::BitCast(WordTag(), s.e), WordTag(), out.context + n);
  }
}

std::uint32_t UnfitLanes(const TransformLanes& lanes) {
  std::uint32_t unfit = 0;
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    const Mask fit = Fits(Get(lanes.qx + n, lanes.qy + n, lanes.qz + n, lanes.qw + n),
                          Get(lanes.x + n, lanes.y + n, lanes.z + n, lanes.scale + n));
    unfit |= BitsOf(FloatTag(), hn::Not(fit)) << n;
  }
  return unfit;
}

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

void StoreMatrices(const WorldLanes& lanes, Matrix34* out) {
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
void LoadTransforms(const LocalTransform* rows, NodeFields fields, TransformLanes& out) {
  load_transforms_reference(rows, fields, out);
}
void StoreTransforms(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) {
  store_transforms_reference(lanes, fields, rows);
}
void LoadGroups(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) {
  load_groups_reference(groups, fields, out);
}
void StoreGroups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) {
  store_groups_reference(lanes, fields, groups);
}
void LoadCold(const Cold* rows, WorldLanes& out) {
  load_cold_reference(rows, out);
}
std::uint32_t UnfitLanes(const TransformLanes& lanes) {
  return unfit_lanes_reference(lanes);
}
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
