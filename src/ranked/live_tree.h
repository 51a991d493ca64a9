// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: points that come and go one at a time, in a tree whose old states can still be read.
//
//   node         32 points that are better than all below it, and 16 children: the node's cell, a square of
//                quanta, in 4 x 4 parts. A cell of one quantum is parted by a hash of the slot instead.
//
//        old root    new root          A change copies the nodes on its way, and nothing else:
//           |  \      /   |            whoever has the old root reads on undisturbed. The nodes that
//           |   \    /    |            were replaced are used again when no reader can have them.
//           a    b  b'    |
//           ^-------------+
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "ranked/live_pool.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// Where a point stands in the order of ranks.
struct LiveOrder {
  std::uint64_t key = 0;   // ordered_key() of its rank, as int64 or double
  std::uint32_t slot = 0;  // among equal ranks

  friend constexpr auto operator<=>(const LiveOrder&, const LiveOrder&) = default;
};
inline constexpr LiveOrder kBehindAll = {~std::uint64_t{0}, ~std::uint32_t{0}};

/// A point, as readers look it up. It does not change while a reader may have it.
struct LiveRecord {
  double x, y;
  std::uint64_t key;
  std::uint64_t categories;
  std::uint32_t slot, generation;
  std::array<std::uint64_t, kMostValues> values = {kNoNumber, kNoNumber};  // keys of its numbers
  std::uint64_t unused = 0;  // a record of a pool is one line of the cache

  [[nodiscard]] LiveOrder order() const noexcept { return {key, slot}; }
};
static_assert(sizeof(LiveRecord) == 64);

struct alignas(64) LiveNode {
  Block points;                             // `name` is the record
  std::uint64_t key[kBlockSize];            // of each point
  std::uint64_t child_best[kFanout];        // no key below the child is lower
  std::uint64_t child_categories[kFanout];  // no point below the child has another
  std::uint32_t child[kFanout];             // 0: none
  std::uint64_t version;                    // of the change that made it
  std::uint32_t size;                       // points
  std::uint32_t total;                      // points, with all below
  std::uint32_t worst;                      // which of the points is last in order
};

/// Beside a node, where points have numbers: the quanta of these (values_view.h).
struct alignas(64) LiveQuanta {
  std::uint16_t of[kMostValues][kBlockSize];
};

/// Where a point lies, and its numbers, in quanta.
struct LivePoint {
  std::uint16_t x, y;
  std::array<std::uint16_t, kMostValues> values;
};

/// A change's point.
struct LivePlace {
  std::uint32_t record;
  LiveOrder order;
  std::uint64_t categories;
  LivePoint at;
};

/// Which child of a node at `level` a point is below. Levels 0 to 7 take two bits of each quantum, the rest
/// four bits of the slot's hash, which no two slots share.
[[nodiscard]] constexpr std::uint32_t live_child_of(std::uint32_t level, std::uint16_t qx, std::uint16_t qy,
                                                    std::uint32_t slot) noexcept {
  if (level < 8) {
    const std::uint32_t shift = 14 - 2 * level;
    return (qx >> shift & 3U) | (qy >> shift & 3U) << 2;
  }
  const std::uint32_t hash = slot * 0x9E3779B1U;
  return hash >> (28 - 4 * (level - 8) % 32) & 15U;
}

class LiveTree {
 public:
  /// `columns`: of numbers.
  LiveTree(std::size_t columns, std::pmr::memory_resource* resource)
      : columns_(columns), nodes_(resource), quanta_(resource), records_(resource) {}

  [[nodiscard]] const LivePool<LiveNode>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] const LivePool<LiveQuanta>& quanta() const noexcept { return quanta_; }  // by node
  [[nodiscard]] const LivePool<LiveRecord>& records() const noexcept { return records_; }
  [[nodiscard]] std::uint32_t root() const noexcept { return root_; }
  [[nodiscard]] std::size_t size() const noexcept { return root_ == 0 ? 0 : nodes_[root_].total; }

  /// Changes belong to `version` from here on: nodes that it made itself are changed in place.
  void begin(std::uint64_t version) noexcept { version_ = version; }
  /// Returns the number of the record.
  std::uint32_t insert(const LiveRecord& record, const LivePoint& at);
  /// A record that is in the tree.
  void remove(std::uint32_t record, const LivePoint& at);
  /// Reuses what was replaced by changes up to `version`: no reader has it.
  void reclaim(std::uint64_t version);
  /// What waits to be reused.
  [[nodiscard]] std::size_t replaced() const noexcept { return replaced_.size() - reclaimed_; }

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return nodes_.memory_bytes() + quanta_.memory_bytes() + records_.memory_bytes() +
           replaced_.capacity() * sizeof(Replaced);
  }

 private:
  struct Replaced {
    std::uint64_t version;
    std::uint32_t number;
    bool is_record;
  };

  [[nodiscard]] LiveOrder order_at(const LiveNode& node, std::uint32_t i) const noexcept;
  void find_worst(LiveNode& node) const noexcept;
  [[nodiscard]] bool belongs_here(const LiveNode& node, const LiveOrder& order) const noexcept;
  void put_at(std::uint32_t number, std::uint32_t i, const LivePlace& place) noexcept;
  [[nodiscard]] LivePlace place_at(std::uint32_t number, std::uint32_t i) const noexcept;
  [[nodiscard]] std::uint32_t fresh_node();
  [[nodiscard]] std::uint32_t writable(std::uint32_t node);
  void retire(std::uint32_t number, bool is_record);

  std::size_t columns_;
  LivePool<LiveNode> nodes_;
  LivePool<LiveQuanta> quanta_;
  LivePool<LiveRecord> records_;
  std::uint32_t root_ = 0;
  std::uint64_t version_ = 0;
  std::vector<Replaced> replaced_;  // in order of version, from reclaimed_ on
  std::size_t reclaimed_ = 0;
};

}  // namespace juxta::ranked_detail
