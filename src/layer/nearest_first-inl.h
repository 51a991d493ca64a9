// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: going down a tree, nearest blocks first. For kernel files only.

#if defined(JUXTA_LAYER_NEAREST_FIRST_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_NEAREST_FIRST_INL_H
#undef JUXTA_LAYER_NEAREST_FIRST_INL_H
#else
#define JUXTA_LAYER_NEAREST_FIRST_INL_H
#endif

#include "hwy/highway.h"
#include "layer/descend-inl.h"
#include "layer/query_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {

/// What a search has found so far: the least distance, and of equal ones the lowest body.
struct Best {
  float distance;  // at the start: the largest one allowed
  std::uint32_t body = kNoBody;
};

/// Nodes still to be looked into, the nearest on top. At most 15 wait on each level.
class NodeStack {
 public:
  struct Node {
    float distance;
    std::uint32_t level, block;
  };

  [[nodiscard]] bool empty() const { return size_ == 0; }
  HWY_INLINE Node Pop() { return nodes_[--size_]; }

  /// Adds lanes of one block, so that they come out by distance, equal ones from the left.
  HWY_INLINE void Push(const float* HWY_RESTRICT distances, std::uint32_t bits, std::uint32_t level,
                       std::uint32_t first) {
    const std::uint32_t bottom = size_;
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t lane = LowestBit(bits);
      const Node node{distances[lane], level, first + lane};
      std::uint32_t at = size_++;
      for (; at > bottom && nodes_[at - 1].distance <= node.distance; --at) {
        nodes_[at] = nodes_[at - 1];
      }
      nodes_[at] = node;
    }
  }

 private:
  Node nodes_[kMaxTreeLevels * kBlockLanes];
  std::uint32_t size_ = 0;
};

/// `measure(block, limit, distances)` writes the distances of 16 lanes and returns those with one <= limit. A
/// node's distance is at most that of everything below it, also in float, so that nothing is missed.
template <int D, class Measure>
HWY_INLINE Best FindNearest(const LayerView<D>& view, Filter filter, float limit, QueryWork& work,
                            Measure&& measure) {
  HWY_ALIGN float distances[kBlockLanes];
  Best best{limit};
  NodeStack stack;
  NodeStack::Node at{0, view.tree.levels - 1, 0};
  for (;;) {
    const BoxBlock<D>& block = view.tree.level[at.level][at.block];
    std::uint32_t bits = measure(block, best.distance, distances);
    ++work.visited;
    if (at.level > 0) {
      stack.Push(distances, bits, at.level - 1, at.block * kBlockLanes);
    } else {
      work.tested += kBlockLanes;
      if (view.category != nullptr && bits != 0) {
        bits &= MeetingBits(view, at.block, filter);
      }
      for (; bits != 0; bits &= bits - 1) {
        const std::uint32_t lane = LowestBit(bits);
        const std::uint32_t body = view.body_of[std::size_t{at.block} * kBlockLanes + lane];
        if (distances[lane] < best.distance || (distances[lane] == best.distance && body < best.body)) {
          best = {distances[lane], body};
        }
      }
    }
    do {
      if (stack.empty()) {
        return best;
      }
      at = stack.Pop();
    } while (at.distance > best.distance);
  }
}

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
