// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: links whose round is still to come.
#pragma once

#include <atomic>
#include <cstdint>

#include "transform/store.h"

namespace juxta::transform_detail {

/// HierarchyStore::queues during a propagation. From any task; to add a link once is enough.
class LinkQueue {
 public:
  explicit LinkQueue(HierarchyStore& store) noexcept : store_(store) {}

  void add(std::uint32_t at) noexcept {
    Link& link = store_.links[at];
    if (std::atomic_ref(link.queued).exchange(store_.version, std::memory_order_relaxed) == store_.version) {
      return;
    }
    std::atomic_ref head(store_.queues[link.depth]);
    link.queue_next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(link.queue_next, at, std::memory_order_relaxed)) {
    }
    std::uint32_t deepest = deepest_.load(std::memory_order_relaxed);
    while (deepest < link.depth &&
           !deepest_.compare_exchange_weak(deepest, link.depth, std::memory_order_relaxed)) {
    }
  }

  /// Links from rows that were computed, with what they take from them; but not from roots: those have had
  /// theirs before round 0.
  void add_below(const Tile& tile, const RowMask& marks) noexcept {
    const RowMask& has_links = tile.has_links();
    for (std::uint32_t w = 0; w < kTileWords && &has_links != &kNoRows; ++w) {
      for_each_bit(marks.words[w] & has_links.words[w], w * 64, [&](std::uint32_t row) {
        if (tile.linked.test(row) && tile.parent[row] == 0) {
          return;
        }
        for (std::uint32_t at = tile.first_link[row]; at != 0; at = store_.links[at].next) {
          store_.links[at].moved = store_.links[at].framed = store_.version;
          store_.links[at].frame = {tile.world_at(row), tile.cold[row].stretch};
          add(at);
        }
      });
    }
  }

  [[nodiscard]] std::uint32_t deepest() const noexcept { return deepest_.load(std::memory_order_relaxed); }

 private:
  HierarchyStore& store_;
  std::atomic<std::uint32_t> deepest_ = 0;
};

}  // namespace juxta::transform_detail
