// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/ranked/record.h"
#include "juxta/core/array.h"

namespace juxta::classics {

/// Third place of the Churchill Navigation challenge (2015), the method that Juxta's ranked room started
/// from.
///
///   rank order   [ 2048 best ]                       scanned first, in rank order: the first k hits are it
///   level 0      [ 3050 best, by x ][ same, by y ]
///   level 1      [ 9150 best, by x ][ same, by y ]   next[i]: where point i of level 0 stands here
///   ...          3050 * 3^n, the last one holds all
///
/// A query goes down until a level holds k hits: it reads the slab between its x bounds in the x order or
/// between its y bounds in the y order, whichever is shorter, and keeps the k best hits in a max-heap. Bounds
/// are searched once in level 0; below, next[] leaves only the few points between two neighbours above.
///
/// Memory: 53 to 77 bytes per point. Finite coordinates only. Const members may be called from many threads.
/// Allocates only for k > 1024.
class Mipmap {
 public:
  explicit Mipmap(const RankedColumns& points);

  /// Writes the min(k, hits) lowest-ranked points inside `rect`, in ascending rank; returns how many.
  std::size_t top(const RectF& rect, std::size_t k, Record* out) const;
  /// The same, as input indices.
  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  // One level in one order. `major` ascends; the slab between two bounds needs a test of `minor` only.
  struct Order {
    Array<float> major, minor;
    Array<std::uint32_t> position;  // in rank order
    Array<std::uint32_t> next;      // index of the same point in the level below; empty in the last level
  };
  struct Level {
    Order by_x, by_y;
  };
  struct Slab {
    std::uint32_t first = 0, last = 0;
  };
  class Heap;

  static void fill_order(Order& order, std::size_t size, const std::vector<std::uint64_t>& sorted,
                         const std::vector<float>& major, const std::vector<float>& minor);
  static void link(Order& order, const Order& below, std::vector<std::uint32_t>& place);

  static Slab search(const Order& order, float low, float high);
  static Slab descend(const Order& order, const Order& below, Slab slab, float low, float high);
  static void scan_slab(const Order& order, Slab slab, float low, float high, Heap& heap);
  std::size_t scan_best(const RectF& rect, std::size_t k, std::uint32_t* positions) const;
  std::size_t search_levels(const RectF& rect, std::size_t k, std::uint32_t* positions) const;
  template <class Write>
  std::size_t answer(const RectF& rect, std::size_t k, const Write& write) const;

  std::size_t size_;
  Array<float> best_x_, best_y_;  // of the 2048 best, in rank order
  Array<Record> records_;         // in rank order
  Array<std::uint32_t> input_;    // rank order -> input index
  std::vector<Level> levels_;
};

}  // namespace juxta::classics
