// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: all hits of a box from one block tree, of which the k lowest remain. Include inside
// top_kernel.cpp only.
//
//   For boxes that hold not much more than k points. Levels would read a run of each level there, and cells
//   that are taller than the box.
//
// Limit: the leaves that touch the box, 256 bytes each, prefetched; 6 to 8 ns a result to sort.

#if defined(JUXTA_RANKED_TREE_GATHER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TREE_GATHER_INL_H
#undef JUXTA_RANKED_TREE_GATHER_INL_H
#else
#define JUXTA_RANKED_TREE_GATHER_INL_H
#endif

#include "ranked/many_hits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class TreeGather {
 public:
  /// `expected`: about how many points are inside. `out` has k places.
  TreeGather(const RankedView& view, const TreeView& tree, const BoxQuery<T>& query, double expected,
             std::size_t k, std::uint32_t* out)
      : view_(view),
        tree_(tree),
        query_(query),
        hits_(view, query, k, out),
        share_(expected / static_cast<double>(view.size)) {}

  /// Writes positions, ascending; returns how many. In at most two windows: up to where k are expected, and
  /// the rest.
  HWY_INLINE std::size_t Run() {
    const auto size = static_cast<std::uint32_t>(view_.size);
    const double reach = hits_.Reach(share_);
    const std::uint32_t first =
        reach < static_cast<double>(size) ? static_cast<std::uint32_t>(reach) + 1 : size;
    Gather(0, HWY_MIN(first, size));
    if (first < size && !hits_.full()) {
      Gather(first, size);
    }
    return hits_.size();
  }

  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return hits_.tested(); }

 private:
  struct Entry {
    std::uint32_t level, index;
  };

  HWY_INLINE void Gather(std::uint32_t from, std::uint32_t to) {
    Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
    std::size_t size = 0;
    hits_.Begin(from, to, true);
    stack[size++] = {tree_.levels - 1, 0};
    while (size != 0) {
      const Entry entry = stack[--size];
      const Node& node = tree_.nodes[tree_.level_begin[entry.level] + entry.index];
      ++visited_;
      // Unused children have no first position.
      std::uint32_t some = TouchingBits(node, query_.outer) & FirstBits(node, 0, hits_.threshold());
      if (entry.level == 0) {
        TakeLeaves(node, entry.index, some);
        continue;
      }
      for (; some != 0; some &= some - 1) {
        const std::uint32_t child = entry.index * std::uint32_t{kFanout} + LowestBit(some);
        PrefetchLines(&tree_.nodes[tree_.level_begin[entry.level - 1] + child], sizeof(Node) / 64);
        stack[size++] = {entry.level - 1, child};
      }
    }
    hits_.End();
  }

  HWY_INLINE void TakeLeaves(const Node& node, std::uint32_t index, std::uint32_t some) {
    const Block* const leaves = tree_.leaves + std::size_t{index} * kFanout;
    const std::uint32_t whole = query_.inner_empty ? 0 : ContainedBits(node, query_.inner);
    for (std::uint32_t rest = some; rest != 0; rest &= rest - 1) {
      PrefetchLines(leaves + LowestBit(rest), sizeof(Block) / 64);
    }
    for (; some != 0; some &= some - 1) {
      const std::uint32_t c = LowestBit(some);
      ++visited_;
      hits_.Take(leaves[c], ~0u, (whole >> c & 1) != 0 ? ~0u : 0u);  // unused places are no positions
    }
  }

  const RankedView& view_;
  const TreeView& tree_;
  const BoxQuery<T>& query_;
  ManyHits<T> hits_;
  double share_;
  std::size_t visited_ = 0;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
