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
namespace juxta::layer_detail::HWY_NAMESPACE {

/// What a search has found so far: the least distance, and of equal ones the lowest body.
struct Best {
  float distance;  // at the start: the largest one allowed
  std::uint32_t body = kNoBody;
};

/// Compares as the number does, for those that are not negative.
HWY_INLINE std::uint32_t BitsOfFloat(float value) {
  std::uint32_t bits;
  hwy::CopySameSize(&value, &bits);
  return bits;
}

/// Nodes still to be looked into; at most 15 wait on each level. One word each, which compares as the
/// distance does, since that is not negative:
///
///   63 ... 32 distance | 31 ... 28 level | 27 ... 0 block
class NodeStack {
 public:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};  // farther than any node; lies at the bottom

  NodeStack() { nodes_[0] = kNone; }

  static std::uint32_t DistanceBits(std::uint64_t node) { return static_cast<std::uint32_t>(node >> 32); }
  static std::uint32_t Level(std::uint64_t node) { return static_cast<std::uint32_t>(node) >> 28; }
  static std::uint32_t Block(std::uint64_t node) { return static_cast<std::uint32_t>(node) & 0x0FFFFFFFU; }

  HWY_INLINE std::uint64_t Pop() { return nodes_[--size_]; }

  /// Of these lanes of one block: returns the nearest (of equal ones the leftmost), keeps the others, the
  /// next nearest on top. Without lanes: pops. Nothing here branches on how many there are or which is
  /// nearest.
  HWY_INLINE std::uint64_t Next(const float* HWY_RESTRICT distances, std::uint32_t bits, std::uint32_t level,
                                std::uint32_t first) {
    const std::uint64_t top = nodes_[size_ - 1];
    std::uint64_t nearest = kNone, second = kNone;
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t lane = LowestBit(bits);
      const std::uint64_t node =
          std::uint64_t{BitsOfFloat(distances[lane])} << 32 | level << 28 | (first + lane);
      const std::uint64_t farther = HWY_MAX(node, nearest);
      nearest = HWY_MIN(node, nearest);
      nodes_[size_] = HWY_MAX(farther, second);
      size_ += HWY_MAX(farther, second) != kNone ? 1 : 0;
      second = HWY_MIN(farther, second);
    }
    nodes_[size_] = second;
    size_ += second != kNone ? 1 : 0;
    const bool empty = nearest == kNone;
    size_ -= empty ? 1 : 0;
    return empty ? top : nearest;
  }

 private:
  std::uint64_t nodes_[kMaxTreeLevels * kBlockLanes + kBlockLanes];
  std::uint32_t size_ = 1;
};

/// The nearest of the bodies in these lanes, if it is nearer than the best so far.
template <int D>
HWY_INLINE void Improve(const LayerView<D>& view, std::uint32_t leaf, const float* HWY_RESTRICT distances,
                        std::uint32_t bits, Best& best) {
  const std::uint32_t* bodies = view.body_of + std::size_t{leaf} * kBlockLanes;
  for (; bits != 0; bits &= bits - 1) {
    const std::uint32_t lane = LowestBit(bits);
    if (distances[lane] < best.distance || (distances[lane] == best.distance && bodies[lane] < best.body)) {
      best = {distances[lane], bodies[lane]};
    }
  }
}

/// `measure(block, limit, distances)` writes the distances of 16 lanes and returns those with one <= limit. A
/// node's distance is at most that of everything below it, also in float, so that nothing is missed.
template <int D, class Measure>
HWY_INLINE Best FindNearest(const LayerView<D>& view, const QueryOptions& options, float limit,
                            SearchWork& work, Measure&& measure) {
  HWY_ALIGN float distances[kBlockLanes];
  Best best{limit};
  NodeStack stack;
  std::uint32_t level = view.tree->levels - 1, block = 0;
  std::size_t nodes = 0, leaves = 0;
  for (;;) {
    std::uint32_t bits = measure(view.tree->level[level][block], best.distance, distances);
    std::uint64_t node;
    if (level > 0) {
      ++nodes;
      node = stack.Next(distances, bits, level - 1, block * kBlockLanes);
    } else {
      ++leaves;
      bits = AnswerBits(view, block, bits, options);
      Improve<D>(view, block, distances, bits, best);
      node = stack.Pop();
    }
    while (NodeStack::DistanceBits(node) > BitsOfFloat(best.distance)) {
      if (node == NodeStack::kNone) {
        work.visited += nodes + leaves;
        work.tested += leaves * kBlockLanes;
        return best;
      }
      node = stack.Pop();
    }
    level = NodeStack::Level(node);
    block = NodeStack::Block(node);
  }
}

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
