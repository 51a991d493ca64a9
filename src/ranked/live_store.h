// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: everything behind LiveRankedPoints.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/mutex.h"
#include "juxta/core/monitor.h"
#include "juxta/ranked/live_points.h"
#include "ranked/live_files.h"
#include "ranked/live_generation.h"
#include "ranked/live_readers.h"

namespace juxta::ranked_detail {

/// What readers see. It does not change while one of them may have it.
struct LiveState {
  const LiveGeneration* generation;
  std::uint32_t live_root, removed_root;
  std::uint64_t sequence;  // of the generation
  std::uint64_t version;
  std::size_t size;  // points

  [[nodiscard]] LiveView live() const noexcept { return {&generation->live(), live_root}; }
  [[nodiscard]] LiveView removed() const noexcept { return {&generation->removed(), removed_root}; }
  [[nodiscard]] std::size_t removed_size() const noexcept {
    return removed_root == 0 ? 0 : generation->removed().nodes()[removed_root].total;
  }
};

struct LiveStore {
  LiveStore(const LiveTypes& point_types, const LiveRankedOptions& live_options,
            std::pmr::memory_resource* memory)
      : types(point_types), options(live_options), resource(memory), generations(memory) {}
  ~LiveStore();

  const LiveTypes types;
  const LiveRankedOptions options;
  std::pmr::memory_resource* const resource;

  // ---- for readers
  mutable Readers readers;
  std::atomic<std::uint64_t> version{0};  // of `state`, or one before
  std::atomic<const LiveState*> state{nullptr};
  std::atomic<std::size_t> size{0}, unmerged{0};
  /// Answers of the frozen index that were gone already. Where this costs more than a merge, merge.
  mutable std::atomic<std::size_t> wasted{0};
  /// Adds some to it, now and then: so that readers do not wait for each other's cache lines.
  void waste(LiveScratch& scratch, std::size_t answers) const noexcept {
    constexpr std::size_t kSome = 64;
    scratch.wasted += answers;
    if (scratch.wasted >= kSome) {
      wasted.fetch_add(std::exchange(scratch.wasted, 0), std::memory_order_relaxed);
    }
  }

  // ---- for changes, under `changes`
  mutable core_detail::Mutex changes;
  std::unique_ptr<LiveGeneration> generation;
  Array<std::uint32_t> generations;  // by slot: odd while it is in use
  std::vector<std::uint32_t> free_slots;
  std::vector<std::uint32_t> used_up;  // slots without a generation left
  std::size_t points = 0;
  bool logging = false;  // a merge runs
  std::vector<LiveLogEntry> log;
  std::vector<LiveLogEntry> change;  // the one that is being made: see LiveChange
  std::unique_ptr<LiveFiles> files;  // null: the points are not kept
  template <class T>
  struct Retired {
    std::uint64_t version;  // of the change that replaced it
    std::unique_ptr<T> what;
  };
  std::unique_ptr<LiveState> own_state;  // the one in `state`
  std::vector<Retired<LiveState>> old_states;
  std::vector<std::unique_ptr<LiveState>> spare_states;
  std::vector<Retired<LiveGeneration>> old_generations;
  std::size_t reclaim_from = 0;  // replaced things at which to look for what nobody reads
  std::size_t merge_from = 0;    // unmerged changes at which the next merge begins

  // ---- for merges
  core_detail::Mutex merging;
  core_detail::Mutex flushing;            // of one sync at a time, which serves all that wait
  std::atomic<std::uint64_t> flushed{0};  // changes up to this one are on the disk
  std::uint64_t flush_failed = 0;         // under `flushing`: changes up to this one may not be; 0: none
  std::thread worker;                     // under `changes`
  std::atomic<bool> worker_runs{false}, stop{false};

  [[nodiscard]] bool alive(Id id) const noexcept {
    return id.slot < generations.size() && generations[id.slot] == id.generation && (id.generation & 1) != 0;
  }

  // All of these under `changes`.
  void begin() { generation->begin(version.load(std::memory_order_relaxed) + 1); }
  /// One entry of a change, which fits the slots as they are.
  void apply(const LiveLogEntry& entry);
  /// Allocates what publish() needs, so that it does not throw.
  void prepare();
  /// Readers see what was changed since begin().
  void publish();
  /// Uses again what no reader has; whole generations go to `dying`, for their end without the lock.
  void reclaim(std::vector<std::unique_ptr<LiveGeneration>>& dying);
  void reclaim_if_due(std::vector<std::unique_ptr<LiveGeneration>>& dying);
  void merge_if_due();

  void set_merge_from(std::size_t changed) noexcept;
};

/// Builds a generation from columns. Its Ids are those of `points`.
[[nodiscard]] Result<std::unique_ptr<LiveGeneration>> build_generation(
    const LiveTypes& types, CoordinateColumn xs, CoordinateColumn ys, RankColumn ranks,
    std::span<const ValueColumn> values, Array<std::uint64_t> categories, Array<FrozenPoint> points,
    const Context& context, std::pmr::memory_resource* resource);

[[nodiscard]] Result<void> merge_now(LiveStore& store, const Context& context);
/// Keeps the points in files from now on. Errors: those of begin_files() and merge_now().
[[nodiscard]] Result<void> keep_in_files(LiveStore& store, const std::string& path, const Context& context);

}  // namespace juxta::ranked_detail
