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

template <class T, class Filter = EveryPoint, class Query = BoxQuery<T>>
class TreeGather {
 public:
  /// `expected`: about how many points are inside. `out` has k places.
  TreeGather(const RankedView& view, const TreeView& tree, const Query& query, double expected, std::size_t k,
             std::uint32_t* out, const Filter& filter = {})
      : view_(view),
        tree_(tree),
        query_(query),
        filter_(filter),
        hits_(view, query, k, out),
        share_(expected / static_cast<double>(view.positions())) {}

  /// Writes positions from `begin` on, ascending; returns how many.
  HWY_INLINE std::size_t Run(std::uint32_t begin = 0) {
    (void)RunWithin(SIZE_MAX, begin);
    return size();
  }

  /// The same. In at most two windows: up to where k are expected, and the rest. False: `budget` nodes and
  /// blocks were not enough, and what was written means nothing.
  HWY_INLINE bool RunWithin(std::size_t budget, std::uint32_t begin) {
    const auto size = static_cast<std::uint32_t>(view_.positions());
    const double reach = hits_.Reach(share_);
    const std::uint32_t middle =
        reach < static_cast<double>(size - begin) ? begin + static_cast<std::uint32_t>(reach) + 1 : size;
    if (!Gather(begin, HWY_MIN(middle, size), budget)) {
      return false;
    }
    return middle >= size || hits_.full() || Gather(middle, size, budget);
  }

  [[nodiscard]] std::size_t size() const { return hits_.size(); }
  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return hits_.tested(); }

 private:
  struct Entry {
    std::uint32_t level, index;
  };

  HWY_INLINE bool Gather(std::uint32_t from, std::uint32_t to, std::size_t budget) {
    Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
    std::size_t size = 0;
    hits_.Begin(from, to, true);
    // So few of a node's points are wanted that its top block says whether they are all in there.
    const bool by_tops = to <= view_.positions() / kFanout;
    stack[size++] = {tree_.levels - 1, 0};
    while (size != 0) {
      const Entry entry = stack[--size];
      if (entry.level == 0 && by_tops && TakeTop(entry.index)) {
        continue;
      }
      const std::size_t node_index = tree_.level_begin[entry.level] + entry.index;
      const Node& node = tree_.nodes[node_index];
      ++visited_;
      // Unused children have no first position.
      std::uint32_t some = filter_.OfNode(
          node_index, TouchingBits(node, query_.outer) & FirstBits(node, 0, hits_.threshold()));
      if (entry.level == 0) {
        TakeLeaves(node, entry.index, some);
        if (visited_ > budget) {
          return false;
        }
        continue;
      }
      for (; some != 0; some &= some - 1) {
        const std::uint32_t child = entry.index * std::uint32_t{kFanout} + LowestBit(some);
        if (entry.level == 1 && by_tops) {
          PrefetchLines(tree_.tops + child, sizeof(Block) / 64);
          filter_.PrefetchTop(child);
        } else {
          PrefetchLines(&tree_.nodes[tree_.level_begin[entry.level - 1] + child], sizeof(Node) / 64);
          if (entry.level == 1) {
            filter_.PrefetchLeaves(child);
          }
        }
        stack[size++] = {entry.level - 1, child};
      }
    }
    hits_.End();
    return true;
  }

  /// False: the window goes on behind the top block.
  HWY_INLINE bool TakeTop(std::uint32_t index) {
    const Block& top = tree_.tops[index];
    ++visited_;
    if (top.name[kBlockSize - 1] < hits_.threshold()) {
      return false;
    }
    hits_.Take(top, filter_.OfTop(index), 0u);
    return true;
  }

  HWY_INLINE void TakeLeaves(const Node& node, std::uint32_t index, std::uint32_t some) {
    const Block* const leaves = tree_.leaves + std::size_t{index} * kFanout;
    const std::uint32_t whole = query_.inner_empty ? 0 : ContainedBits(node, query_.inner);
    std::uint32_t passing[kFanout];
    for (std::uint32_t rest = some; rest != 0; rest &= rest - 1) {
      const std::uint32_t c = LowestBit(rest);
      passing[c] = filter_.OfLeaf(std::size_t{index} * kFanout + c);
      if (passing[c] != 0) {
        PrefetchLines(leaves + c, sizeof(Block) / 64);
      } else {
        some &= ~(1u << c);
        ++visited_;  // what the filter asked for was read
      }
    }
    for (; some != 0; some &= some - 1) {
      const std::uint32_t c = LowestBit(some);
      ++visited_;
      hits_.Take(leaves[c], passing[c], (whole >> c & 1) != 0 ? ~0u : 0u);  // unused places are no positions
    }
  }

  const RankedView& view_;
  const TreeView& tree_;
  const Query& query_;
  const Filter filter_;
  ManyHits<T, Query> hits_;
  double share_;
  std::size_t visited_ = 0;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
