// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what lies below some rows of a tile.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "transform/ask_rows.h"

namespace juxta::transform_detail {

/// Marks every row that flows in its tile from a marked one. The mask is its own worklist: children stand in
/// higher rows than their parents, so one pass upwards meets everything.
///
///   rows     0 1 2 3 | 4 5 6 7 8 9 | 10 ...
///   marks    . X X .   . . . . . .            the run [1, 3): its children are the run [6, 8), marked when
///   it is
///                      . . X X . .            met; theirs are another run; and so on
///
/// A run is cut where its own children begin, so that no range is missed when it reaches into the next level.
/// Each run waits for Tile::first_child of the one before: who has several tiles steps through all of them by
/// turns.
class Flow {
 public:
  /// `sound`: every living row is linked, or follows from one that is. Not so while a tile is taken apart.
  Flow(const Tile& tile, RowMask& marks, bool sound = true) noexcept : Flow(tile, marks, {}, sound, false) {}
  /// All marks are in these words. Asks for the rows of a tile of lanes that a sweep will touch, as long as
  /// they are few.
  Flow(const Tile& tile, RowMask& marks, MaskWords words) noexcept : Flow(tile, marks, words, true, true) {}
  [[nodiscard]] bool done() const noexcept { return row_ == kTileRows; }
  /// Rows that are marked, below the one where it stands.
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Where they are.
  [[nodiscard]] MaskWords words() const noexcept { return words_; }

  /// Marks the children of the next run.
  void step() noexcept {
    if (tile_.lanes) {
      flow_by_groups();
      return;
    }
    const std::uint32_t last = std::min<std::uint32_t>(marks_.next_clear(row_), tile_.first_child[row_]);
    const std::uint32_t child = tile_.first_child[row_], end = tile_.first_child[last];
    RowMask::for_each_word(child, end, [&](std::uint32_t w, std::uint64_t bits) {
      marks_.words[w] |= bits & tile_.followers(w);
      words_.last = std::max(words_.last, w + 1);
    });
    ask(child);
    ask(end);
    count_ += last - row_;
    row_ = marks_.next(last);
  }

 private:
  Flow(const Tile& tile, RowMask& marks, MaskWords words, bool sound, bool asks) noexcept
      : tile_(tile),
        marks_(marks),
        words_(words),
        row_(marks.next(words.first * 64)),
        sound_(sound),
        asks_(asks) {
    if (sound && all_follow()) {
      marks_ = tile_.live;
      count_ = tile_.nodes;
      words_ = {};
      row_ = kTileRows;
    } else {
      ask(row_);
    }
  }
  /// Every node of a tile is linked or follows from one that is.
  [[nodiscard]] bool all_follow() const noexcept {
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      if ((tile_.live.words[w] & tile_.linked.words[w] & ~marks_.words[w]) != 0) {
        return false;
      }
    }
    return true;
  }
  /// All of it: a group's marks are those of its parents' group, as far as its rows follow from them. Most
  /// often roots are marked, and their trees stand as they were placed: a lane of a block, then, is marked at
  /// once.
  void flow_by_groups() noexcept {
    for (std::uint32_t w = row_ / 64; w < words_.last; ++w) {
      for (std::uint32_t bit = 0; bit < 64; bit += kGroupRows) {  // the group may mark later ones of its word
        const std::uint64_t rest = marks_.words[w] >> bit;
        if (rest == 0) {
          break;
        }
        bit += static_cast<std::uint32_t>(std::countr_zero(rest)) / kGroupRows * kGroupRows;
        flow_from((w * 64 + bit) / kGroupRows, static_cast<std::uint32_t>(marks_.words[w] >> bit) & 0xFF);
      }
    }
    row_ = kTileRows;
  }
  void flow_from(std::uint32_t group, std::uint32_t lanes) noexcept {
    if (tile_.lane_tree.begins_block(group)) {
      whole_end_ = tile_.lane_tree.block_end(group);
      whole_ = sound_ ? mark_whole_lanes(group, lanes) : 0;
    }
    const std::uint32_t rest = group < whole_end_ ? lanes & ~whole_ : lanes;
    if (rest == 0) {
      return;
    }
    for (std::uint32_t g = tile_.first_group(group), end = tile_.last_group(group); g < end; ++g) {
      marks_.words[g / 8] |= std::uint64_t{rest} << g % 8 * kGroupRows & tile_.followers(g / 8);
      words_.last = std::max(words_.last, g / 8 + 1);
    }
    if (asks_ && count_ <= kFew) {
      ask_for_lanes(tile_, group, rest);
      ask_for_parents(tile_, marks_, group, rest);
    }
    for_each_bit(rest, 0, [&](std::uint32_t) { ++count_; });
  }
  /// Of these lanes of a block, marks those below whose roots nobody is linked, to the end; which they are.
  std::uint32_t mark_whole_lanes(std::uint32_t first, std::uint32_t lanes) noexcept {
    const std::uint32_t end = whole_end_;
    std::uint64_t linked = 0;
    RowMask::for_each_word((first + 1) * kGroupRows, end * kGroupRows,
                           [&](std::uint32_t w, std::uint64_t bits) {
                             linked |= tile_.linked.words[w] & tile_.live.words[w] & bits;
                           });
    linked |= linked >> 32;
    linked |= linked >> 16;
    linked |= linked >> 8;
    const std::uint32_t whole = lanes & ~static_cast<std::uint32_t>(linked);
    for_each_bit(whole, 0, [&](std::uint32_t lane) {
      const LaneRows rows{first, end, lane};
      std::uint64_t missing = 0;
      rows.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
        marks_.words[w] |= tile_.live.words[w] & bits;
        missing |= bits & ~tile_.live.words[w];
      });
      count_ += missing == 0 ? rows.count() : rows.count_of(tile_.live);
      if (asks_ && count_ <= kFew) {
        ask_for_lane(tile_, rows);
      }
    });
    words_.last = std::max(words_.last, (end - 1) / 8 + 1);
    return whole;
  }
  void ask(std::uint32_t row) const noexcept { prefetch_children(tile_, row); }

  const Tile& tile_;
  RowMask& marks_;
  MaskWords words_;
  std::uint32_t row_;
  bool sound_, asks_;
  std::uint32_t whole_ = 0, whole_end_ = 0;  // lanes of the block up to this group that are marked to its end
  std::uint32_t count_ = 0;
};

/// All of several. How many rows are marked in all of them.
inline std::size_t flow_by_turns(std::span<std::optional<Flow>> flows) noexcept {
  for (bool busy = true; busy;) {
    busy = false;
    for (std::optional<Flow>& flow : flows) {
      if (flow && !flow->done()) {
        flow->step();
        busy = true;
      }
    }
  }
  std::size_t count = 0;
  for (const std::optional<Flow>& flow : flows) {
    count += flow ? flow->count() : 0;
  }
  return count;
}

/// All of it. How many rows are marked.
inline std::uint32_t flow(const Tile& tile, RowMask& marks, bool sound = true) noexcept {
  Flow flow(tile, marks, sound);
  while (!flow.done()) {
    flow.step();
  }
  return flow.count();
}

}  // namespace juxta::transform_detail
