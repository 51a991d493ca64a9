// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// 64 rows of a tile through a system or a reader.
//
//   tile     | row .. row + 15 |  --load-->  lanes  --system-->  lanes  --check, store-->  the same rows
//
// Sixteen rows that all have a node, none with flags, are checked and stored at once if the system writes all
// of them. Others are stored lane by lane (SystemRun::store_each()).
//
// Per row:      8 loads, 8 checks and 8 stores of floats, a sixteenth of a call: about 0.5 ns (Zen 4).
#include "transform/visit_lanes_kernel.h"

#include <algorithm>
#include <array>

#include "transform/propagation.h"
#include "transform/systems.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/transform/visit_lanes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "transform/lane_columns-inl.h"
#include "transform/whole_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {

HWY_INLINE void LoadLanes(const TransformColumn& column, std::uint64_t turned, std::uint32_t row,
                          NodeFields fields, TransformLanes& out) {
  if (Tile::has_turned(turned, row)) {
    GroupsToLanes(&column.group(row / kGroupRows), fields, out);
  } else {
    RowsToLanes(column.rows() + row, fields, out);
  }
}
/// A system that writes all fields has the tile to itself, and leaves it turned.
HWY_INLINE void StoreLanes(const TransformLanes& lanes, NodeFields fields, Tile& tile, std::uint32_t row) {
  if (fields == NodeFields::kAll && tile.lanes) {
    tile.local_turned.put(tile.local_turned.bits() | std::uint64_t{1} << row / kTurnedRows);
  }
  if (Tile::has_turned(tile.local_turned.bits(), row)) {
    LanesToGroups(lanes, fields, &tile.local.group(row / kGroupRows));
  } else {
    LanesToRows(lanes, fields, tile.local.rows() + row);
  }
}
/// Some rows of a word, which of them have a stretch or a context, and the rows of the word that is read
/// next.
struct MarkedWord {
  std::uint32_t word;
  std::uint64_t marks, cold, next;
};
HWY_INLINE NodeMask SixteenOf(std::uint64_t word, std::uint32_t at) {
  return static_cast<NodeMask>(word >> at) & kAllNodes;
}

HWY_INLINE std::uint64_t Write(SystemRun& run, Tile& tile, const Tile* next, std::uint32_t word, Row base) {
  const std::uint64_t live = tile.live.words[word], special = tile.special().words[word];
  const NodeFields fields = run.fields();
  std::uint64_t all_written = 0;
  for (std::uint32_t at = 0; at < 64; at += kNodeLanes) {
    const NodeMask mask = SixteenOf(live, at);
    const std::uint32_t row = word * 64 + at;
    if (mask == 0) {
      continue;
    }
    ask_ahead(tile.local.rows(), next != nullptr ? next->local.rows() : nullptr, row, kNodeLanes);
    std::array<std::uint32_t, kNodeLanes> buffer;
    LocalLanes lanes(run.store(), slots_of(tile, row, mask, buffer), mask);
    LoadLanes(tile.local, tile.local_turned.bits(), row, fields, lanes.local);
    const bool plain = mask == kAllNodes && SixteenOf(special, at) == 0;
    if (HWY_UNLIKELY(!plain)) {
      run.load_others(tile, base + at, lanes);
    }
    NodeMask written = run.system()(lanes) & mask;
    if (HWY_LIKELY(plain && written == kAllNodes && NotKept(lanes.local) == 0)) {
      StoreLanes(lanes.local, fields, tile, row);
    } else if (written != 0) {
      written = run.store_each(tile, base + at, lanes.local, written);
    }
    all_written |= std::uint64_t{written} << at;
  }
  return all_written;
}

HWY_INLINE void PutNoCold(WorldLanes& out) {
  for (float* const stretches : {out.stretch_x, out.stretch_y, out.stretch_z}) {
    std::fill_n(stretches, kNodeLanes, 1.0F);
  }
  std::fill_n(out.context, kNodeLanes, 0);
}

/// `lanes`: of no stretch and no context, before and after.
HWY_INLINE void Read(const HierarchyStore& store, const Tile& tile, const TransformColumn* column,
                     const MarkedWord& rows, const std::uint32_t* ahead, WorldLanes& lanes,
                     const Reader& reader) {
  const TransformColumn& world = column != nullptr ? *column : tile.world;
  const std::uint64_t turned = column != nullptr ? ~std::uint64_t{0} : tile.world_turned.bits();
  for (std::uint32_t at = 0; at < 64; at += kNodeLanes) {
    const NodeMask mask = SixteenOf(rows.marks, at);
    if (mask == 0) {
      continue;
    }
    const std::uint32_t row = rows.word * 64 + at;
    std::array<std::uint32_t, kNodeLanes> buffer;
    static_cast<NodeLanes&>(lanes) = NodeLanes(store, slots_of(tile, row, mask, buffer), mask);
    NodesAhead::put(lanes, SixteenOf(rows.next, at) == kAllNodes ? ahead + at : nullptr);
    LoadLanes(world, turned, row, NodeFields::kAll, lanes.world);
    const bool cold = SixteenOf(rows.cold, at) != 0;
    if (HWY_UNLIKELY(cold)) {
      ColdToLanes(&tile.cold[row], lanes);
    }
    reader(lanes);
    if (HWY_UNLIKELY(cold)) {
      PutNoCold(lanes);
    }
  }
}

std::uint64_t WriteWord(SystemRun& run, Tile& tile, const Tile* next, std::uint32_t word, Row base) {
  return Write(run, tile, next, word, base);
}

void ReadTile(const HierarchyStore& store, const Tile& tile, const TransformColumn* column,
              const RowMask& marks, Reader reader) {
  WorldLanes lanes(store, nullptr, 0);
  PutNoCold(lanes);
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    const std::uint64_t cold = cold_rows(tile, w) & marks.words[w];
    if (w + 1 < kTileWords && (cold_rows(tile, w + 1) & marks.words[w + 1]) != 0) {
      ask_for_cold(tile, (w + 1) * 64);
    }
    if (marks.words[w] != 0) {
      for (std::uint32_t at = 0; at < 64; at += kNodeLanes) {
        if (SixteenOf(marks.words[w], at) != 0) {
          ask_ahead(tile.world.rows(), nullptr, w * 64 + at, kNodeLanes);
        }
      }
      const std::uint64_t next = w + 1 < kTileWords ? marks.words[w + 1] : 0;
      Read(store, tile, column, {w, marks.words[w], cold, next}, &tile.slot[(w + 1) % kTileWords * 64], lanes,
           reader);
    }
  }
}

template <bool kStream>
HWY_INLINE FrameOfTile FrameByWords(const FrameWork& frame, Tile& tile, const Tile* next, Row base) {
  const HierarchyStore& store = frame.system->store();
  TransformColumn column;
  TransformColumn& out = kStream ? column : tile.world;
  WholeSweep sweep{
      store, kSweepCalls, tile, out, static_cast<bool>(frame.reader), tile.has_any(Rare::kStretched)};
  WorldLanes lanes(store, nullptr, 0);
  PutNoCold(lanes);
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    const std::uint64_t live = tile.live.words[w], cold = cold_rows(tile, w);
    if (cold != 0) {
      ask_for_cold(tile, w * 64);
    }
    const std::uint64_t written = Write(*frame.system, tile, next, w, base + w * 64);
    tile.lane_tree.forget(w, written);
    if (written != live || !SweepWords<kStream, false>(sweep, w, w + 1)) {
      return {w, true, written};
    }
    if (frame.reader) {
      const Tile& ahead = w + 1 < kTileWords || next == nullptr ? tile : *next;
      const std::uint32_t word = (w + 1) % kTileWords;
      Read(store, tile, &out, {w, live, cold, ahead.live.words[word]}, &ahead.slot[word * 64], lanes,
           frame.reader);
    }
  }
  return {kTileWords};
}

FrameOfTile FrameWords(const FrameWork& frame, Tile& tile, const Tile* next, Row base, bool streams) {
  return streams ? FrameByWords<true>(frame, tile, next, base) : FrameByWords<false>(frame, tile, next, base);
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::transform_detail {

JUXTA_KERNEL(WriteWord);
JUXTA_KERNEL(ReadTile);
JUXTA_KERNEL(FrameWords);

std::uint64_t write_word(SystemRun& run, Tile& tile, const Tile* next, std::uint32_t word,
                         Row base) noexcept {
  return JUXTA_CALL_KERNEL(WriteWord)(run, tile, next, word, base);
}
void read_lanes(const HierarchyStore& store, const Tile& tile, const TransformColumn* column,
                const RowMask& marks, Reader reader) noexcept {
  JUXTA_CALL_KERNEL(ReadTile)(store, tile, column, marks, reader);
}
FrameOfTile frame_words(const FrameWork& frame, Tile& tile, const Tile* next, Row base,
                        bool streams) noexcept {
  return JUXTA_CALL_KERNEL(FrameWords)(frame, tile, next, base, streams);
}

}  // namespace juxta::transform_detail
#endif
