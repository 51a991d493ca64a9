// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World boxes of many nodes, a node a lane: eight at once on AVX-512, else four.
//
//   node, 48 bytes   | x y z w | px py pz c | sx sy sz s |      box, 24 bytes   | lo lo lo hi | hi hi
//                         rows of four floats are transposed                          | lo hi hi hi |
//   lanes            x | n0 n1 n2 .. |   y | n0 n1 n2 .. |  ..  hi[2] | n0 n1 n2 .. |
//
//   all unrotated      position + size * side, rounded outwards (box_sides-inl.h)
//   all axes to axes   the same, after sides and stretches have changed places
//   all others         the matrix in double, and the slack
//   mixed kinds        two lists of indices, computed when one has enough for a register
//
// Per node:     unrotated 5 loads of 16 bytes and 6 sums; without AVX-512, or where scale * stretch is not a
//               float, 13 conversions to double unless its size is 1;
//               rotated about 90 sums and 45 products in double. 72 bytes read, 24 written.
//
// Limit:        conversions and transposing, 6 to 11 cycles an unrotated node; sums in double, 25 cycles a
//               rotated one. Beyond the caches memory: at a million nodes 6 ns.
//
// Determinism:  exact sides have one right answer, which AVX-512 reaches by fused operations with the right
//               rounding. The others take the operations of turned_box() in the same order, in double.
#include "transform/world_boxes_kernel.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "juxta/transform/world_boxes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/world_boxes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#if HWY_HAVE_FLOAT64
#include "transform/box_sides-inl.h"
#include "transform/node_lanes-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

#if HWY_HAVE_FLOAT64
using namespace core_detail::HWY_NAMESPACE;

struct Arrays {
  const Qvvs* nodes;
  const Aabb3* local;
  Aabb3* out;
};

/// Whether all rotations are (0, 0, 0, 1) or (0, 0, 0, -1). MapsAxes() finds those of another length.
template <class Lanes>
HWY_INLINE bool NoneIsTurned(const Qvvs* nodes, const Lanes& lanes) {
  const hn::Full128<std::int32_t> d;
  alignas(16) static constexpr std::int32_t kNone[4] = {0, 0, 0, 0x3F800000};
  const auto none = hn::Load(d, kNone);
  auto differs = hn::Zero(d);
  for (std::size_t i = 0; i < kNodes; ++i) {
    const auto q = hn::BitCast(d, hn::LoadU(hn::Full128<float>(), &nodes[lanes[i]].rotation.x));
    differs = hn::Or(differs, hn::Xor(q, none));
  }
  return hn::AllTrue(d, hn::Eq(hn::Add(differs, differs), hn::Zero(d)));
}

/// maps_axes() of world_boxes.cpp.
HWY_INLINE Mask MapsAxes(const Rotations& q) {
  const FloatTag d;
  const WordTag words;
  const Floats x = hn::Abs(q.x), y = hn::Abs(q.y), z = hn::Abs(q.z), w = hn::Abs(q.w);
  const Floats size = hn::Max(hn::Max(x, y), hn::Max(z, w)), zero = hn::Zero(d);
  Mask fits = hn::Gt(size, zero);
  Words zeros = hn::Zero(words);  // counted downwards
  for (const Floats& v : {x, y, z, w}) {
    const Mask is_zero = hn::Eq(v, zero);
    fits = hn::And(fits, hn::Or(is_zero, hn::Eq(v, size)));
    zeros = hn::Add(zeros, hn::BitCast(words, hn::VecFromMask(d, is_zero)));
  }
  return hn::And(fits, hn::RebindMask(d, hn::Ne(zeros, hn::Set(words, -1))));
}

/// The rules of world_box() for empty boxes and for results that are not finite.
HWY_INLINE void Mend(const Sides& local, Sides& out) {
  const FloatTag d;
  Floats beyond = hn::Zero(d);
  Mask full = hn::Le(local.lo[0], local.hi[0]);
  for (int axis = 0; axis < 3; ++axis) {
    // NaN where a side is not finite, else 0.
    beyond = hn::Or(beyond, hn::Or(hn::Sub(out.lo[axis], out.lo[axis]), hn::Sub(out.hi[axis], out.hi[axis])));
    full = hn::And(full, hn::Le(local.lo[axis], local.hi[axis]));
  }
  const Mask good = hn::And(full, hn::Eq(beyond, hn::Zero(d)));
  if (HWY_LIKELY(hn::AllTrue(d, good))) {
    return;
  }
  const Floats infinity = hn::Set(d, std::numeric_limits<float>::infinity());
  const Floats high = hn::IfThenElse(full, infinity, hn::Neg(infinity)), low = hn::Neg(high);
  for (int axis = 0; axis < 3; ++axis) {
    out.lo[axis] = hn::IfThenElse(good, out.lo[axis], low);
    out.hi[axis] = hn::IfThenElse(good, out.hi[axis], high);
  }
}

enum class Kind : std::uint8_t { kUnturned, kMapped, kTurned };

/// All of one kind.
template <Kind kKind, class Lanes>
HWY_INLINE void BoxNodesOf(const Arrays& arrays, const Lanes& lanes) {
  const Places places = LoadPlaces(arrays.nodes, lanes);
  const Sides local = LoadSides(arrays.local, lanes);
  Sides out;
  if constexpr (kKind == Kind::kUnturned) {
    out = StraightSides(places, local);
  } else {
    const Rotations q = LoadRotations(arrays.nodes, lanes);
    out = kKind == Kind::kMapped ? MappedSides(q, places, local) : TurnedSides(q, places, local);
  }
  Mend(local, out);
  StoreSides(out, arrays.out, lanes);
}

using List = const std::size_t*;

HWY_NOINLINE void BoxMapped(const Arrays& arrays, List lanes) {
  if (NoneIsTurned(arrays.nodes, lanes)) {
    BoxNodesOf<Kind::kUnturned>(arrays, lanes);
  } else {
    BoxNodesOf<Kind::kMapped>(arrays, lanes);
  }
}
HWY_NOINLINE void BoxTurned(const Arrays& arrays, List lanes) {
  BoxNodesOf<Kind::kTurned>(arrays, lanes);
}

/// Nodes of one kind that do not fill a register yet.
struct Waiting {
  std::size_t nodes[2 * kNodes];
  std::size_t count = 0;

  /// The last kNodes, once there are so many.
  template <class Work>
  HWY_INLINE void WorkOff(const Arrays& arrays, Work work) {
    if (count >= kNodes) {
      count -= kNodes;
      work(arrays, nodes + count);
    }
  }
  /// All that are left; the last one is repeated in the unused lanes.
  template <class Work>
  HWY_INLINE void Finish(const Arrays& arrays, Work work) {
    if (count != 0) {
      std::fill(nodes + count, nodes + kNodes, nodes[count - 1]);
      work(arrays, nodes);
    }
  }
};

/// Sorts nodes of mixed kinds.
struct Sorter {
  Waiting mapped, turned;

  HWY_INLINE void Put(std::uint32_t maps, const std::size_t* lanes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t is_mapped = maps >> i & 1;
      mapped.nodes[mapped.count] = turned.nodes[turned.count] = lanes[i];
      mapped.count += is_mapped;
      turned.count += 1 - is_mapped;
    }
  }
};

void BoxNodes(const Qvvs* nodes, const Aabb3* local, Aabb3* out, std::size_t count) {
  constexpr std::uint32_t kAll = (1U << kNodes) - 1;
  const Arrays arrays{nodes, local, out};
  Sorter sorter;
  for (std::size_t i = 0; i < count; i += kNodes) {
    const std::size_t valid = std::min(count - i, kNodes);
    const InRow row{i};
    if (HWY_LIKELY(valid == kNodes)) {
      if (NoneIsTurned(nodes, row)) {
        BoxNodesOf<Kind::kUnturned>(arrays, row);
        continue;
      }
    }
    std::size_t lanes[kNodes];
    for (std::size_t k = 0; k < kNodes; ++k) {
      lanes[k] = i + std::min(k, valid - 1);
    }
    const std::uint32_t maps = BitsOf(FloatTag(), MapsAxes(LoadRotations(nodes, lanes)));
    if (valid == kNodes && maps == 0) {
      BoxNodesOf<Kind::kTurned>(arrays, row);
    } else if (valid == kNodes && maps == kAll) {
      BoxNodesOf<Kind::kMapped>(arrays, row);
    } else {
      sorter.Put(maps, lanes, valid);
      sorter.mapped.WorkOff(arrays, BoxMapped);
      sorter.turned.WorkOff(arrays, BoxTurned);
    }
  }
  sorter.mapped.Finish(arrays, BoxMapped);
  sorter.turned.Finish(arrays, BoxTurned);
}
#else
void BoxNodes(const Qvvs* nodes, const Aabb3* local, Aabb3* out, std::size_t count) {
  box_nodes_reference(nodes, local, out, count);
}
#endif

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(BoxNodes);

void box_nodes(const Qvvs* transforms, const Aabb3* local, Aabb3* out, std::size_t count) noexcept {
  JUXTA_CALL_KERNEL(BoxNodes)(transforms, local, out, count);
}

void box_nodes_reference(const Qvvs* transforms, const Aabb3* local, Aabb3* out, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = world_box(transforms[i], local[i]);
  }
}

}  // namespace juxta::transform_detail
#endif
