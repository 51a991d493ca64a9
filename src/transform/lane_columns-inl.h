// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: sixteen rows of a tile into arrays of a number each, and back. For kernel files only.
//
//   rows, 32 bytes    | qx qy qz qw | px py pz s |         lanes     qx | r0 r1 r2 .. r15 |
//                     | qx qy qz qw | px py pz s |   <-->            qy | r0 r1 r2 .. r15 |
//                       ...                                          .. |                 |
//
//   vectors of four floats from four (AVX-512: eight) rows are transposed in blocks of 128 bits

#if defined(JUXTA_TRANSFORM_LANE_COLUMNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_LANE_COLUMNS_INL_H
#undef JUXTA_TRANSFORM_LANE_COLUMNS_INL_H
#else
#define JUXTA_TRANSFORM_LANE_COLUMNS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "transform/lanes_kernel.h"
#include "transform/store.h"
#if HWY_HAVE_FLOAT64
#include "transform/node_lanes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64
using namespace core_detail::HWY_NAMESPACE;

inline constexpr std::size_t kRowFloats = sizeof(LocalTransform) / sizeof(float);
inline constexpr std::size_t kColdFloats = sizeof(Cold) / sizeof(float);

/// What a system reads next: stored by whole registers, for a wider load would wait for narrower stores.
template <std::size_t kStored>
HWY_INLINE void PutWide(hn::Vec<hn::CappedTag<float, kStored>> low,
                        hn::Vec<hn::CappedTag<float, kStored>> high, float* at) {
  const hn::CappedTag<float, kStored> d;
  const hn::CappedTag<float, kNodeLanes> wide;
  if constexpr (hn::MaxLanes(wide) == 2 * hn::MaxLanes(d)) {
    hn::Store(hn::Combine(wide, high, low), wide, at);
  } else {
    hn::Store(low, d, at);
    hn::Store(high, d, at + hn::MaxLanes(d));
  }
}
HWY_INLINE void Put(const Four& low, const Four& high, float* a, float* b, float* c, float* e) {
  PutWide<kNodes>(low.a, high.a, a);
  PutWide<kNodes>(low.b, high.b, b);
  PutWide<kNodes>(low.c, high.c, c);
  PutWide<kNodes>(low.e, high.e, e);
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

HWY_INLINE void RowsToLanes(const LocalTransform* rows, NodeFields fields, TransformLanes& out) {
  const auto rotations = [&](std::size_t n) HWY_ATTR {
    return has(fields, NodeFields::kRotation) ? LoadColumns<kRowFloats>(&rows->rotation.x, InRow{n})
                                              : Identity();
  };
  const auto places = [&](std::size_t n) HWY_ATTR {
    return has(fields, NodeFields::kPlace) ? LoadColumns<kRowFloats>(&rows->position.x, InRow{n})
                                           : Identity();
  };
  for (std::size_t n = 0; n < kNodeLanes; n += 2 * kNodes) {
    Put(rotations(n), rotations(n + kNodes), out.qx + n, out.qy + n, out.qz + n, out.qw + n);
    Put(places(n), places(n + kNodes), out.x + n, out.y + n, out.z + n, out.scale + n);
  }
}

HWY_INLINE void LanesToRows(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) {
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

/// Eight numbers of a group, and the eight of the next one.
HWY_INLINE void BothToLanes(const float* low, const float* high, float* to) {
  const GroupTag d;
  if constexpr (kGroupStep == kGroupRows) {
    PutWide<kGroupRows>(hn::Load(d, low), hn::Load(d, high), to);
  } else {
    for (std::size_t n = 0; n < kGroupRows; n += kGroupStep) {
      hn::Store(hn::Load(d, low + n), d, to + n);
      hn::Store(hn::Load(d, high + n), d, to + kGroupRows + n);
    }
  }
}

HWY_INLINE void GroupsToLanes(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) {
  static constexpr GroupTransforms kIdentity[2] = {
      {{}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1}, {}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1}},
      {{}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1}, {}, {}, {}, {1, 1, 1, 1, 1, 1, 1, 1}}};
  const GroupTransforms* const q = has(fields, NodeFields::kRotation) ? groups : kIdentity;
  BothToLanes(q[0].qx, q[1].qx, out.qx);
  BothToLanes(q[0].qy, q[1].qy, out.qy);
  BothToLanes(q[0].qz, q[1].qz, out.qz);
  BothToLanes(q[0].qw, q[1].qw, out.qw);
  const GroupTransforms* const p = has(fields, NodeFields::kPlace) ? groups : kIdentity;
  BothToLanes(p[0].x, p[1].x, out.x);
  BothToLanes(p[0].y, p[1].y, out.y);
  BothToLanes(p[0].z, p[1].z, out.z);
  BothToLanes(p[0].scale, p[1].scale, out.scale);
}

HWY_INLINE void LanesToGroups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) {
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

HWY_INLINE void ColdToLanes(const Cold* rows, WorldLanes& out) {
  const FloatTag d;
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    const Four s = LoadColumns<kColdFloats>(&rows->stretch.x, InRow{n});
    hn::Store(s.a, d, out.stretch_x + n);
    hn::Store(s.b, d, out.stretch_y + n);
    hn::Store(s.c, d, out.stretch_z + n);
    hn::Store(hn::BitCast(WordTag(), s.e), WordTag(), out.context + n);
  }
}

HWY_INLINE std::uint32_t NotKept(const TransformLanes& lanes) {
  std::uint32_t unfit = 0;
  for (std::size_t n = 0; n < kNodeLanes; n += kNodes) {
    const Mask fit = Fits(Get(lanes.qx + n, lanes.qy + n, lanes.qz + n, lanes.qw + n),
                          Get(lanes.x + n, lanes.y + n, lanes.z + n, lanes.scale + n));
    unfit |= BitsOf(FloatTag(), hn::Not(fit)) << n;
  }
  return unfit;
}

#else
HWY_INLINE void RowsToLanes(const LocalTransform* rows, NodeFields fields, TransformLanes& out) {
  load_transforms_reference(rows, fields, out);
}
HWY_INLINE void LanesToRows(const TransformLanes& lanes, NodeFields fields, LocalTransform* rows) {
  store_transforms_reference(lanes, fields, rows);
}
HWY_INLINE void GroupsToLanes(const GroupTransforms* groups, NodeFields fields, TransformLanes& out) {
  load_groups_reference(groups, fields, out);
}
HWY_INLINE void LanesToGroups(const TransformLanes& lanes, NodeFields fields, GroupTransforms* groups) {
  store_groups_reference(lanes, fields, groups);
}
HWY_INLINE void ColdToLanes(const Cold* rows, WorldLanes& out) {
  load_cold_reference(rows, out);
}
HWY_INLINE std::uint32_t NotKept(const TransformLanes& lanes) {
  return unfit_lanes_reference(lanes);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
