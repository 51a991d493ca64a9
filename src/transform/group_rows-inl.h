// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the transforms of a group, a number a register, from and to its eight rows. For kernel files
// only.
//
//   row 0 .. 7   | qx qy qz qw | x y z s |           qx | r0 .. r7 |
//                | qx qy qz qw | x y z s |    <->    qy | r0 .. r7 |
//                  ..                                ..
//
// Per group:    24 shuffles each way with registers of eight numbers, 32 with four.

#if defined(JUXTA_TRANSFORM_GROUP_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_GROUP_ROWS_INL_H
#undef JUXTA_TRANSFORM_GROUP_ROWS_INL_H
#else
#define JUXTA_TRANSFORM_GROUP_ROWS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/blocks-inl.h"
#include "hwy/highway.h"
#include "transform/tile.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::CappedTag<float, kGroupRows>;
using LaneWordTag = hn::RebindToSigned<LaneTag>;
using Lane = hn::Vec<LaneTag>;
using LaneWords = hn::Vec<LaneWordTag>;
inline constexpr std::size_t kLaneStep = hn::MaxLanes(LaneTag());

struct LaneQuat {
  Lane x, y, z, w;
};
struct LaneVec {
  Lane x, y, z;
};
struct LaneTransform {
  LaneQuat q;
  LaneVec p;
  Lane s;
};

HWY_INLINE LaneTransform LoadGroup(const GroupTransforms& group, std::size_t n) {
  const LaneTag d;
  return {{hn::Load(d, group.qx + n), hn::Load(d, group.qy + n), hn::Load(d, group.qz + n),
           hn::Load(d, group.qw + n)},
          {hn::Load(d, group.x + n), hn::Load(d, group.y + n), hn::Load(d, group.z + n)},
          hn::Load(d, group.scale + n)};
}
HWY_INLINE void StoreGroup(const LaneTransform& t, GroupTransforms& group, std::size_t n) {
  const LaneTag d;
  hn::Store(t.q.x, d, group.qx + n);
  hn::Store(t.q.y, d, group.qy + n);
  hn::Store(t.q.z, d, group.qz + n);
  hn::Store(t.q.w, d, group.qw + n);
  hn::Store(t.p.x, d, group.x + n);
  hn::Store(t.p.y, d, group.y + n);
  hn::Store(t.p.z, d, group.z + n);
  hn::Store(t.s, d, group.scale + n);
}

/// As many rows from `rows` on as a register has lanes.
HWY_INLINE LaneTransform LoadRowGroup(const LocalTransform* rows) {
  const LaneTag d;
  constexpr std::size_t kFar = 4 * sizeof(LocalTransform) / sizeof(float);
  Lane q[4], p[4];
  for (std::size_t i = 0; i < 4; ++i) {
    q[i] = core_detail::HWY_NAMESPACE::LoadBlocks(d, &rows[i].rotation.x, kFar);
    p[i] = core_detail::HWY_NAMESPACE::LoadBlocks(d, &rows[i].position.x, kFar);
  }
  core_detail::HWY_NAMESPACE::TurnBlocks(d, q);
  core_detail::HWY_NAMESPACE::TurnBlocks(d, p);
  return {{q[0], q[1], q[2], q[3]}, {p[0], p[1], p[2]}, p[3]};
}

/// Rows as halves of 16 bytes: q[i] is the rotation of row i and, with registers of eight numbers, of row
/// i + 4; p[i] place and scale.
struct RowHalves {
  Lane q[4], p[4];
  HWY_INLINE explicit RowHalves(const LaneTransform& t)
      : q{t.q.x, t.q.y, t.q.z, t.q.w}, p{t.p.x, t.p.y, t.p.z, t.s} {
    core_detail::HWY_NAMESPACE::TurnBlocks(LaneTag(), q);
    core_detail::HWY_NAMESPACE::TurnBlocks(LaneTag(), p);
  }
  /// Whole rows: row i, and row i + 4.
  HWY_INLINE Lane Low(std::size_t i) const { return hn::ConcatLowerLower(LaneTag(), p[i], q[i]); }
  HWY_INLINE Lane High(std::size_t i) const { return hn::ConcatUpperUpper(LaneTag(), p[i], q[i]); }
};

/// As many rows from `rows` on as a register has lanes.
HWY_INLINE void StoreRowGroup(const LaneTransform& t, LocalTransform* rows) {
  const RowHalves halves(t);
  const LaneTag d;
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (kLaneStep == kGroupRows) {
      hn::Store(halves.Low(i), d, &rows[i].rotation.x);
      hn::Store(halves.High(i), d, &rows[i + 4].rotation.x);
    } else {
      hn::Store(halves.q[i], d, &rows[i].rotation.x);
      hn::Store(halves.p[i], d, &rows[i].position.x);
    }
  }
}

/// The same for the rows whose bits are set: bit i is rows[i].
HWY_INLINE void StoreSomeRows(const LaneTransform& t, std::uint32_t chosen, LocalTransform* rows) {
  const RowHalves halves(t);
  const LaneTag d;
  for (std::size_t i = 0; i < 4; ++i) {
    if constexpr (kLaneStep == kGroupRows) {
      if ((chosen >> i & 1) != 0) {
        hn::Store(halves.Low(i), d, &rows[i].rotation.x);
      }
      if ((chosen >> i & 0x10) != 0) {
        hn::Store(halves.High(i), d, &rows[i + 4].rotation.x);
      }
    } else if ((chosen >> i & 1) != 0) {
      hn::Store(halves.q[i], d, &rows[i].rotation.x);
      hn::Store(halves.p[i], d, &rows[i].position.x);
    }
  }
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
