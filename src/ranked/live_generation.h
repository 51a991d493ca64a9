// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: LiveRankedPoints between two merges: a frozen index, the points since, and those that are gone.
//
//   slot --where--> frozen index i ---> points[i]: slot, generation, removed_at;  categories[i]
//               \-> record of the live tree
//
// A frozen point that goes gets the number of the change, and a place in a tree of the removed ones, which
// count() takes away. Readers compare the number with that of their own state.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "core/prefetch.h"
#include "juxta/core/array.h"
#include "juxta/core/id.h"
#include "juxta/math/rect.h"
#include "juxta/ranked/live_points.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/live_kernel.h"
#include "ranked/live_tree.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {

/// Of the columns that the points were made with.
struct LiveTypes {
  ScalarType coordinate = ScalarType::kFloat;
  ScalarType rank = ScalarType::kInt32;
  std::uint32_t value_columns = 0;
  std::array<ScalarType, kMostValues> values = {ScalarType::kDouble, ScalarType::kDouble};

  [[nodiscard]] bool integer_ranks() const noexcept {
    return rank == ScalarType::kInt32 || rank == ScalarType::kInt64;
  }
  /// The same order as that of the ranks, whichever type they have.
  [[nodiscard]] std::uint64_t key_of(const RankValue& value) const noexcept;
  [[nodiscard]] RankValue value_of(std::uint64_t key) const noexcept;
  /// Of a key of column `c` of the numbers. NaN: there is none.
  [[nodiscard]] RankValue number_of(std::size_t c, std::uint64_t key) const noexcept;
};

/// The point as callers see it.
[[nodiscard]] inline RankedPoint point_of(const LiveTypes& types, const LiveRecord& record) noexcept {
  RankedPoint point = {record.x, record.y, types.value_of(record.key), record.categories};
  for (std::size_t c = 0; c < types.value_columns; ++c) {
    point.values[c] = types.number_of(c, record.values[c]);
  }
  return point;
}

/// What an answer of the frozen index is looked up for, side by side: one miss.
struct FrozenPoint {
  std::uint32_t slot, generation;
  std::uint64_t removed_at;  // by which change; 0: it is there
};

class LiveGeneration {
 public:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  /// `frozen` has its ranks. `ids` and `categories`: by its index; slots ascend. `categories` may be empty.
  LiveGeneration(const LiveTypes& types, RankedPoints frozen, Array<FrozenPoint> points,
                 Array<std::uint64_t> categories, std::pmr::memory_resource* resource);

  [[nodiscard]] const RankedPoints& frozen() const noexcept { return frozen_; }
  [[nodiscard]] const LiveTree& live() const noexcept { return live_; }
  [[nodiscard]] const LiveTree& removed() const noexcept { return removed_; }
  /// The Id of a frozen point. Where all are as they were numbered, nothing is looked up.
  [[nodiscard]] Id frozen_id(std::uint32_t index) const noexcept {
    return numbered_ ? Id{index, 1} : Id{points_[index].slot, points_[index].generation};
  }
  /// Whether a change up to `sequence` has removed a frozen point. Most are told apart by a bit, which is in
  /// the cache.
  [[nodiscard]] bool gone(std::uint32_t index, std::uint64_t sequence) const noexcept {
    return marked(index) && removed_by(index, sequence);
  }
  /// The same in two steps, for many points: whether some change has removed it, perhaps one that is being
  /// made; and whether a change up to `sequence` did.
  [[nodiscard]] bool marked(std::uint32_t index) const noexcept {
    return (bits_of(index).load(std::memory_order_acquire) >> index % 64 & 1) != 0;
  }
  [[nodiscard]] bool removed_by(std::uint32_t index, std::uint64_t sequence) const noexcept {
    const std::uint64_t at = std::atomic_ref(const_cast<std::uint64_t&>(points_[index].removed_at))
                                 .load(std::memory_order_relaxed);
    return at != 0 && at <= sequence;
  }
  /// Whether all marks that were read before are of changes up to `sequence`: no later one had begun.
  [[nodiscard]] bool is_latest(std::uint64_t sequence) const noexcept { return this->sequence() == sequence; }
  [[nodiscard]] std::uint32_t frozen_slot(std::uint32_t index) const noexcept {
    return numbered_ ? index : points_[index].slot;
  }
  /// Fetches what frozen_id() reads.
  void prefetch_id(std::uint32_t index) const noexcept {
    if (!numbered_) {
      core_detail::prefetch_line(&points_[index]);
    }
  }
  void prefetch_key(std::uint32_t index) const noexcept;
  [[nodiscard]] std::span<const FrozenPoint> points() const noexcept { return points_.span(); }
  /// By frozen index; empty: no point has a category.
  [[nodiscard]] std::span<const std::uint64_t> categories() const noexcept { return categories_.span(); }
  [[nodiscard]] std::size_t unmerged() const noexcept { return live_.size() + removed_.size(); }
  [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_.load(std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t frozen_key(std::uint32_t index) const noexcept;
  [[nodiscard]] LiveOrder frozen_order(std::uint32_t index) const noexcept {
    return {frozen_key(index), frozen_slot(index)};
  }
  [[nodiscard]] LiveRecord frozen_record(std::uint32_t index) const noexcept;
  /// How many frozen points have a slot up to this one.
  [[nodiscard]] std::uint32_t frozen_up_to(std::uint32_t slot) const noexcept;

  /// The question in quanta. False: nothing is inside.
  [[nodiscard]] bool question_of(const RankedRegion& region, const RankedFilter& filter,
                                 LiveQuestion& question) const noexcept;

  // Changes, from one thread at a time. Those between two calls of begin() are one change.
  void begin(std::uint64_t version) noexcept;
  /// In place of the point that is in its slot, if there is one.
  void put(const LiveRecord& record);
  void erase(std::uint32_t slot);
  void reclaim(std::uint64_t version);
  [[nodiscard]] std::size_t replaced() const noexcept { return live_.replaced() + removed_.replaced(); }
  /// The point in a slot that is in use.
  [[nodiscard]] LiveRecord record_of(std::uint32_t slot) const noexcept;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  static constexpr std::uint32_t kLive = 0x8000'0000U;

  [[nodiscard]] std::atomic_ref<std::uint64_t> bits_of(std::uint32_t index) const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(gone_bits_[index / 64]));
  }
  [[nodiscard]] std::array<std::uint16_t, 2> quanta_of(const AxisView& axis, double a,
                                                       double b) const noexcept;
  [[nodiscard]] std::uint16_t value_quantum(std::size_t c, std::uint64_t key) const noexcept;
  [[nodiscard]] LivePoint point_of(const LiveRecord& record) const noexcept;
  [[nodiscard]] bool ranges_of(const RankedFilter& filter, LiveQuestion& question) const noexcept;
  [[nodiscard]] const RankedView& view() const noexcept { return StoreAccess::view(frozen_); }

  LiveTypes types_;
  RankedPoints frozen_;
  Array<FrozenPoint> points_;
  Array<std::uint64_t> categories_;
  Array<std::uint64_t> gone_bits_;  // a bit for each frozen point: some change has removed it
  bool numbered_ = true;            // frozen point i has slot i and generation 1
  Array<std::uint32_t> where_;      // by slot: a frozen index, or a record with kLive; unused: kNowhere
  LiveTree live_, removed_;
  // Of the last change that has begun. It is set before the marks of the change are, which readers see in
  // this order.
  std::atomic<std::uint64_t> sequence_{0};
};

}  // namespace juxta::ranked_detail
