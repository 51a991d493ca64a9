// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms from local ones: world = parent's world * local, along runs of rows, four rows at a time.
//
//   a row, 32 bytes           | qx qy qz qw | px py pz s |
//   four rows, two registers  | q0 | p0 | q1 | p1 |   | q2 | p2 | q3 | p3 |     (AVX-512; two rows on AVX2)
//   taken apart               | q0 | q2 | q1 | q3 |   | p0 | p2 | p1 | p3 |     a row per 128 bits: no
//   transposing, their parents             four loads of 32 bytes from rows of the same tile, any rows
//
// Per row:      49 multiplications and additions and about 20 shuffles, as a quarter of a register each: some
//               7 cycles on a machine with one 512-bit shuffle a cycle. 36 bytes read and 64 moved for the
//               write.
//
// Limit:        memory: 100 bytes a row where nothing is in the cache, 5 ns; in the cache, shuffles.
//
// Determinism:  a row's lanes never meet another row's. Every sum has the order of qvvs.h, nothing is fused,
//               and rotations are renormalised by one Newton step: no square root, no division, no estimate.
//
// A run never reaches into the children of its own rows (Tile::first_child), so no row waits for another one
// of its register, and no tail is special: what is left over after four is done by two and by one.

#include "transform/sweep_kernel.h"

#include <algorithm>

#include "juxta/math/qvvs.h"
#include "transform/end_of_run.h"
#include "transform/lane_sweep_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/sweep_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "transform/row_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The most rows that one register holds.
inline constexpr std::size_t kLanesOfRows = hn::MaxLanes(hn::CappedTag<float, 16>()) / 4;

/// 128 bits from each of N places, in the order of Apart(): loads and blends, which no shuffle waits for.
template <std::size_t N>
HWY_INLINE hn::Vec<RowTag<N>> Collect(const float* a, const float* b, const float* c, const float* e) {
  const RowTag<N> d;
  if constexpr (N == 1) {
    return hn::LoadU(d, a);
  } else if constexpr (N == 2) {
    const RowTag<1> half;
    return hn::Combine(d, hn::LoadU(half, b), hn::LoadU(half, a));
  } else {
    const auto lower = hn::IfThenElse(hn::FirstN(d, 4), hn::LoadDup128(d, a), hn::LoadDup128(d, c));
    const auto upper = hn::IfThenElse(hn::FirstN(d, 12), hn::LoadDup128(d, b), hn::LoadDup128(d, e));
    return hn::IfThenElse(hn::FirstN(d, 8), lower, upper);
  }
}

/// The world transforms of the parents of N rows.
template <std::size_t N>
HWY_INLINE Rows<N> LoadParents(const HotWorld* world, const std::uint32_t* parent) {
  const auto at = [&](std::size_t i)
                      HWY_ATTR { return &world[parent[i < N ? i : 0] & kParentRow].rotation.x; };
  const float *a = at(0), *b = at(1), *c = at(2), *e = at(3);
  return {Collect<N>(a, b, c, e), Collect<N>(a + 4, b + 4, c + 4, e + 4)};
}

/// The stretches of the parents of N rows, and 1 in lane 3.
template <std::size_t N>
HWY_INLINE hn::Vec<RowTag<N>> LoadStretches(const Cold* cold, const std::uint32_t* parent) {
  const RowTag<N> d;
  const auto at = [&](std::size_t i) HWY_ATTR { return &cold[parent[i < N ? i : 0] & kParentRow].stretch.x; };
  const hn::Repartition<std::uint32_t, RowTag<N>> words;
  alignas(16) static constexpr std::uint32_t kXyz[4] = {~0U, ~0U, ~0U, 0};
  const auto xyz = hn::MaskFromVec(hn::BitCast(d, hn::LoadDup128(words, kXyz)));
  return hn::IfThenElse(xyz, Collect<N>(at(0), at(1), at(2), at(3)), hn::Set(d, 1.0F));
}

/// One row in each of N.
template <std::size_t N>
HWY_INLINE Rows<N> SplatRow(const HotWorld& world) {
  const RowTag<N> d;
  return {hn::LoadDup128(d, &world.rotation.x), hn::LoadDup128(d, &world.position.x)};
}

/// Gathers NaN where a number is not finite, and 0 elsewhere: for each number of rows at a time.
struct Seen {
  HWY_INLINE Seen()
      : most(hn::Zero(RowTag<kLanesOfRows>())), two(hn::Zero(RowTag<2>())), one(hn::Zero(RowTag<1>())) {}
  hn::Vec<RowTag<kLanesOfRows>> most;
  hn::Vec<RowTag<2>> two;
  hn::Vec<RowTag<1>> one;

  template <std::size_t N>
  HWY_INLINE void See(hn::Vec<RowTag<N>> ps) {
    if constexpr (N == kLanesOfRows) {
      most = hn::Or(most, hn::Sub(ps, ps));
    } else if constexpr (N == 2) {
      two = hn::Or(two, hn::Sub(ps, ps));
    } else {
      one = hn::Or(one, hn::Sub(ps, ps));
    }
  }
  HWY_INLINE bool Bad() const { return !(IsZero<kLanesOfRows>(most) && IsZero<2>(two) && IsZero<1>(one)); }
};

/// Rows from `row` on, N at a time while N are left; the first that is not done.
template <std::size_t N>
HWY_INLINE std::uint32_t SweepFollowing(Tile& tile, std::uint32_t row, std::uint32_t last, Seen& seen) {
  for (; row + N <= last; row += N) {
    const std::uint32_t* parent = &tile.parent[row];
    std::uint32_t any = parent[0];
    for (std::size_t i = 1; i < N; ++i) {
      any |= parent[i];
    }
    Rows<N> own = LoadRows<N>(&tile.local.rows()[row]);
    if (HWY_UNLIKELY((any & kParentStretched) != 0)) {
      own.ps = hn::Mul(own.ps, LoadStretches<N>(tile.cold.data(), parent));
    }
    const Rows<N> world = Multiply<N>(LoadParents<N>(tile.world.rows(), parent), own.q, own.ps);
    seen.See<N>(world.ps);
    StoreRows<N>(world, &tile.world.rows()[row]);
  }
  return row;
}

/// Rows whose world transform is their local one: root_world().
template <std::size_t N>
HWY_INLINE std::uint32_t SweepRoots(Tile& tile, std::uint32_t row, std::uint32_t last) {
  for (; row + N <= last; row += N) {
    Rows<N> rows = LoadRows<N>(&tile.local.rows()[row]);
    rows.q = Renormalize(RowTag<N>(), rows.q);
    StoreRows<N>(rows, &tile.world.rows()[row]);
  }
  return row;
}

/// Rows that have one parent, which stands elsewhere.
template <std::size_t N>
HWY_INLINE std::uint32_t SweepLinked(Tile& tile, const Frame& frame, std::uint32_t row, std::uint32_t last,
                                     Seen& seen) {
  const RowTag<N> d;
  const Rows<N> parent = SplatRow<N>(frame.world);
  alignas(16) const float factors[4] = {frame.stretch.x, frame.stretch.y, frame.stretch.z, 1};
  const auto stretch = hn::LoadDup128(d, factors);
  for (; row + N <= last; row += N) {
    const Rows<N> own = LoadRows<N>(&tile.local.rows()[row]);
    const Rows<N> world = Multiply<N>(parent, own.q, hn::Mul(own.ps, stretch));
    seen.See<N>(world.ps);
    StoreRows<N>(world, &tile.world.rows()[row]);
  }
  return row;
}

HWY_INLINE void SweepRun(Tile& tile, std::uint32_t row, std::uint32_t last, Seen& seen) {
  row = SweepFollowing<kLanesOfRows>(tile, row, last, seen);
  if constexpr (kLanesOfRows > 2) {
    row = SweepFollowing<2>(tile, row, last, seen);
  }
  if constexpr (kLanesOfRows > 1) {
    SweepFollowing<1>(tile, row, last, seen);
  }
}

HWY_INLINE void SweepRootRun(Tile& tile, std::uint32_t row, std::uint32_t last) {
  row = SweepRoots<kLanesOfRows>(tile, row, last);
  if constexpr (kLanesOfRows > 1) {
    SweepRoots<1>(tile, row, last);
  }
}

HWY_INLINE void SweepLinkedRun(Tile& tile, const Frame& frame, std::uint32_t row, std::uint32_t last,
                               Seen& seen) {
  row = SweepLinked<kLanesOfRows>(tile, frame, row, last, seen);
  if constexpr (kLanesOfRows > 1) {
    SweepLinked<1>(tile, frame, row, last, seen);
  }
}

/// Careful: looks after each run, and puts what is not finite at its parents. Else: true when something was
/// not finite.
template <bool kCareful>
bool SweepMarks(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                Overflow& overflow) {
  Seen seen;
  const auto look = [&](const Frame* frame, std::uint32_t row, std::uint32_t last) HWY_ATTR {
    if (kCareful && HWY_UNLIKELY(seen.Bad())) {
      put_at_parents(frame, tile, row, last, overflow);
      seen = Seen();
    }
  };
  for (std::uint32_t row = marks.next(0); row < kTileRows;) {
    std::uint32_t last = row + 1;
    if (tile.special().test(row)) {
      if (!calls.follow_row(store, tile, row)) {
        overflow.add(row);
      }
    } else if (tile.linked.test(row)) {
      const std::uint32_t link = tile.parent[row];
      const std::uint32_t end = end_of_run<true>(tile, marks, row);
      while (last < end && tile.parent[last] == link) {
        ++last;
      }
      if (link == 0) {
        SweepRootRun(tile, row, last);
      } else {
        const Frame frame = calls.frame_of(store, link);
        SweepLinkedRun(tile, frame, row, last, seen);
        look(&frame, row, last);
      }
    } else {
      last = std::min<std::uint32_t>(end_of_run<false>(tile, marks, row), tile.first_child[row]);
      SweepRun(tile, row, last, seen);
      look(nullptr, row, last);
    }
    row = marks.next(last);
  }
  return seen.Bad();
}

/// Rows without flags may be computed twice: so one look at the end is enough, and hardly any tile is
/// computed again. Flags rewrite local transforms: there each run is looked at.
Overflow Sweep(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks) {
  Overflow overflow;
  std::uint64_t special = 0;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    special |= marks.words[w] & tile.special().words[w];
  }
  if (special != 0 || HWY_UNLIKELY(SweepMarks<false>(store, calls, tile, marks, overflow))) {
    SweepMarks<true>(store, calls, tile, marks, overflow);
  }
  return overflow;
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(Sweep);

void put_at_parents(const Frame* frame, Tile& tile, std::uint32_t row, std::uint32_t last,
                    Overflow& overflow) noexcept {
  for (; row < last; ++row) {
    if (!is_finite_place(tile.world_at(row))) {
      tile.put_world(row, frame != nullptr ? frame->world : tile.world_at(tile.parent_row(row)));
      overflow.add(row);
    }
  }
}

Overflow sweep(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
               MaskWords words) noexcept {
  return tile.lanes ? sweep_lanes(store, calls, tile, marks, words)
                    : JUXTA_CALL_KERNEL(Sweep)(store, calls, tile, marks);
}

Overflow sweep_reference(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                         const RowMask& marks) noexcept {
  Overflow overflow;
  for (std::uint32_t row = marks.next(0); row < kTileRows; row = marks.next(row + 1)) {
    if (tile.special().test(row)) {
      if (!calls.follow_row(store, tile, row)) {
        overflow.add(row);
      }
      continue;
    }
    Frame frame;
    if (tile.linked.test(row) && tile.parent[row] == 0) {
      tile.put_world(row, root_world(tile.local_at(row)));
      continue;
    }
    if (tile.linked.test(row)) {
      frame = calls.frame_of(store, tile.parent[row]);
    } else {
      const std::uint32_t up = tile.parent_row(row);
      frame = {tile.world_at(up), tile.stretch_of(up)};
    }
    const Qvvs parent{frame.world.rotation, frame.world.position, 0, frame.stretch, frame.world.scale};
    const Qvvs world = mul(parent, tile.local_at(row));
    const HotWorld hot{world.rotation, world.position, world.scale};
    tile.put_world(row, is_finite_place(hot) ? hot : frame.world);
    if (!is_finite_place(hot)) {
      overflow.add(row);
    }
  }
  return overflow;
}

}  // namespace juxta::transform_detail
#endif
