// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: nodes and boxes in lanes, a node a lane. For kernel files only.

#if defined(JUXTA_TRANSFORM_NODE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_NODE_LANES_INL_H
#undef JUXTA_TRANSFORM_NODE_LANES_INL_H
#else
#define JUXTA_TRANSFORM_NODE_LANES_INL_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/simd/blocks-inl.h"
#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"
#include "transform/store.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Nodes at once: as many as one register has doubles, and at least a block of 128 bits.
inline constexpr std::size_t kNodes = std::max<std::size_t>(4, hn::MaxLanes(hn::CappedTag<double, 8>()));
using FloatTag = hn::CappedTag<float, kNodes>;
using WordTag = hn::RebindToSigned<FloatTag>;
using DoubleTag = hn::CappedTag<double, kNodes>;
using LongTag = hn::RebindToSigned<DoubleTag>;
using PartTag = hn::Rebind<float, DoubleTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<WordTag>;
using Doubles = hn::Vec<DoubleTag>;
using PartFloats = hn::Vec<PartTag>;
using Mask = hn::Mask<FloatTag>;

/// The floats of a register as doubles take so many registers: 1, or 2 of 128 bits.
inline constexpr int kParts = static_cast<int>(kNodes / hn::MaxLanes(DoubleTag()));

template <class V>
HWY_INLINE PartFloats PartOf(V v, int part) {
  if constexpr (kParts == 1) {
    return v;
  } else {
    return part == 0 ? hn::LowerHalf(PartTag(), v) : hn::UpperHalf(PartTag(), v);
  }
}
HWY_INLINE Doubles Wide(Floats v, int part) {
  return hn::PromoteTo(DoubleTag(), PartOf(v, part));
}
template <class V>
HWY_INLINE Floats Join(const V* parts) {
  if constexpr (kParts == 1) {
    return parts[0];
  } else {
    return hn::Combine(FloatTag(), parts[1], parts[0]);
  }
}

/// The signs of doubles as -1 (negative) and 0.
template <class V>
HWY_INLINE Words Signs(const V* parts) {
  const WordTag words;
  if constexpr (kParts == 1) {
    const hn::Repartition<std::uint64_t, DoubleTag> longs;
    const auto upper = hn::ShiftRight<32>(hn::BitCast(longs, parts[0]));
    return hn::ShiftRight<31>(hn::BitCast(words, hn::TruncateTo(hn::RebindToUnsigned<WordTag>(), upper)));
  } else {
    return hn::ShiftRight<31>(
        hn::ConcatOdd(words, hn::BitCast(words, parts[1]), hn::BitCast(words, parts[0])));
  }
}

/// kNodes nodes in a row from `first` on.
struct InRow {
  std::size_t first;
  HWY_INLINE std::size_t operator[](std::size_t lane) const { return first + lane; }
};

struct Sides {
  Floats lo[3], hi[3];
};
struct Places {
  Floats position[3], stretch[3], scale;
};
struct Rotations {
  Floats x, y, z, w;
};
/// Four columns, or four rows.
struct Four {
  Floats a, b, c, e;
};

/// Rows to columns and back, in each block of 128 bits.
HWY_INLINE Four Transpose(const Four& r) {
  Floats v[4] = {r.a, r.b, r.c, r.e};
  core_detail::HWY_NAMESPACE::TurnBlocks(FloatTag(), v);
  return {v[0], v[1], v[2], v[3]};
}

/// Four columns of structs that begin with `column`, at floats * lanes[i] from each other.
template <std::size_t kFloats, class Lanes>
HWY_INLINE Four LoadColumns(const float* column, const Lanes& lanes) {
  const FloatTag d;
  const auto row = [&](std::size_t i) HWY_ATTR {
    if constexpr (kNodes == 4) {
      return hn::LoadU(d, column + kFloats * lanes[i]);
    } else {
      const hn::Half<FloatTag> half;
      return hn::Combine(d, hn::LoadU(half, column + kFloats * lanes[i + 4]),
                         hn::LoadU(half, column + kFloats * lanes[i]));
    }
  };
  return Transpose({row(0), row(1), row(2), row(3)});
}

template <std::size_t kFloats, class Lanes>
HWY_INLINE void StoreColumns(const Four& columns, float* column, const Lanes& lanes) {
  const Four rows = Transpose(columns);
  const auto store = [&](Floats row, std::size_t i) HWY_ATTR {
    if constexpr (kNodes == 4) {
      hn::StoreU(row, FloatTag(), column + kFloats * lanes[i]);
    } else {
      const hn::Half<FloatTag> half;
      hn::StoreU(hn::LowerHalf(half, row), half, column + kFloats * lanes[i]);
      hn::StoreU(hn::UpperHalf(half, row), half, column + kFloats * lanes[i + 4]);
    }
  };
  store(rows.a, 0);
  store(rows.b, 1);
  store(rows.c, 2);
  store(rows.e, 3);
}

/// Local transforms that the store keeps as they are: kept_as_it_is() of store.h. `place`: position and
/// scale.
HWY_INLINE Mask Fits(const Four& q, const Four& place) {
  const FloatTag d;
  const Floats squared =  // the order of length_squared(Quat)
      hn::Add(hn::Add(hn::Mul(q.a, q.a), hn::Mul(q.b, q.b)), hn::Add(hn::Mul(q.c, q.c), hn::Mul(q.e, q.e)));
  const Floats gone = hn::Add(hn::Add(hn::Sub(place.a, place.a), hn::Sub(place.b, place.b)),
                              hn::Sub(place.c, place.c));  // NaN where a number is not finite
  const Floats zero = hn::Zero(d), most = hn::Set(d, std::numeric_limits<float>::max());
  return hn::And(hn::And(hn::Gt(squared, hn::Set(d, kLeastSquare)), hn::Lt(squared, hn::Set(d, kMostSquare))),
                 hn::And(hn::Eq(gone, zero), hn::And(hn::Gt(place.e, zero), hn::Le(place.e, most))));
}

inline constexpr std::size_t kNodeFloats = sizeof(Qvvs) / sizeof(float);
inline constexpr std::size_t kBoxFloats = sizeof(Aabb3) / sizeof(float);

template <class Lanes>
HWY_INLINE Rotations LoadRotations(const Qvvs* nodes, const Lanes& lanes) {
  const Four q = LoadColumns<kNodeFloats>(&nodes->rotation.x, lanes);
  return {q.a, q.b, q.c, q.e};
}

template <class Lanes>
HWY_INLINE Places LoadPlaces(const Qvvs* nodes, const Lanes& lanes) {
  const Four p = LoadColumns<kNodeFloats>(&nodes->position.x, lanes);
  const Four s = LoadColumns<kNodeFloats>(&nodes->stretch.x, lanes);
  return {{p.a, p.b, p.c}, {s.a, s.b, s.c}, s.e};
}

/// Of 24 bytes the first 16 and the last 16: nothing beyond a box is read or written.
template <class Lanes>
HWY_INLINE Sides LoadSides(const Aabb3* boxes, const Lanes& lanes) {
  const float* at = &boxes->lo.x;
  const Four first = LoadColumns<kBoxFloats>(at, lanes), last = LoadColumns<kBoxFloats>(at + 2, lanes);
  return {{first.a, first.b, first.c}, {first.e, last.c, last.e}};
}

template <class Lanes>
HWY_INLINE void StoreSides(const Sides& s, Aabb3* boxes, const Lanes& lanes) {
  float* at = &boxes->lo.x;
  StoreColumns<kBoxFloats>({s.lo[0], s.lo[1], s.lo[2], s.hi[0]}, at, lanes);
  StoreColumns<kBoxFloats>({s.lo[2], s.hi[0], s.hi[1], s.hi[2]}, at + 2, lanes);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
