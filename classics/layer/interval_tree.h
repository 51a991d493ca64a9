// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// As printed in "Find Objects 1": the node, its order in memory, the build in two recursions, the recursive
// walk and the loop that took its place. Not printed, and named so where they are used: the build in one pass
// (build_interval_tree), the loop over a stack of nodes (walk_with_stack), and visitors that can stop.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

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

/// Fills `nodes` from rows that ascend in xmin. Not the printed form: one pass from the last node to the
/// first, in which writes go down through memory, and so do the reads of the children, whose maxima are
/// always there already.
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

/// How the tree is built; what is found is the same.
enum class TreeBuild : std::uint8_t {
  kOnePass,         ///< Not the printed form: build_interval_tree() above.
  kTwoRecursions,   ///< The printed form, its slip corrected.
  kPublishedZeros,  ///< The printed form with its slip: a child that is not there counts as 0 in the maximum,
                    ///< so no maximum is below 0, and a walk for an x below 0 leaves nothing out: it reads
                    ///< every node that begins before x. Worlds around 0 pay for that with half of their
                    ///< queries.
};

/// The published build: one recursion deals the rows out to the nodes in search order, a second one fills in
/// the maxima.
class RecursiveTreeBuild {
 public:
  RecursiveTreeBuild(const float* xmin, const float* xmax, std::uint32_t size, IntervalNode* nodes,
                     float missing) noexcept
      : xmin_(xmin), xmax_(xmax), size_(size), nodes_(nodes), missing_(missing) {}

  void run() noexcept {
    deal(0, 0);
    patch(0);
  }

 private:
  // Rows from `row` on to the subtree at `k`; returns the first one that is left.
  std::uint32_t deal(std::uint32_t row, std::uint64_t k) noexcept {
    if (k >= size_) {
      return row;
    }
    row = deal(row, 2 * k + 1);
    nodes_[k] = {xmin_[row], xmax_[row], xmax_[row], row};
    return deal(row + 1, 2 * k + 2);
  }
  float patch(std::uint64_t k) noexcept {
    if (k >= size_) {
      return missing_;
    }
    const float left = patch(2 * k + 1), right = patch(2 * k + 2);
    nodes_[k].subtree_xmax = std::max(std::max(left, right), nodes_[k].subtree_xmax);
    return nodes_[k].subtree_xmax;
  }

  const float* xmin_;
  const float* xmax_;
  std::uint32_t size_;
  IntervalNode* nodes_;
  float missing_;  // the maximum of a child that is not there
};

/// Fills `nodes` in one of the ways above.
inline void build_interval_tree(TreeBuild build, const float* xmin, const float* xmax, std::uint32_t size,
                                IntervalNode* nodes) noexcept {
  if (build == TreeBuild::kOnePass) {
    build_interval_tree(xmin, xmax, size, nodes);
  } else {
    const float missing = build == TreeBuild::kPublishedZeros ? 0 : -std::numeric_limits<float>::infinity();
    RecursiveTreeBuild(xmin, xmax, size, nodes, missing).run();
  }
}

/// The published walk leaves a subtree when `x >= subtree_xmax`, and with it boxes that end exactly where the
/// query begins, although pairs of touching boxes are reported. kPublished is here to show that in a test.
enum class Prune : std::uint8_t { kCorrected, kPublished };

/// A visitor returns nothing, as published: all are visited. Or it returns false to end the walk.
template <class Visit>
using VisitEnds = std::invoke_result_t<const Visit&, std::uint32_t>;

/// Runs `step` (a call of a visitor, or of a walk); true when it wants the end.
template <class Step>
bool ends(const Step& step) {
  if constexpr (std::is_void_v<std::invoke_result_t<const Step&>>) {
    step();
    return false;
  } else {
    return !step();
  }
}

/// Tells a visitor that counts that a node is read; others know no such function.
template <class Visit>
void note_node(const Visit& visit) {
  if constexpr (requires { visit.on_node(); }) {
    visit.on_node();
  }
}

template <Prune kPrune>
[[nodiscard]] bool subtree_ended(const IntervalNode& node, float x) noexcept {
  return kPrune == Prune::kCorrected ? x > node.subtree_xmax : x >= node.subtree_xmax;
}

/// Calls visit(row) for every interval that began before `x` and has not ended: xmin < x <= xmax. Returns
/// what the visitor returns: nothing, or whether all were visited. As published, one function that calls
/// itself.
template <Prune kPrune = Prune::kCorrected, class Visit>
VisitEnds<Visit> walk_recursively(const IntervalNode* nodes, std::uint32_t size, float x, const Visit& visit,
                                  std::uint64_t k = 0) {
  using Ends = VisitEnds<Visit>;
  if (k >= size) {
    return Ends(true);
  }
  const IntervalNode& node = nodes[k];
  note_node(visit);
  if (subtree_ended<kPrune>(node, x)) {
    return Ends(true);
  }
  if (ends([&] { return walk_recursively<kPrune>(nodes, size, x, visit, 2 * k + 1); })) {
    return Ends(false);
  }
  if (x < node.xmin) {
    return Ends(true);
  }
  if (x > node.xmin && x <= node.xmax && ends([&] { return visit(node.row); })) {
    return Ends(false);
  }
  return walk_recursively<kPrune>(nodes, size, x, visit, 2 * k + 2);
}

/// The loop as published: the frames of the recursion in an array of 32, each with the checkpoint at which it
/// goes on. Below the first frame and past the last one the loop ends: enough for 2^31 - 1 nodes, since a
/// child that is not there takes a frame as well.
template <Prune kPrune = Prune::kCorrected, class Visit>
VisitEnds<Visit> walk_with_checkpoints(const IntervalNode* nodes, std::uint32_t size, float x,
                                       const Visit& visit) {
  using Ends = VisitEnds<Visit>;
  constexpr std::uint32_t kFrames = 32;
  struct Frame {
    std::uint32_t node, checkpoint;
  };
  std::array<Frame, kFrames + 1> frames;  // one more to write to, so that a full stack stays inside
  frames[0] = {0, 0};
  std::uint32_t at = 0;
  while (at < kFrames) {
    const Frame frame = frames[at];
    if (frame.checkpoint == 0) {
      if (frame.node >= size) {
        --at;
        continue;
      }
      note_node(visit);
      if (subtree_ended<kPrune>(nodes[frame.node], x)) {
        --at;
        continue;
      }
      frames[at++] = {frame.node, 1};
      frames[at] = {2 * frame.node + 1, 0};
    } else if (frame.checkpoint == 1) {
      const IntervalNode& node = nodes[frame.node];
      if (x < node.xmin) {
        --at;
        continue;
      }
      if (x > node.xmin && x <= node.xmax && ends([&] { return visit(node.row); })) {
        return Ends(false);
      }
      frames[at++] = {frame.node, 2};
      frames[at] = {2 * frame.node + 2, 0};
    } else {
      --at;
    }
  }
  return Ends(true);
}

/// Not the printed loop: a stack of nodes. A node is looked at before it goes on the stack and is taken off
/// before its two children go on, so the stack holds at most one node a level and one more: 33 for 2^32
/// nodes. Visits each node once, where the loop with checkpoints comes back to it twice.
template <class Visit>
VisitEnds<Visit> walk_with_stack(const IntervalNode* nodes, std::uint32_t size, float x, const Visit& visit) {
  using Ends = VisitEnds<Visit>;
  std::array<std::uint32_t, 34> stack;
  std::uint32_t depth = 0;
  const auto push = [&](std::uint64_t k) {
    if (k < size) {
      note_node(visit);
      if (!subtree_ended<Prune::kCorrected>(nodes[k], x)) {
        stack[depth++] = static_cast<std::uint32_t>(k);
      }
    }
  };
  push(0);
  while (depth > 0) {
    const std::uint64_t k = stack[--depth];
    const IntervalNode& node = nodes[k];
    if (x > node.xmin) {
      if (x <= node.xmax && ends([&] { return visit(node.row); })) {
        return Ends(false);
      }
      push(2 * k + 2);
    }
    push(2 * k + 1);
  }
  return Ends(true);
}

}  // namespace juxta::classics
