// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/ranked/record.h"
#include "juxta/core/array.h"

namespace juxta::classics {

class RankHeap;

/// What the contest entry's article says did not work: a k-d tree whose leaves are blocks of points. The
/// article prints no code; this is a competent one. Median splits across the longer side; leaves of at most
/// `block` points in rank order, tested a register at a time; every node has the bounds and the lowest rank
/// of what is below it. A query takes the child with the lower rank first, and leaves out what ranks behind
/// the worst of the k best hits so far.
///
/// Finite coordinates only. Const members may be called from many threads.
class KdTree {
 public:
  KdTree(const RankedColumns& points, std::size_t block);

  /// Writes the input indices of the min(k, hits) lowest-ranked points inside `rect`, in ascending rank;
  /// returns how many.
  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const;

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct Node {
    RectF box;
    std::uint32_t best;         // lowest position below
    std::uint32_t first, last;  // its points
    std::uint32_t child;        // the first of two children next to each other; 0: a leaf
  };
  struct Builder;

  void scan(const Node& leaf, const RectF& rect, RankHeap& heap) const;
  void visit(std::uint32_t at, const RectF& rect, RankHeap& heap) const;

  std::vector<Node> nodes_;
  Array<float> x_, y_;                // leaf by leaf, in each in rank order
  Array<std::uint32_t> position_;     // the same points, as positions in rank order
  std::vector<std::uint32_t> input_;  // rank order -> input index
};

}  // namespace juxta::classics
