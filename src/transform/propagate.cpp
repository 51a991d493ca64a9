// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every world transform that is out of date, in rounds.
//
//   round 0   tiles with written rows: mark what flows from them, sweep the marks, note the change
//
//   round k   links of depth k whose parent changed, or with written rows below: the same, from there on
//
// Why it is free of races, and the same on any schedule: a row belongs to one round, that of the nearest link
// at or above it; its parent stands in its tile, or belongs to an earlier round. And what a task decides on
// (written rows, links, what flows from what) no task of its round writes, but for its own tile.
#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "core/prefetch.h"
#include "juxta/core/isa.h"
#include "juxta/core/try.h"
#include "transform/ask_ahead.h"
#include "transform/flow.h"
#include "transform/lane_sweep_kernel.h"
#include "transform/link_queue.h"
#include "transform/links.h"
#include "transform/links_of_roots.h"
#include "transform/overflow_count.h"
#include "transform/propagation.h"
#include "transform/record.h"
#include "transform/systems.h"

namespace juxta {
namespace transform_detail {
namespace {

/// Tiles that a task takes at once: it makes their marks, asks for the rows, then sweeps them.
constexpr std::size_t kGroup = 8;
constexpr std::size_t kWideRound = 64;   // tiles: enough for several threads, which a frame's system wants
constexpr std::size_t kManyTiles = 512;  // world and local transforms of so many take 32 MiB

class Propagation {
 public:
  Propagation(HierarchyStore& store, const Executor& executor, const FrameWork& frame = {})
      : store_(store), executor_(executor), frame_(frame) {}

  PropagateResult run() {
    ++store_.version;
    if (frame_.system != nullptr) {
      begin_frame();
    }
    LinksOfRoots links_of_roots(store_);
    for (std::size_t i = 0; i < store_.dirty.size() && store_.link_count != 0;) {  // the list may grow
      const std::size_t end = std::min(i + kGroup, store_.dirty.size());
      for (; i < end; ++i) {
        links_of_roots.collect(*store_.tiles[store_.dirty[i]]);
      }
      links_of_roots.mark();
    }
    const std::size_t count = store_.dirty.size();
    executor_.parallel_for(count, kGroup, [&](std::size_t first, std::size_t last) {
      frame_.system != nullptr ? visit_written(first, last) : visit(first, last);
      finish_streams();
    });
    for (const std::uint32_t tile : store_.dirty) {
      store_.tiles[tile]->dirty = false;
    }
    store_.dirty.clear();
    PropagateResult result{.version = store_.version, .rounds = 1};
    for (std::uint32_t depth = 1; depth <= queue_.deepest(); ++depth) {
      if (const std::size_t tiles = round(depth); tiles != 0) {
        result.tiles += tiles;
        ++result.rounds;
      }
    }
    result.tiles += frame_.system != nullptr ? written_tiles_.load(std::memory_order_relaxed) : count;
    result.computed = computed_.load(std::memory_order_relaxed);
    result.overflowed = overflows_.count();
    if (result.overflowed != 0) {
      result.first_overflowed = store_.id_at(overflows_.first());
    }
    store_.kept.clear();
    return result;
  }

 private:
  /// All tiles are visited. What links take from roots is collected before, so those are written first. What
  /// waits for other links is computed in a later round.
  void begin_frame() {
    store_.dirty.clear();
    put_off_.assign(store_.tiles.size(), 0);
    may_put_off_ = &executor_ == &executor_or_serial(nullptr) ||
                   store_.tiles.size() >= kWideRound * store_.queues.size();
    for (std::uint32_t number = 0; number < store_.tiles.size(); ++number) {
      if (store_.tiles[number] != nullptr) {
        store_.tiles[number]->dirty = true;
        store_.dirty.push_back(number);
      }
    }
    executor_.parallel_for(store_.dirty.size(), 2, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        if (roots_have_links(*store_.tiles[store_.dirty[i]])) {
          frame_.system->run(store_.dirty[i]);
        }
      }
    });
  }
  /// One tile at a time, so that it is still in the cache when it is propagated and read.
  void visit_written(std::size_t first, std::size_t last) noexcept {
    for (std::size_t i = first; i < last; ++i) {
      const Tile& next = *store_.tiles[store_.dirty[std::min(i + 1, store_.dirty.size() - 1)]];
      prefetch_head(next);
      prefetch_groups(next);
      const Tile& tile = *store_.tiles[store_.dirty[i]];
      const bool written = roots_have_links(tile);
      if (!written && needs_no_care(tile) && !tile.has_any(Rare::kDeferred) && tile.nodes != 0) {
        visit_by_words(i);
        continue;
      }
      if (!written && put_off(store_.dirty[i])) {
        continue;
      }
      if (!written) {
        frame_.system->run(store_.dirty[i]);
      }
      finish_written(i, 0);
    }
  }
  /// Word by word as long as all nodes are written, and the rest of the tile as a whole.
  [[gnu::noinline]] void visit_by_words(std::size_t i) noexcept {
    const std::uint32_t number = store_.dirty[i];
    Tile& tile = *store_.tiles[number];
    prefetch_links(store_, tile);
    const Tile* const next = number + 1 < store_.tiles.size() ? store_.tiles[number + 1] : nullptr;
    const FrameOfTile done = frame_words(frame_, tile, next, number * kTileRows, is_large());
    if (done.words == kTileWords) {
      finish_by_words(tile);
    } else {
      frame_.system->run(number, done);
      finish_written(i, done.words);
    }
  }
  /// All of its words are done.
  void finish_by_words(Tile& tile) noexcept {
    tile.pending = {};
    written_tiles_.fetch_add(1, std::memory_order_relaxed);
    computed_.fetch_add(tile.nodes, std::memory_order_relaxed);
    record(tile, tile.live, store_.version);
    queue_.add_below(tile, tile.live);
  }
  /// A tile all of which is computed in one later round: the system runs then.
  [[nodiscard]] bool put_off(std::uint32_t number) noexcept {
    const Tile& tile = *store_.tiles[number];
    if (!may_put_off_ || !needs_no_care(tile) || !waits_as_a_whole(store_, tile)) {
      return false;
    }
    put_off_[number] = 1;
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      for_each_bit(tile.linked.words[w] & tile.live.words[w], w * 64,
                   [&](std::uint32_t row) { queue_.add(tile.parent[row]); });
    }
    return true;
  }
  [[gnu::noinline]] void visit_put_off(std::span<const std::uint64_t> links, const Tile* next) noexcept {
    const std::uint32_t number = tile_number(links[0]);
    Tile& tile = *store_.tiles[number];
    FrameOfTile done;
    if (all_moved(store_, links)) {
      done = frame_words(frame_, tile, next, number * kTileRows, is_large());
    }
    if (done.words == kTileWords) {
      finish_by_words(tile);
      return;
    }
    frame_.system->run(number, done);
    written_tiles_.fetch_add(tile.pending.any() ? 1 : 0, std::memory_order_relaxed);
    finish_links(links, done.words);
  }
  /// The words [0, done) of the tile are swept and read.
  void finish_written(std::size_t i, std::uint32_t done) noexcept {
    if (store_.tiles[store_.dirty[i]]->pending.any()) {
      written_tiles_.fetch_add(1, std::memory_order_relaxed);
      visit_group(i, i + 1, done);
    }
  }

  void visit(std::size_t first, std::size_t last) noexcept {
    const std::size_t ahead = std::min(last + kGroup, store_.dirty.size());  // for the next task, too
    for (std::size_t i = first; i < ahead; ++i) {
      prefetch_head(*store_.tiles[store_.dirty[i]]);
    }
    visit_group(first, last);
  }
  /// `done`: words of the only tile that are swept and read.
  void visit_group(std::size_t first, std::size_t last, std::uint32_t done = 0) noexcept {
    RowMask marks[kGroup];
    MaskWords words[kGroup];
    SomeLinks links;
    for (std::size_t i = first; i < last; ++i) {
      words[i - first] = prefetch_written(*store_.tiles[store_.dirty[i]]);
    }
    for (std::size_t i = first; i < last; ++i) {
      take_written(*store_.tiles[store_.dirty[i]], marks[i - first], words[i - first]);
    }
    mark_what_flows(first, last, marks, words);
    for (std::size_t i = first; i < last; ++i) {
      links.add(*store_.tiles[store_.dirty[i]], marks[i - first]);
    }
    links.prefetch(store_);
    for (std::size_t i = first; i < last; ++i) {
      finish(store_.dirty[i], marks[i - first], words[i - first], done);
    }
  }

  void mark_what_flows(std::size_t first, std::size_t last, RowMask* marks, MaskWords* words) noexcept {
    std::array<std::optional<Flow>, kGroup> flows;
    for (std::size_t i = first; i < last; ++i) {
      flows[i - first].emplace(*store_.tiles[store_.dirty[i]], marks[i - first], words[i - first]);
    }
    computed_.fetch_add(flow_by_turns(flows), std::memory_order_relaxed);
    for (std::size_t i = first; i < last; ++i) {
      words[i - first] = flows[i - first]->words();
      if (flows[i - first]->count() <= kFew) {
        prefetch(*store_.tiles[store_.dirty[i]], marks[i - first]);
        prefetch_versions(*store_.tiles[store_.dirty[i]], marks[i - first], words[i - first]);
      }
    }
  }

  /// Moves the written rows of round 0 from the tile's list (they are in these words) to `marks`; the links
  /// above the others are queued.
  void take_written(Tile& tile, RowMask& marks, MaskWords words) noexcept {
    tile.forget_written(words);
    if (tile.has_any(Rare::kDeferred)) {
      take_those_not_deferred(tile, marks);
      return;
    }
    for (std::uint32_t w = words.first; w < words.last; ++w) {
      marks.words[w] = std::exchange(tile.pending.words[w], 0);
    }
  }
  [[gnu::noinline]] void take_those_not_deferred(Tile& tile, RowMask& marks) noexcept {
    RowMask later = tile.deferred();
    flow(tile, later);
    const bool all = std::ranges::equal(tile.pending.words, tile.live.words);
    for (std::uint32_t w = 0; w < kTileWords; ++w) {
      marks.words[w] = tile.pending.words[w] & ~later.words[w];
      tile.pending.words[w] &= later.words[w];
      const std::uint64_t tops = all ? tile.linked.words[w] : ~std::uint64_t{0};
      for_each_bit(tile.pending.words[w] & tops, w * 64, [&](std::uint32_t row) {
        if (tile.linked.test(row) || !tile.pending.test(tile.parent_row(row))) {
          queue_.add(link_above(tile, row));  // or its parent's has been, which stands above
        }
      });
    }
  }

  /// All marks are in `words`.
  void finish(std::uint32_t number, const RowMask& marks, MaskWords words, std::uint32_t done = 0) noexcept {
    Tile& tile = *store_.tiles[number];
    if (done != 0) {
      RowMask rest = marks;
      std::fill_n(rest.words, done, 0);
      sweep_some(number, rest, {});
    } else if (!can_sweep_whole(tile, marks) || !sweep_whole(number, marks)) {
      sweep_some(number, marks, words);
    }
    record(tile, marks, store_.version, words);
    queue_.add_below(tile, marks);
  }
  void sweep_some(std::uint32_t number, const RowMask& marks, MaskWords words) noexcept {
    overflows_.note(number, sweep(store_, kSweepCalls, *store_.tiles[number], marks, words));
    read(*store_.tiles[number], nullptr, marks);
  }
  /// In a world larger than caches, memory need not read what goes past them.
  [[gnu::noinline]] bool sweep_whole(std::uint32_t number, const RowMask& marks) noexcept {
    Tile& tile = *store_.tiles[number];
    TransformColumn column;
    TransformColumn& world = is_large() ? column : tile.world;
    const bool done = sweep_whole_lanes(store_, kSweepCalls, tile, world, static_cast<bool>(frame_.reader));
    if (done) {
      read(tile, &world, marks);
    }
    return done;
  }
  void read(const Tile& tile, const TransformColumn* column, const RowMask& marks) noexcept {
    if (frame_.reader) {
      read_lanes(store_, tile, column, marks, frame_.reader);
    }
  }
  [[nodiscard]] bool is_large() const noexcept { return store_.tiles.size() >= kManyTiles; }
  /// The links of one depth, in the order of their rows, tile by tile. How many tiles they stand in.
  std::size_t round(std::uint32_t depth) {
    const Workspace::Scope scope(store_.scratch);
    const std::span<const std::uint64_t> links = take_queue(store_, depth);
    if (links.empty()) {
      return 0;
    }
    const std::span<std::size_t> begins = store_.scratch.take<std::size_t>(links.size() + 1);
    std::size_t tiles = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (i == 0 || tile_number(links[i]) != tile_number(links[i - 1])) {
        begins[tiles++] = i;
      }
    }
    begins[tiles] = links.size();
    idle_ = 0;
    executor_.parallel_for(tiles, kGroup, [&](std::size_t first, std::size_t last) {
      for (std::size_t t = first; t < last; ++t) {
        visit_links(links.subspan(begins[t], begins[t + 1] - begins[t]),
                    t + 1 < tiles ? store_.tiles[tile_number(links[begins[t + 1]])] : nullptr);
      }
      finish_streams();
    });
    return tiles - idle_.load(std::memory_order_relaxed);
  }

  /// `next`: the tile that comes after.
  void visit_links(std::span<const std::uint64_t> links, const Tile* next) noexcept {
    if (std::uint32_t number = tile_number(links[0]); !put_off_.empty() && put_off_[number] != 0) {
      put_off_[number] = 0;
      visit_put_off(links, next);
    } else {
      finish_links(links, 0);
    }
  }
  void finish_links(std::span<const std::uint64_t> links, std::uint32_t done) noexcept {
    const std::uint32_t number = tile_number(links[0]);
    RowMask marks;
    store_.tiles[number]->forget_written();
    mark_from_links(store_, links, *store_.tiles[number], marks);
    const std::uint32_t count = flow(*store_.tiles[number], marks);
    computed_.fetch_add(count, std::memory_order_relaxed);
    if (count == 0) {  // it was put off, and nothing moved
      idle_.fetch_add(1, std::memory_order_relaxed);
    } else {
      finish(number, marks, {}, done);
    }
  }

  HierarchyStore& store_;
  const Executor& executor_;
  const FrameWork frame_;
  LinkQueue queue_{store_};
  std::vector<std::uint8_t> put_off_;  // by tile, in frames
  bool may_put_off_ = false;
  std::atomic<std::size_t> written_tiles_ = 0;
  std::atomic<std::size_t> idle_ = 0;
  std::atomic<std::size_t> computed_ = 0;
  OverflowCount overflows_;
};

// Not inlined: a frame without changes must not pay for the registers that this saves.
[[gnu::noinline]] Result<PropagateResult> propagate_changes(HierarchyStore& store, const Context& context,
                                                            const FrameWork& frame) {
  if (store.version == ~std::uint32_t{0}) {
    return fail(ErrorCode::kTooLarge, "propagate: 2^32 - 1 versions are used up; build the hierarchy anew");
  }
  settle_depths(store);
  const bool tells_of_destroyed = store.destroyed_waits();
  PropagateResult result = Propagation(store, executor_or_serial(context.executor), frame).run();
  if (result.tiles == 0 && !tells_of_destroyed) {  // a frame that wrote nothing: nothing has the new version
    result = {.version = --store.version};
  }
  result.moved_nodes = std::exchange(store.moved, 0);
  store.known.forget();
  return result;
}

}  // namespace
}  // namespace transform_detail

Result<PropagateResult> Hierarchy::propagate(const Context& context) {
  transform_detail::HierarchyStore& store = *store_;
  std::erase_if(store.dirty, [&](std::uint32_t number) {  // their written nodes went, or changed back
    transform_detail::Tile& tile = *store.tiles[number];
    tile.dirty = tile.pending.any();
    return !tile.dirty;
  });
  if (store.dirty.empty() && !store.destroyed_waits()) {
    return PropagateResult{.version = store.version};
  }
  JUXTA_TRY(active_isa());
  return transform_detail::propagate_changes(store, context, {});
}

Result<PropagateResult> Hierarchy::frame(NodeFields fields, FunctionRef<NodeMask(LocalLanes&)> system,
                                         FunctionRef<void(const WorldLanes&)> reader,
                                         const Context& context) {
  transform_detail::HierarchyStore& store = *store_;
  JUXTA_TRY(active_isa());
  JUXTA_TRY(transform_detail::begin_system(store, NodeFields::kAll));  // none may run beside it
  transform_detail::SystemRun run(store, fields, system, true);
  Result<PropagateResult> result = transform_detail::propagate_changes(store, context, {&run, reader});
  transform_detail::end_system(store, NodeFields::kAll, {});
  JUXTA_TRY(run.error());
  return result;
}

}  // namespace juxta
