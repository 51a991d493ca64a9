// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A merge: the index is built again from a snapshot, while changes go on and are written down; then those are
// made to the new one too.
//
//   changes   --------- a b c d e f ------ g h --- i ----------------
//   merge        snapshot | build          | a .. f | g h | i, swap |     under the lock: the last few only

#include <algorithm>
#include <array>
#include <concepts>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "ranked/input.h"
#include "ranked/live_store.h"

namespace juxta::ranked_detail {
namespace {

/// All points of a state in the order of their slots.
class LiveColumns {
 public:
  LiveColumns(const LiveStore& store, const LiveState& state)
      : coordinates(store.resource),
        ranks(store.resource),
        categories(store.resource),
        points(store.resource),
        keys_{Array<std::uint64_t>(store.resource), Array<std::uint64_t>(store.resource)},
        numbers_{Array<std::byte>(store.resource), Array<std::byte>(store.resource)} {
    collect_live(state);
    with_type(store.types.rank, [&]<class R>(R) {
      store.types.coordinate == ScalarType::kDouble ? gather<double, R>(store, state)
                                                    : gather<float, R>(store, state);
    });
    for (std::size_t c = 0; c < store.types.value_columns; ++c) {
      values.push_back(with_type(store.types.values[c], [&]<class V>(V) { return numbers<V>(store, c); }));
    }
  }

  Array<std::byte> coordinates;  // x, y, x, y ...
  Array<std::byte> ranks;
  Array<std::uint64_t> categories;
  Array<FrozenPoint> points;
  std::vector<ValueColumn> values;

 private:
  /// Column c of the numbers, from its keys, which go.
  template <class V>
  ValueColumn numbers(const LiveStore& store, std::size_t c) {
    Array<std::uint64_t> keys = std::exchange(keys_[c], Array<std::uint64_t>(store.resource));
    numbers_[c].resize_discard(keys.size() * sizeof(V));
    V* const to = reinterpret_cast<V*>(numbers_[c].data());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const RankValue number = store.types.number_of(c, keys[i]);
      to[i] = std::integral<V> ? static_cast<V>(number.integer()) : static_cast<V>(number.real());
    }
    return {to, keys.size()};
  }

  void collect_live(const LiveState& state) {
    if (state.live_root == 0) {
      return;
    }
    const LiveTree& tree = state.generation->live();
    std::vector<std::uint32_t> nodes = {state.live_root};
    while (!nodes.empty()) {
      const LiveNode& node = tree.nodes()[nodes.back()];
      nodes.pop_back();
      for (std::uint32_t i = 0; i < node.size; ++i) {
        live_.push_back(tree.records()[node.points.name[i]]);
      }
      std::ranges::copy_if(node.child, std::back_inserter(nodes), [](std::uint32_t c) { return c != 0; });
    }
    std::ranges::sort(live_, {}, &LiveRecord::slot);
  }

  template <class T, class R>
  void gather(const LiveStore& store, const LiveState& state) {
    coordinates.resize_discard(2 * state.size * sizeof(T));
    ranks.resize_discard(state.size * sizeof(R));
    categories.resize_discard(state.size);
    points.resize_discard(state.size);
    for (std::size_t c = 0; c < store.types.value_columns; ++c) {
      keys_[c].resize_discard(state.size);
    }
    T* const xy = reinterpret_cast<T*>(coordinates.data());
    R* const rank = reinterpret_cast<R*>(ranks.data());
    std::size_t size = 0;
    std::uint64_t used = 0;
    const auto add = [&](const LiveRecord& record) {
      const RankValue value = store.types.value_of(record.key);
      xy[2 * size] = static_cast<T>(record.x);
      xy[2 * size + 1] = static_cast<T>(record.y);
      rank[size] =
          static_cast<R>(std::integral<R> ? static_cast<R>(value.integer()) : static_cast<R>(value.real()));
      categories[size] = record.categories;
      for (std::size_t c = 0; c < store.types.value_columns; ++c) {
        keys_[c][size] = record.values[c];
      }
      points[size++] = {record.slot, record.generation, 0};
      used |= record.categories;
    };
    const LiveGeneration& from = *state.generation;
    auto next = live_.begin();
    for (std::uint32_t i = 0; i < from.frozen().size(); ++i) {
      for (; next != live_.end() && next->slot < from.frozen_id(i).slot; ++next) {
        add(*next);
      }
      if (!from.gone(i, state.sequence)) {
        add(from.frozen_record(i));
      }
    }
    std::for_each(next, live_.end(), add);
    if (used == 0) {
      categories = Array<std::uint64_t>(store.resource);
    }
  }

  std::vector<LiveRecord> live_;
  std::array<Array<std::uint64_t>, kMostValues> keys_;
  std::array<Array<std::byte>, kMostValues> numbers_;
};

/// Watches for the end of the object, and passes on to the caller's monitor.
class StopMonitor final : public Monitor {
 public:
  StopMonitor(const std::atomic<bool>& stop, Monitor* outer) noexcept : stop_(stop), outer_(outer) {}
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override {
    return !stop_ && report(outer_, stage, done, total);
  }

 private:
  const std::atomic<bool>& stop_;
  Monitor* outer_;
};

[[nodiscard]] Result<std::unique_ptr<LiveGeneration>> build_again(const LiveStore& store,
                                                                  const LiveState& state,
                                                                  const Context& context) {
  LiveColumns columns(store, state);
  const auto build = [&]<class T, class R>(T, R) {
    const T* const xy = reinterpret_cast<const T*>(columns.coordinates.data());
    const std::size_t size = columns.points.size();
    const T* const ys = size == 0 ? xy : xy + 1;  // of no points, both are null
    return build_generation(store.types, {xy, size, 2 * sizeof(T)}, {ys, size, 2 * sizeof(T)},
                            {reinterpret_cast<const R*>(columns.ranks.data()), size}, columns.values,
                            std::move(columns.categories), std::move(columns.points), context,
                            store.resource);
  };
  return with_type(store.types.rank, [&]<class R>(R r) {
    return store.types.coordinate == ScalarType::kDouble ? build(double{}, r) : build(float{}, r);
  });
}

void replay(LiveGeneration& generation, const std::vector<LiveLogEntry>& log) {
  for (const LiveLogEntry& entry : log) {
    generation.begin(0);  // nobody reads it yet
    if (entry.is_erased) {
      generation.erase(entry.record.slot);
    } else {
      generation.put(entry.record);
    }
  }
}

/// A merge: holds the snapshot that it begins from, and has changes written down until it ends.
class LiveMerge {
 public:
  /// `log`: of the changes from here on; null where the points are not kept.
  LiveMerge(LiveStore& store, std::shared_ptr<LiveLog> log) : store_(store) {
    const core_detail::Lock lock(store.changes);
    store.log.clear();
    if (log != nullptr) {
      collect_slots();
      store.files->old_logs.reserve(store.files->old_logs.size() + 1);
      slots_.number = store.files->last_log + 1;
      slots_.sequence = store.files->sequence;
    }
    slot_ = &store.readers.pin(store.version);
    state_ = store.state;
    store.logging = true;
    if (log != nullptr) {
      store.files->go_on_in(std::move(log), slots_.number);
    }
  }
  LiveMerge(const LiveMerge&) = delete;
  LiveMerge& operator=(const LiveMerge&) = delete;
  ~LiveMerge() {
    Readers::release(*slot_);
    const core_detail::Lock lock(store_.changes);
    store_.logging = false;
    store_.log.clear();
  }
  [[nodiscard]] const LiveState& state() const noexcept { return *state_; }
  /// Of points that are kept.
  [[nodiscard]] const LiveSlots& slots() const noexcept { return slots_; }

 private:
  void collect_slots() {
    slots_.free.reserve(store_.used_up.size() + store_.free_slots.size());
    for (const std::uint32_t slot : store_.used_up) {
      slots_.free.push_back({slot, 0});
    }
    for (const std::uint32_t slot : store_.free_slots) {
      slots_.free.push_back({slot, store_.generations[slot]});
    }
  }

  LiveStore& store_;
  LiveSlots slots_;
  ReaderSlot* slot_ = nullptr;
  const LiveState* state_ = nullptr;
};

/// Makes the changes since the snapshot to the new generation, and publishes it.
void catch_up(LiveStore& store, std::unique_ptr<LiveGeneration> generation) {
  constexpr std::size_t kFew = 64, kRounds = 20;
  std::vector<LiveLogEntry> batch;
  std::vector<std::unique_ptr<LiveGeneration>> dying;  // outlives the lock: memory goes back slowly
  for (std::size_t round = 0;; ++round) {
    core_detail::Lock lock(store.changes);
    batch.clear();
    std::swap(batch, store.log);
    if (batch.size() > kFew && round < kRounds) {
      lock.unlock();
      replay(*generation, batch);
      continue;
    }
    replay(*generation, batch);
    store.old_generations.reserve(store.old_generations.size() + 1);
    store.prepare();
    // Nothing throws from here on.
    std::swap(store.generation, generation);
    store.logging = false;
    store.wasted = 0;
    store.set_merge_from(store.generation->frozen().size() / 10);
    store.begin();
    store.publish();
    store.old_generations.push_back({store.version, std::move(generation)});
    store.reclaim(dying);
    return;
  }
}

/// A log for the changes from now on; null where the points are not kept.
Result<std::shared_ptr<LiveLog>> next_log(const LiveStore& store) {
  if (store.files == nullptr) {  // it changes under `merging` alone, which is held
    return std::shared_ptr<LiveLog>();
  }
  const std::uint64_t number = store.files->last_log + 1;
  JUXTA_TRY_LET(LiveLog log, LiveLog::create(store.files->log_path(number), number, store.types));
  return std::make_shared<LiveLog>(std::move(log));
}

/// The file of points is new: what it holds is on the disk, and older logs are not needed.
void settle_files(LiveStore& store, const LiveSlots& slots) {
  std::vector<std::shared_ptr<LiveLog>> old;
  {
    const core_detail::Lock flushing(store.flushing);
    const core_detail::Lock lock(store.changes);
    std::swap(old, store.files->old_logs);
    store.flushed = std::max<std::uint64_t>(store.flushed, slots.sequence);
    store.flush_failed = store.flush_failed <= slots.sequence ? 0 : store.flush_failed;
  }
  forget_old_logs(old);
}

/// Under `merging`.
Result<void> merge_locked(LiveStore& store, const Context& context) {
  StopMonitor monitor(store.stop, context.monitor);
  JUXTA_TRY_LET(std::shared_ptr<LiveLog> log, next_log(store));
  const bool kept = log != nullptr;
  const LiveMerge merge(store, std::move(log));
  JUXTA_TRY_LET(std::unique_ptr<LiveGeneration> built,
                build_again(store, merge.state(), {context.executor, context.workspace, &monitor}));
  if (kept) {
    JUXTA_TRY(save_live_file(store.files->path, store.types, *built, merge.slots()));
    settle_files(store, merge.slots());
  }
  catch_up(store, std::move(built));
  return {};
}

}  // namespace

Result<std::unique_ptr<LiveGeneration>> build_generation(const LiveTypes& types, CoordinateColumn xs,
                                                         CoordinateColumn ys, RankColumn ranks,
                                                         std::span<const ValueColumn> values,
                                                         Array<std::uint64_t> categories,
                                                         Array<FrozenPoint> points, const Context& context,
                                                         std::pmr::memory_resource* resource) {
  JUXTA_TRY_LET(RankedPoints frozen,
                RankedPoints::build(xs, ys, ranks,
                                    {.categories = categories.span(), .keep_ranks = true, .values = values},
                                    context, resource));
  return std::make_unique<LiveGeneration>(types, std::move(frozen), std::move(points), std::move(categories),
                                          resource);
}

Result<void> merge_now(LiveStore& store, const Context& context) {
  const core_detail::Lock merging(store.merging);
  return merge_locked(store, context);
}

Result<void> keep_in_files(LiveStore& store, const std::string& path, const Context& context) {
  const core_detail::Lock merging(store.merging);
  if (store.files != nullptr) {
    return fail(ErrorCode::kInvalidArgument, "the points are kept already, in " + store.files->path);
  }
  JUXTA_TRY_LET(std::unique_ptr<LiveFiles> files, begin_files(path, store.types));
  {
    const core_detail::Lock flushing(store.flushing);
    const core_detail::Lock lock(store.changes);
    store.files = std::move(files);
    store.flushed = 0;
    store.flush_failed = 0;
  }
  Result<void> merged = merge_locked(store, context);
  if (!merged) {
    {
      const core_detail::Lock flushing(store.flushing);
      const core_detail::Lock lock(store.changes);
      files = std::move(store.files);
    }
    end_files(*files);
  }
  return merged;
}

}  // namespace juxta::ranked_detail
