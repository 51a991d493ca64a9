// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace juxta::classics {

/// A node of an augmented interval tree (Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, 14.3)
/// in Eytzinger order: a binary search tree by xmin, laid out as a heap, so that there are no pointers.
///
///   rows sorted by xmin     0 1 2 3 4 5 6 7 8 9
///   nodes                   [6] [3 8] [1 5 7 9] [0 2 4]        children of node k: 2k + 1 and 2k + 2
struct IntervalNode {
  float xmin, xmax;
  float subtree_xmax;  ///< The largest xmax of this node and all below it.
  std::uint32_t row;   ///< Counted from the begin of the bucket.
};

/// Which sorted row stands at node `k` (0 is the root) of a tree of `size` nodes. In a full tree it follows
/// from level and place alone; rows of the last level that are not there shift those after them.
[[nodiscard]] inline std::uint32_t row_of_node(std::uint32_t k, std::uint32_t size) noexcept {
  const auto levels = static_cast<std::uint32_t>(std::bit_width(size));
  const auto level = static_cast<std::uint32_t>(std::bit_width(k + 1)) - 1;
  const std::uint32_t place = k + 1 - (1U << level);
  const std::uint64_t full = ((std::uint64_t{2} * place + 1) << (levels - 1 - level)) - 1;
  const std::uint64_t in_last_level = size - ((1U << (levels - 1)) - 1);
  const std::uint64_t leaves_before = (full + 1) / 2;
  return static_cast<std::uint32_t>(full -
                                    (leaves_before > in_last_level ? leaves_before - in_last_level : 0));
}

/// Fills `nodes` from rows that ascend in xmin. One pass from the last node to the first: writes go down
/// through memory, and so do the reads of the children, whose maxima are always there already.
inline void build_interval_tree(const float* xmin, const float* xmax, std::uint32_t size,
                                IntervalNode* nodes) noexcept {
  for (std::uint32_t k = size; k-- > 0;) {
    const std::uint32_t row = row_of_node(k, size);
    float most = xmax[row];
    const std::uint64_t left = std::uint64_t{2} * k + 1;
    if (left < size) {
      most = std::max(most, nodes[left].subtree_xmax);
    }
    if (left + 1 < size) {
      most = std::max(most, nodes[left + 1].subtree_xmax);
    }
    nodes[k] = {xmin[row], xmax[row], most, row};
  }
}

/// The published prune drops a subtree when `x >= subtree_xmax`, and with it boxes that end exactly where the
/// query begins, although pairs of touching boxes are reported. kPublished is here to show that in a test.
enum class Prune : std::uint8_t { kCorrected, kPublished };

/// Calls visit(row) for every interval that began before `x` and has not ended: xmin < x <= xmax. Stops when
/// it returns false, and then returns false. As published, one function that calls itself.
template <Prune kPrune = Prune::kCorrected, class Visit>
bool walk_recursively(const IntervalNode* nodes, std::uint32_t size, float x, const Visit& visit,
                      std::uint64_t k = 0) {
  if (k >= size) {
    return true;
  }
  const IntervalNode& node = nodes[k];
  if (kPrune == Prune::kCorrected ? x > node.subtree_xmax : x >= node.subtree_xmax) {
    return true;
  }
  if (!walk_recursively<kPrune>(nodes, size, x, visit, 2 * k + 1)) {
    return false;
  }
  if (x <= node.xmin) {
    return true;
  }
  if (x <= node.xmax && !visit(node.row)) {
    return false;
  }
  return walk_recursively<kPrune>(nodes, size, x, visit, 2 * k + 2);
}

/// The same with its own stack. A node is taken off before its two children go on, so the stack holds at most
/// one node a level and one more: 33 for 2^32 nodes.
template <class Visit>
bool walk_with_stack(const IntervalNode* nodes, std::uint32_t size, float x, const Visit& visit) {
  std::array<std::uint32_t, 34> stack;
  std::uint32_t depth = 0;
  const auto push = [&](std::uint64_t k) {
    if (k < size && x <= nodes[k].subtree_xmax) {
      stack[depth++] = static_cast<std::uint32_t>(k);
    }
  };
  push(0);
  while (depth > 0) {
    const std::uint64_t k = stack[--depth];
    const IntervalNode& node = nodes[k];
    if (x > node.xmin) {
      if (x <= node.xmax && !visit(node.row)) {
        return false;
      }
      push(2 * k + 2);
    }
    push(2 * k + 1);
  }
  return true;
}

}  // namespace juxta::classics
