// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "transform/tile_file.h"

#include <algorithm>
#include <cstring>

#include "transform/tags.h"

namespace juxta::transform_detail {
namespace {

constexpr std::uint16_t kNoGroup = 0xFFFF;

RowMask both(const RowMask& a, const RowMask& b) noexcept {
  RowMask result;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    result.words[w] = a.words[w] & b.words[w];
  }
  return result;
}

bool within(const RowMask& part, const RowMask& whole) noexcept {
  return std::ranges::equal(both(part, whole).words, part.words);
}

template <class Body>
void for_each_row(const RowMask& mask, Body&& body) {
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    for_each_bit(mask.words[w], w * 64, body);
  }
}

template <class Test>
bool all_rows(const RowMask& mask, Test&& test) {
  bool all = true;
  for_each_row(mask, [&](std::uint32_t row) { all = all && test(row); });
  return all;
}

bool masks_are_sound(const TileRecord& record) noexcept {
  bool changes_live = true;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    changes_live = changes_live && (record.changes[w].mask & ~record.live.words[w]) == 0;
  }
  return record.used <= kTileRows && record.live.next(record.used) == kTileRows && changes_live &&
         within(record.linked, record.live) && within(record.pending, record.live) &&
         within(record.written, record.live) && record.step <= 1 && record.steps_due <= 2 &&
         record.lanes <= 1 && (record.lanes == 0 || record.used % kGroupRows == 0);
}

/// No row changed later than its tile, and no tile later than the hierarchy.
bool versions_are_sound(const TileRecord& record, std::uint32_t version) noexcept {
  return record.version <= version &&
         std::ranges::all_of(record.changes, [&](const Change& c) { return c.version <= record.version; }) &&
         all_rows(record.live, [&](std::uint32_t row) { return record.row_version[row] <= record.version; });
}

/// The latest version of the rows that have one of their own.
std::uint32_t latest_before(const TileRecord& record, std::uint32_t word) noexcept {
  std::uint32_t latest = 0;
  for_each_bit(record.live.words[word] & ~record.changes[word].mask, word * 64,
               [&](std::uint32_t row) { latest = std::max(latest, record.row_version[row]); });
  return latest;
}

/// Of length 1, as far as products of such rotations stay so. False for NaN.
bool is_turn(Quat rotation) noexcept {
  const float squared = length_squared(rotation);
  return squared > 0.99F && squared < 1.01F;
}

bool numbers_are_sound(const TileRecord& record) noexcept {
  return all_rows(record.live, [&](std::uint32_t row) {
    const bool has_world =
        (record.changes[row / 64].mask >> row % 64 & 1) != 0 || record.row_version[row] != 0;
    const LocalTransform& local = record.local[row];
    return is_finite(local) && local.scale >= 0 && is_turn(local.rotation) &&
           (!has_world || is_turn(record.world[row].rotation)) && is_finite(record.cold[row].stretch);
  });
}

bool children_stand_above(const Tile& tile, std::uint32_t row) noexcept {
  const std::uint32_t at = tile.lanes ? row / kGroupRows : row;
  const std::uint32_t end = tile.lanes ? tile.used / kGroupRows : kTileRows;
  const std::uint32_t first = tile.lanes ? tile.first_group(at) : tile.first_child[row],
                      last = tile.lanes ? tile.last_group(at) : tile.first_child[row + 1];
  return first > at && last >= first && last <= end;
}

/// A group of children has one group above: all of its rows take their parents from there.
bool claim_groups(Tile& tile, std::uint32_t group) noexcept {
  for (std::uint32_t g = tile.first_group(group); g < tile.last_group(group); ++g) {
    if (tile.group_above(g) != kNoGroup && tile.group_above(g) != group) {
      return false;
    }
  }
  tile.put_groups(group, tile.first_group(group), tile.last_group(group));
  return true;
}

/// Blocks follow each other, and no group follows from one of another block. What dead groups say counts:
/// trees may stand there again.
bool take_blocks(Tile& tile) noexcept {
  const std::uint32_t end = tile.used / kGroupRows;
  for (std::uint32_t g = 0; g < end; ++g) {
    if (!children_stand_above(tile, g * kGroupRows) || !claim_groups(tile, g)) {
      return false;
    }
  }
  std::uint32_t first = 0;
  for (std::uint32_t g = 0; g <= end; ++g) {
    if (g == end || tile.group_above(g) == kNoGroup) {
      if (g != 0) {
        tile.lane_tree.put_block(first, g);
      }
      first = g;
    } else if (tile.group_above(g) < first) {
      return false;
    }
  }
  return true;
}

/// Ranges of rows, dead ones as well, do not meet, and end with the rows in use: those behind are for other
/// trees. kTileRows: it is not known yet (HierarchyStore::open).
bool children_ascend(const Tile& tile) noexcept {
  const std::span<const std::uint16_t> begins(tile.first_child.data(), tile.used + 1);
  return std::ranges::is_sorted(begins) && std::ranges::all_of(begins, [&](std::uint32_t first) {
           return first <= tile.used || first == kTileRows;
         });
}

/// Every row that is not linked lies in the child range of exactly one living row above it, and ranges of
/// neighbours meet. Marks that flow down therefore end, and reach what hangs below and nothing else.
bool take_children(const TileRecord& record, Tile& tile) noexcept {
  if (tile.lanes) {
    tile.lane_tree.above.fill(kNoGroup);
  }
  if (!(tile.lanes ? take_blocks(tile) : children_ascend(tile))) {
    return false;
  }
  RowMask orphans;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    orphans.words[w] = tile.followers(w);
  }
  const bool sound = all_rows(record.live, [&](std::uint32_t row) {
    if (!tile.lanes && !children_stand_above(tile, row)) {
      return false;
    }
    bool once = true;
    const std::uint32_t parent = row | (tile.stretched().test(row) ? kParentStretched : 0);
    tile.for_each_follower(row, [&](std::uint32_t child) {
      once = once && orphans.test(child);
      orphans.clear(child);
      if (!tile.lanes) {
        tile.parent[child] = parent;
      }
    });
    return once;
  });
  return sound && !orphans.any();
}

}  // namespace

void to_record(const Tile& tile, std::uint32_t number, TileRecord& record) noexcept {
  std::memset(static_cast<void*>(&record), 0, sizeof record);
  record.live = tile.live;
  record.linked = both(tile.linked, tile.live);
  record.pending = both(tile.pending, tile.live);
  record.written = both(tile.written, tile.live);
  record.changes = tile.changes;
  record.number = number;
  record.used = tile.used;
  record.version = tile.version;
  record.step = tile.step;
  record.steps_due = tile.steps_due;
  for_each_row(tile.live, [&](std::uint32_t row) {
    record.world[row] = tile.world_at(row);
    record.local[row] = tile.local_at(row);
    record.cold[row] = tile.cold[row];
    record.link[row] = tile.linked.test(row) ? tile.parent[row] : 0;
    record.row_version[row] = tile.version_of(row);
    record.flags[row] = tile.flags[row];
  });
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    record.changes[w].mask &= tile.live.words[w];
    record.changes[w].before = latest_before(record, w);
  }
  record.lanes = tile.lanes ? 1 : 0;
  if (tile.lanes) {
    std::copy_n(tile.lane_tree.children.begin(), 2 * (tile.used / kGroupRows), record.first_child.begin());
  } else {
    std::copy_n(tile.first_child.begin(), std::min(tile.used + 1, kTileRows), record.first_child.begin());
  }
}

void to_record(const Tile& tile, TileHistory& history) noexcept {
  std::memset(static_cast<void*>(&history), 0, sizeof history);
  for_each_row(tile.live, [&](std::uint32_t row) {
    if (tile.version_of(row) != 0) {
      history.steps[0][row] = tile.history->steps[0][row];
      history.steps[1][row] = tile.history->steps[1][row];
    }
  });
}

std::string_view from_record(const TileRecord& record, std::uint32_t version, Tile& tile) noexcept {
  if (!masks_are_sound(record)) {
    return "the rows of a tile contradict each other";
  }
  if (!versions_are_sound(record, version)) {
    return "a version lies in the future";
  }
  if (!numbers_are_sound(record)) {
    return "a transform is not finite, or none that a node may have";
  }
  tile.live = record.live;
  tile.linked = record.linked;
  tile.pending = record.pending;
  tile.written = record.written;
  tile.changes = record.changes;
  for (std::uint32_t w = 0; w < kTileWords; ++w) {
    tile.changes[w].before = latest_before(record, w);
  }
  tile.used = record.used;
  tile.version = record.version;
  tile.step = static_cast<std::uint8_t>(record.step);
  tile.steps_due = static_cast<std::uint8_t>(record.steps_due);
  if (record.lanes != 0) {
    tile.become_lanes();
  }
  for (std::uint32_t row = 0; row < kTileRows; ++row) {
    tile.put_world(row, record.world[row]);
    tile.put_local(row, record.local[row]);
    tile.row_version(row) = record.row_version[row];
  }
  for (std::uint32_t row = 0; row < kTileRows; ++row) {
    tile.cold[row] = tile.live.test(row) ? record.cold[row] : Cold{};  // what nodes without more find there
  }
  tile.parent = record.link;
  tile.flags = record.flags;
  if (tile.lanes) {
    std::copy_n(record.first_child.begin(), tile.lane_tree.children.size(), tile.lane_tree.children.begin());
  } else {
    std::ranges::copy(record.first_child, tile.first_child.begin());
    tile.first_child[kTileRows] = kTileRows;
  }
  tile.nodes = tile.hung = 0;
  for_each_row(tile.live, [&](std::uint32_t row) {
    ++tile.nodes;
    tile.hung += tile.linked.test(row) && !tile.is_root(row);
    tile.put(Rare::kSpecial, row, (tile.flags[row] & kInheritBits) != 0);
    tile.put(Rare::kStretched, row, tile.cold[row].stretch != Vec3{1, 1, 1});
    tile.put(Rare::kContexts, row, tile.cold[row].context != 0);
  });
  return take_children(record, tile) ? std::string_view() : "the children of a node stand where they cannot";
}

}  // namespace juxta::transform_detail
