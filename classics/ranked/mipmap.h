// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/ranked/record.h"
#include "juxta/core/array.h"

namespace juxta::classics {

class RankHeap;

/// An entry of the Churchill Navigation challenge, as its article describes it (docs/articles.md): the method
/// that Juxta's `ranked` began from.
///
///   rank order   [ 2048 best ]                            scanned first, in rank order: the first k hits are
///   it level 0      [ 3050 best, by x ][ same, by y ] level 1      [ next 9150, by x ][ same, by y ]
///   next[i]: where the value of point i would stand here
///   ...          3050 * 3^n: eight levels hold 10 million points, each of them once
///
/// A query goes down the levels with one max-heap of the k best hits. In each level it reads the slab between
/// its x bounds in the x order or between its y bounds in the y order, whichever is shorter. Every point of a
/// level ranks behind all points of the levels above it, so the first level after which the heap is full ends
/// the query. Bounds are searched once in level 0; below, next[] leaves only the few points between two
/// neighbours above.
///
/// As printed: the sizes, levels that share no point, both orders, the shorter slab, the heap that is carried
/// along, the table from level to level, 13-byte records. Not as printed: registers of this machine's width
/// where the article has 8 lanes; hits that rank behind the heap's top are dropped in the register, before
/// the heap; the top is replaced in one pass down the heap, where the article pops and pushes; records come
/// back in rank order. The article's loop over the best does not run as printed: its test of the lanes ends
/// in a comma and a 0 (tests/classics/ranked_slips_test.cpp).
///
/// Memory: 44 bytes per point, 4 of them for top_ids(). Finite coordinates only. Const members may be called
/// from many threads. Allocates only for k > 1024.
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
    Array<std::uint32_t> next;  // first index in the level below that is not smaller; empty in the last level
  };
  struct Level {
    Order by_x, by_y;
  };
  struct Slab {
    std::uint32_t first = 0, last = 0;
  };

  static void fill_order(Order& order, std::size_t first, std::size_t last, const std::vector<float>& major,
                         const std::vector<float>& minor);
  static void link(Order& order, const Order& below);

  static Slab search(const Order& order, float low, float high);
  static Slab descend(const Order& order, const Order& below, Slab slab, float low, float high);
  static void scan_slab(const Order& order, Slab slab, float low, float high, RankHeap& heap);
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
