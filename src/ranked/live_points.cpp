// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/ranked/live_points.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/mutex.h"
#include "juxta/core/try.h"
#include "ranked/input.h"
#include "ranked/live_input.h"
#include "ranked/live_store.h"

namespace juxta {
namespace {

using ranked_detail::check_size;
using ranked_detail::checked_coordinate;
using ranked_detail::checked_key;
using ranked_detail::coordinate_at;
using ranked_detail::LiveRecord;
using ranked_detail::LiveStore;
using ranked_detail::LiveTypes;
using ranked_detail::number_at;

constexpr std::size_t kMostPoints = (std::size_t{1} << 31) - 2;

Result<void> check_id(const LiveStore& store, Id id, std::uint64_t index = Error::kNowhere) {
  if (store.alive(id)) {
    return {};
  }
  return fail(ErrorCode::kNotFound,
              "no point has the id (slot " + std::to_string(id.slot) + ", generation " +
                  std::to_string(id.generation) + "): it was removed, or never inserted",
              index);
}

/// The error with the element that it is about.
tl::unexpected<Error> at_index(Error error, std::size_t index, std::size_t size) {
  if (size != 1) {
    error.message = "element " + std::to_string(index) + ": " + error.message;
  }
  error.index = index;
  return tl::unexpected(std::move(error));
}

Result<void> check_room(const LiveStore& store, std::size_t more) {
  if (store.generations.size() + more > kMostPoints + store.free_slots.size()) {
    return fail(ErrorCode::kTooLarge, "more than 2^31 - 2 points: split them");
  }
  return {};
}

/// A change in the making, under the lock: nothing happens before commit().
class LiveChange {
 public:
  explicit LiveChange(LiveStore& store) : store_(store), lock_(store.changes) { store.change.clear(); }

  /// A point that was checked. The slot freed last is used first.
  Id insert(LiveRecord record) {
    const std::vector<std::uint32_t>& free = store_.free_slots;
    const std::size_t taken = inserted_++;
    if (taken < free.size()) {
      record.slot = free[free.size() - 1 - taken];
      record.generation = store_.generations[record.slot] + 1;
    } else {
      record.slot = static_cast<std::uint32_t>(store_.generations.size() + taken - free.size());
      record.generation = 1;
    }
    store_.change.push_back({record, false});
    return {record.slot, record.generation};
  }
  /// In place of the point in that slot.
  void replace(const LiveRecord& record) { store_.change.push_back({record, false}); }
  void erase(Id id) {
    store_.change.push_back(
        {{.x = 0, .y = 0, .key = 0, .categories = 0, .slot = id.slot, .generation = id.generation}, true});
  }

  /// Errors: kIo, of points that are kept. Then nothing has changed, unless it is the disk that failed.
  Result<void> commit() {
    if (store_.change.empty()) {
      return {};
    }
    const std::uint64_t sequence = store_.files == nullptr ? 0 : store_.files->sequence + 1;
    if (sequence != 0) {
      JUXTA_TRY(store_.files->log->append({sequence, store_.flushed}, store_.change));
      store_.files->sequence = sequence;
    }
    store_.begin();
    for (const ranked_detail::LiveLogEntry& entry : store_.change) {
      store_.apply(entry);
    }
    store_.publish();
    store_.reclaim_if_due(dying_);
    store_.merge_if_due();
    lock_.unlock();
    return sequence != 0 && store_.options.sync == LiveSync::kDisk
               ? ranked_detail::sync_files(store_, sequence)
               : Result<void>{};
  }

 private:
  LiveStore& store_;
  std::vector<std::unique_ptr<ranked_detail::LiveGeneration>> dying_;  // goes after the lock
  core_detail::Lock lock_;
  std::size_t inserted_ = 0;
};

/// Changes many points as one: checks all of them, then edit(i, record) for each.
template <class Check, class Edit>
Result<void> change_all(LiveStore& store, std::span<const Id> ids, Check check, Edit edit) {
  LiveChange change(store);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    JUXTA_TRY(check_id(store, ids[i], i));
    if (Result<void> checked = check(i); !checked) {
      return at_index(std::move(checked).error(), i, ids.size());
    }
    LiveRecord record = store.generation->record_of(ids[i].slot);
    edit(i, record);
    change.replace(record);
  }
  return change.commit();
}

}  // namespace

LiveRankedPoints::LiveRankedPoints(Owned<LiveStore> store) noexcept : store_(std::move(store)) {}
LiveRankedPoints::LiveRankedPoints(LiveRankedPoints&&) noexcept = default;
LiveRankedPoints& LiveRankedPoints::operator=(LiveRankedPoints&&) noexcept = default;
LiveRankedPoints::~LiveRankedPoints() = default;

Result<LiveRankedPoints> LiveRankedPoints::build(const RankedColumns& points,
                                                 const LiveRankedOptions& options, const Context& context,
                                                 std::pmr::memory_resource* resource) {
  const std::size_t size = points.xs.size();
  if (size > kMostPoints) {
    return fail(ErrorCode::kTooLarge, std::to_string(size) + " points are more than 2^31 - 2: split them");
  }
  Array<ranked_detail::FrozenPoint> frozen(size, resource);
  auto store = make_owned<LiveStore>(ranked_detail::types_of(points), options, resource);
  store->generations.resize(size);
  store->points = size;
  for (std::size_t i = 0; i < size; ++i) {
    frozen[i] = {static_cast<std::uint32_t>(i), 1, 0};
    store->generations[i] = 1;
  }
  Array<std::uint64_t> categories(points.categories.size(), resource);
  std::ranges::copy(points.categories, categories.begin());
  JUXTA_TRY_LET(store->generation, ranked_detail::build_generation(
                                       store->types, points.xs, points.ys, points.ranks, points.values,
                                       std::move(categories), std::move(frozen), context, resource));
  store->set_merge_from(size / 10);
  store->publish();
  return LiveRankedPoints(std::move(store));
}

Result<void> LiveRankedPoints::keep(std::string_view path, const Context& context) {
  return ranked_detail::keep_in_files(*store_, std::string(path), context);
}

Result<LiveRankedPoints> LiveRankedPoints::open(std::string_view path, const LiveRankedOptions& options,
                                                std::pmr::memory_resource* resource) {
  JUXTA_TRY_LET(Owned<LiveStore> store, ranked_detail::open_files(std::string(path), options, resource));
  return LiveRankedPoints(std::move(store));
}

Result<void> read_live_log(std::string_view path, FunctionRef<bool(const LiveLogRow&)> visit) {
  return ranked_detail::read_log_of(std::string(path), visit);
}

Result<void> LiveRankedPoints::sync() {
  std::uint64_t sequence = 0;
  {
    const core_detail::Lock lock(store_->changes);
    sequence = store_->files == nullptr ? 0 : store_->files->sequence;
  }
  return ranked_detail::sync_files(*store_, sequence);
}

RankedSnapshot LiveRankedPoints::snapshot() const {
  return RankedSnapshot(*store_);
}

Result<Id> LiveRankedPoints::insert(const RankedPoint& point) {
  JUXTA_TRY_LET(const LiveRecord record, ranked_detail::checked_point(store_->types, point));
  LiveChange change(*store_);
  JUXTA_TRY(check_room(*store_, 1));
  const Id id = change.insert(record);
  return change.commit().map([id] { return id; });
}

Result<void> LiveRankedPoints::insert(const RankedColumns& points, std::span<Id> ids) {
  const std::size_t size = points.xs.size();
  JUXTA_TRY(ranked_detail::check_lengths(store_->types, points, ids.size()));
  std::vector<LiveRecord> records;
  records.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto record = ranked_detail::checked_point(store_->types, ranked_detail::point_at(points, i));
    if (!record) {
      return at_index(std::move(record).error(), i, size);
    }
    records.push_back(*record);
  }
  LiveChange change(*store_);
  JUXTA_TRY(check_room(*store_, size));
  for (std::size_t i = 0; i < size; ++i) {
    ids[i] = change.insert(records[i]);
  }
  return change.commit();
}

Result<void> LiveRankedPoints::remove(Id id) {
  return remove(std::span<const Id>(&id, 1));
}

Result<void> LiveRankedPoints::remove(std::span<const Id> ids) {
  LiveStore& store = *store_;
  LiveChange change(store);
  std::size_t seen = 0;
  while (seen < ids.size() && store.alive(ids[seen])) {
    ++store.generations[ids[seen].slot];  // not alive for a moment, so that a second one of it is found
    change.erase(ids[seen++]);
  }
  for (std::size_t i = 0; i < seen; ++i) {
    --store.generations[ids[i].slot];
  }
  if (seen == ids.size()) {
    return change.commit();
  }
  JUXTA_TRY(check_id(store, ids[seen], seen));
  return fail(ErrorCode::kInvalidArgument,
              "the id of slot " + std::to_string(ids[seen].slot) + " is named twice: name it once", seen);
}

Result<void> LiveRankedPoints::move(Id id, double x, double y) {
  return move(std::span<const Id>(&id, 1), std::span(&x, 1), std::span(&y, 1));
}

Result<void> LiveRankedPoints::move(std::span<const Id> ids, CoordinateColumn xs, CoordinateColumn ys) {
  JUXTA_TRY(check_size(ids.size(), xs.size(), "places"));
  JUXTA_TRY(check_size(ids.size(), ys.size(), "places"));
  const LiveTypes& types = store_->types;
  return change_all(
      *store_, ids,
      [&](std::size_t i) {
        return checked_coordinate(types, coordinate_at(xs, i), "x")
            .and_then([&](double) { return checked_coordinate(types, coordinate_at(ys, i), "y"); })
            .map([](double) {});
      },
      [&](std::size_t i, LiveRecord& record) {
        record.x = *checked_coordinate(types, coordinate_at(xs, i), "x");
        record.y = *checked_coordinate(types, coordinate_at(ys, i), "y");
      });
}

Result<void> LiveRankedPoints::set_rank(Id id, RankValue rank) {
  const std::int64_t integer = rank.integer();
  const double real = rank.real();
  return rank.is_integer() ? set_rank(std::span<const Id>(&id, 1), std::span(&integer, 1))
                           : set_rank(std::span<const Id>(&id, 1), std::span(&real, 1));
}

Result<void> LiveRankedPoints::set_rank(std::span<const Id> ids, RankColumn ranks) {
  JUXTA_TRY(check_size(ids.size(), ranks.size(), "ranks"));
  const LiveTypes& types = store_->types;
  return change_all(
      *store_, ids,
      [&](std::size_t i) { return checked_key(types, number_at(ranks, i)).map([](std::uint64_t) {}); },
      [&](std::size_t i, LiveRecord& record) { record.key = *checked_key(types, number_at(ranks, i)); });
}

Result<void> LiveRankedPoints::set_categories(Id id, std::uint64_t categories) {
  return set_categories(std::span<const Id>(&id, 1), std::span<const std::uint64_t>(&categories, 1));
}

Result<void> LiveRankedPoints::set_categories(std::span<const Id> ids,
                                              std::span<const std::uint64_t> categories) {
  JUXTA_TRY(check_size(ids.size(), categories.size(), "masks of categories"));
  return change_all(
      *store_, ids, [](std::size_t) -> Result<void> { return {}; },
      [&](std::size_t i, LiveRecord& record) { record.categories = categories[i]; });
}

Result<void> LiveRankedPoints::set_value(Id id, std::size_t column, RankValue number) {
  const std::int64_t integer = number.integer();
  const double real = number.real();
  return number.is_integer() ? set_value(std::span<const Id>(&id, 1), column, std::span(&integer, 1))
                             : set_value(std::span<const Id>(&id, 1), column, std::span(&real, 1));
}

Result<void> LiveRankedPoints::set_value(std::span<const Id> ids, std::size_t column, ValueColumn numbers) {
  JUXTA_TRY(check_size(ids.size(), numbers.size(), "numbers"));
  const LiveTypes& types = store_->types;
  if (column >= types.value_columns) {
    return fail(ErrorCode::kInvalidArgument, "there is no column " + std::to_string(column) +
                                                 " of numbers: the points were built with " +
                                                 std::to_string(types.value_columns));
  }
  const auto key_of = [&](std::size_t i) {
    return ranked_detail::checked_number(types, column, number_at(numbers, i));
  };
  return change_all(
      *store_, ids, [&](std::size_t i) { return key_of(i).map([](std::uint64_t) {}); },
      [&](std::size_t i, LiveRecord& record) { record.values[column] = *key_of(i); });
}

Result<RankedPoint> LiveRankedPoints::find(Id id) const {
  const core_detail::Lock lock(store_->changes);
  JUXTA_TRY(check_id(*store_, id));
  const LiveRecord record = store_->generation->record_of(id.slot);
  return ranked_detail::point_of(store_->types, record);
}

std::size_t LiveRankedPoints::size() const noexcept {
  return store_->size.load(std::memory_order_relaxed);
}

std::size_t LiveRankedPoints::value_columns() const noexcept {
  return store_->types.value_columns;
}

Result<void> LiveRankedPoints::merge(const Context& context) {
  return ranked_detail::merge_now(*store_, context);
}

std::size_t LiveRankedPoints::unmerged() const noexcept {
  return store_->unmerged.load(std::memory_order_relaxed);
}

std::size_t LiveRankedPoints::memory_bytes() const {
  const core_detail::Lock lock(store_->changes);
  std::size_t bytes = sizeof(LiveStore) + store_->generation->memory_bytes() +
                      store_->generations.memory_bytes() +
                      store_->free_slots.capacity() * sizeof(std::uint32_t);
  for (const auto& old : store_->old_generations) {
    bytes += old.what->memory_bytes();
  }
  return bytes;
}

}  // namespace juxta
