// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World transforms in a tile of lanes: eight trees of one shape side by side, a node of each at a time.
//
//   all rows        whole_lanes-inl.h: a short loop, which leaves them turned
//   many of them    a group at a time: lane_math-inl.h
//   few             a row at a time, 128 bits for each half of it: row_math-inl.h
//
// Per row:      of few, 49 multiplications and additions, and some 40 instructions to find it and its parent.
//
// Limit:        memory: 32 bytes a row read (hardly any where groups are alike: lane_tree.h), 64 moved for
//               the write. Of few rows, two lines of cache each.
//
// Rows that are linked take their parents from links. Rows with flags are computed one by one.
#include "transform/lane_sweep_kernel.h"

#include <bit>

#include "juxta/math/qvvs.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/lane_sweep_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "transform/row_math-inl.h"
#include "transform/whole_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

/// Rows that follow from a group of the tile.
void SweepFollowingLanes(Tile& tile, std::uint32_t group, std::uint32_t lanes, Overflow& overflow) {
  const std::uint32_t above = tile.group_above(group);
  GroupTransforms worlds;
  for (std::size_t n = 0; n < kGroupRows; n += kLaneStep) {
    StoreGroup(LoadGroup(tile.world, tile.world_turned.bits(), above, n), worlds, n);
  }
  Parents parents{&worlds};
  alignas(64) float stretches[3 * kGroupRows];
  if (HWY_UNLIKELY((Tile::lanes_of(tile.stretched(), above) & lanes) != 0)) {
    StretchesOfGroup(tile, above, stretches);
    parents.stretches = stretches;
  }
  if (HWY_UNLIKELY(AnyGone(SweepGroup(tile, group, lanes, parents)))) {
    put_lanes_at_parents(tile, group, lanes, worlds, overflow);
  }
}

/// Rows whose parents stand elsewhere, each its own.
void SweepLinkedLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, std::uint32_t group,
                      std::uint32_t lanes, LinkedParents& known, Overflow& overflow) {
  known.Take(store, calls, &tile.parent[group * kGroupRows], lanes);
  if (HWY_UNLIKELY(AnyGone(SweepGroup(tile, group, lanes, {&known.world, known.stretches})))) {
    put_lanes_at_parents(tile, group, lanes, known.world, overflow);
  }
}

/// Where few are computed, sixteen that are turned become rows; where many are, rows are turned. Not where
/// nodes of other tiles hang from one of them: another task may read it at this moment.
template <bool kToRows>
HWY_NOINLINE void TurnSixteenOf(Tile& tile, std::uint32_t group) {
  const std::uint32_t row = group * kGroupRows;
  constexpr std::uint64_t kSixteen = (std::uint64_t{1} << kTurnedRows) - 1;
  if ((tile.has_links().words[row / 64] >> row % 64 / kTurnedRows * kTurnedRows & kSixteen) != 0) {
    return;
  }
  if (Tile::has_turned(tile.world_turned.bits(), row) == kToRows) {
    TurnSixteen<kToRows>(tile.world, tile.world_turned, group);
  }
  if (Tile::has_turned(tile.local_turned.bits(), row) == kToRows && tile.lane_tree.alike[group] < kAlike) {
    TurnSixteen<kToRows>(tile.local, tile.local_turned, group);
  }
}

/// Where a row stands below its parent.
HWY_INLINE Rows<1> FollowOne(const Rows<1>& parent, const Rows<1>& local, std::uint32_t row,
                             Overflow& overflow) {
  const Rows<1> world = Multiply<1>(parent, local.q, local.ps);
  if (HWY_LIKELY(IsZero<1>(hn::Sub(world.ps, world.ps)))) {
    return world;
  }
  overflow.add(row);
  return parent;
}
HWY_INLINE Rows<1> RootOf(const Rows<1>& local) {
  return {Renormalize(RowTag<1>(), local.q), local.ps};
}
/// The stretch, and 1.
HWY_INLINE hn::Vec<RowTag<1>> StretchOf(const Cold& cold) {
  const RowTag<1> d;
  return hn::IfThenElse(hn::FirstN(d, 3), hn::LoadU(d, &cold.stretch.x), hn::Set(d, 1.0F));
}
HWY_INLINE const float* SharedOf(const Tile& tile, std::uint8_t alike) {
  return tile.lane_tree.shared[alike - kAlike].data();
}

/// One row without flags, wherever it and its parent stand.
HWY_NOINLINE void SweepAnyRow(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                              std::uint32_t row, Overflow& overflow) {
  const std::uint32_t group = row / kGroupRows;
  if (Tile::has_turned(tile.world_turned.bits() | tile.local_turned.bits(), row)) {
    TurnSixteenOf<true>(tile, group);
  }
  if (!tile.linked.test(row) &&
      Tile::has_turned(tile.world_turned.bits(), tile.group_above(group) * kGroupRows)) {
    TurnSixteenOf<true>(tile, tile.group_above(group));
  }
  const std::uint8_t alike = tile.lane_tree.alike[group];
  const LocalTransform own = tile.local_at(row);
  Rows<1> local = LoadRows<1>(alike >= kAlike ? SharedOf(tile, alike) : &own.rotation.x);
  Rows<1> world = RootOf(local);
  if (!tile.linked.test(row) || tile.parent[row] != 0) {
    const std::uint32_t up = tile.group_above(group) * kGroupRows + row % kGroupRows;
    const Frame parent = tile.linked.test(row) ? calls.frame_of(store, tile.parent[row])
                                               : Frame{tile.world_at(up), tile.stretch_of(up)};
    alignas(16) const float factors[4] = {parent.stretch.x, parent.stretch.y, parent.stretch.z, 1};
    local.ps = hn::Mul(local.ps, hn::Load(RowTag<1>(), factors));
    world = FollowOne(LoadRows<1>(&parent.world), local, row, overflow);
  }
  HotWorld to;
  StoreRows<1>(world, &to);
  tile.put_world(row, to);
}

/// Few rows of a tile: the lines of other rows are not touched. A loop, not for_each_bit(), whose body the
/// compiler would call.
Overflow SweepFewRows(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                      MaskWords words) {
  Overflow overflow;
  std::uint8_t looks_below = kNotAlike;  // one group is looked at: its other rows may be in no cache
  LocalTransform* const worlds = tile.world.rows();
  const RowMask& special = tile.special();
  for (std::uint32_t w = words.first; w < words.last; ++w) {
    for (std::uint64_t rest = marks.words[w]; rest != 0; rest &= rest - 1) {
      const std::uint64_t lowest = rest & (~rest + 1);
      const std::uint32_t row = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)),
                          group = row / kGroupRows;
      if (HWY_UNLIKELY((special.words[w] & lowest) != 0)) {
        if (!calls.follow_row(store, tile, row)) {
          overflow.add(row);
        }
        continue;
      }
      std::uint8_t alike = tile.lane_tree.alike[group];
      if (HWY_UNLIKELY(alike < looks_below)) {
        Settle(tile, group, Tile::lanes_of(tile.live, group) & ~Tile::lanes_of(special, group));
        looks_below = 0;
        alike = tile.lane_tree.alike[group];
      }
      const bool linked = (tile.linked.words[w] & lowest) != 0;
      const std::uint32_t up = linked ? row : tile.group_above(group) * kGroupRows + row % kGroupRows;
      const std::uint64_t wanted = tile.world_turned.bits() | (alike < kAlike ? tile.local_turned.bits() : 0);
      const std::uint64_t turned = tile.world_turned.bits() >> up / kTurnedRows | wanted >> row / kTurnedRows;
      if (HWY_UNLIKELY((turned & 1) != 0 || (linked && tile.hung != 0))) {
        SweepAnyRow(store, calls, tile, row, overflow);
        continue;
      }
      Rows<1> local =
          LoadRows<1>(alike >= kAlike ? SharedOf(tile, alike) : &tile.local.rows()[row].rotation.x);
      if (HWY_UNLIKELY(!linked && tile.stretched().test(up))) {  // rows with flags may get one on the way
        local.ps = hn::Mul(local.ps, StretchOf(tile.cold[up]));
      }
      StoreRows<1>(linked ? RootOf(local) : FollowOne(LoadRows<1>(&worlds[up]), local, row, overflow),
                   &worlds[row]);
    }
  }
  return overflow;
}

/// Some rows of a group, where they stand: turned or not.
HWY_NOINLINE void SweepManyLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                                 std::uint32_t group, std::uint32_t lanes, LinkedParents& parents,
                                 Overflow& overflow) {
  const std::uint32_t linked = Tile::lanes_of(tile.linked, group) & lanes;
  if (const std::uint32_t following = lanes & ~linked; following != 0) {
    SweepFollowingLanes(tile, group, following, overflow);
  }
  if (linked != 0) {
    const std::uint32_t roots = tile.hung == 0 ? linked : linked & root_lanes(tile, group);
    SweepRootGroup(tile, group, roots);
    if (linked != roots) {
      SweepLinkedLanes(store, calls, tile, group, linked & ~roots, parents, overflow);
    }
  }
}

/// So many groups later their children may be computed.
inline constexpr std::uint32_t kStretchesAhead = 4;
HWY_INLINE void AskForStretches(const Tile& tile, std::uint32_t group) {
  if (group < kTileGroups && Tile::lanes_of(tile.stretched(), group) != 0) {
    core_detail::prefetch_line(&tile.cold[group * kGroupRows]);
    core_detail::prefetch_line(&tile.cold[group * kGroupRows + kGroupRows / 2]);
  }
}
/// Of rows that come one after the other.
HWY_INLINE void AskAhead(const Tile& tile, std::uint32_t group) {
  ask_for_locals(tile, group + kGroupsAhead);
  AskForStretches(tile, group + kStretchesAhead);
  ask_ahead(tile.world.rows(), nullptr, group * kGroupRows, kGroupRows);
}

Overflow SweepSomeGroups(const HierarchyStore& store, const SweepCalls& calls, Tile& tile,
                         const RowMask& marks, bool dense) {
  Overflow overflow;
  LinkedParents parents;
  for (std::uint32_t row = marks.next(0); row < kTileRows;) {
    const std::uint32_t group = row / kGroupRows;
    if (dense) {
      AskAhead(tile, group);
      if (HWY_UNLIKELY(!Tile::has_turned(tile.world_turned.bits() & tile.local_turned.bits(), row))) {
        TurnSixteenOf<false>(tile, group);
      }
    }
    const std::uint32_t marked = Tile::lanes_of(marks, group),
                        special = Tile::lanes_of(tile.special(), group), plain = marked & ~special;
    if (plain != 0) {
      Settle(tile, group, Tile::lanes_of(tile.live, group) & ~special);
      SweepManyLanes(store, calls, tile, group, plain, parents, overflow);
    }
    for_each_bit(marked & special, group * kGroupRows, [&](std::uint32_t one) {
      if (!calls.follow_row(store, tile, one)) {
        overflow.add(one);
      }
    });
    row = marks.next((group + 1) * kGroupRows);
  }
  return overflow;
}

Overflow SweepLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                    MaskWords words) {
  const std::uint32_t count = marks.count(words);
  return count <= kFew ? SweepFewRows(store, calls, tile, marks, words)
                       : SweepSomeGroups(store, calls, tile, marks, count > kTileRows / 6);
}

/// All of a tile that needs no care. False: it needs some after all.
bool SweepWholeLanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, TransformColumn& out,
                     bool reads) {
  WholeSweep sweep{store, calls, tile, out, reads, tile.has_any(Rare::kStretched)};
  return &out == &tile.world ? SweepWords<false, true>(sweep, 0, kTileWords)
                             : SweepWords<true, true>(sweep, 0, kTileWords);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(SweepLanes);
JUXTA_KERNEL(SweepWholeLanes);

Overflow sweep_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, const RowMask& marks,
                     MaskWords words) noexcept {
  return JUXTA_CALL_KERNEL(SweepLanes)(store, calls, tile, marks, words);
}
bool sweep_whole_lanes(const HierarchyStore& store, const SweepCalls& calls, Tile& tile, TransformColumn& out,
                       bool reads) noexcept {
  return JUXTA_CALL_KERNEL(SweepWholeLanes)(store, calls, tile, out, reads);
}

void finish_streams() noexcept {
  hwy::FlushStream();
}

bool has_mixed_groups(const Tile& tile) noexcept {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
  const auto zero_bytes = [](std::uint64_t v) { return ~(((v & kLow) + kLow) | v | kLow); };
  std::uint64_t unmixed = ~kLow;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    const std::uint64_t live = tile.live.words[w], linked = tile.linked.words[w] & live;
    unmixed &= zero_bytes(linked) | zero_bytes(linked ^ live);
  }
  return unmixed != ~kLow;
}

void put_lanes_at_parents(Tile& tile, std::uint32_t group, std::uint32_t lanes,
                          const GroupTransforms& parents, Overflow& overflow) noexcept {
  for_each_bit(lanes, 0, [&](std::uint32_t lane) {
    const std::uint32_t row = group * kGroupRows + lane;
    if (!is_finite_place(tile.world_at(row))) {
      tile.put_world(row, parents.get(lane));
      overflow.add(row);
    }
  });
}

void put_dead_locals(Tile& tile, std::uint32_t group, const LocalTransform& local) noexcept {
  for_each_bit(~Tile::lanes_of(tile.live, group) & 0xFF, group * kGroupRows,
               [&](std::uint32_t row) { tile.put_local(row, local); });
}

std::uint32_t root_lanes(const Tile& tile, std::uint32_t group) noexcept {
  std::uint32_t roots = 0;
  for (std::uint32_t lane = 0; lane < kGroupRows; ++lane) {
    roots |= std::uint32_t{tile.parent[group * kGroupRows + lane] == 0} << lane;
  }
  return roots;
}

}  // namespace juxta::transform_detail
#endif
