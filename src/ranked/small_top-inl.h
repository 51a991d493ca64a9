// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the top-k of a box that holds a few points. Include inside top_kernel.cpp only.
//
//   The grid says how many points there can be: those of the cells that the box touches. If they are few, all
//   points inside are looked up, straight down one tree, and sorted. No horizon, no threshold, no queue.
//
// Limit: a node of each level, then the leaves that touch the box; each waits for the one above.

#if defined(JUXTA_RANKED_SMALL_TOP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_SMALL_TOP_INL_H
#undef JUXTA_RANKED_SMALL_TOP_INL_H
#else
#define JUXTA_RANKED_SMALL_TOP_INL_H
#endif

#include <algorithm>

#include "ranked/sort_positions.h"
#include "ranked/tree_race-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
class SmallTop {
 public:
  static constexpr std::size_t kMost = 64;  // points of the cells

  /// Whether the box is known to hold at most kMost points.
  static HWY_INLINE bool Fits(const RankedView& view, const BoxQuery<T>& query) {
    const std::uint32_t shift = 16 - view.grid.bits;
    const std::size_t lx = query.outer.lx >> shift, hx = (query.outer.hx >> shift) + std::size_t{1};
    const std::size_t ly = query.outer.ly >> shift, hy = (query.outer.hy >> shift) + std::size_t{1};
    // More cells are rarely that empty, and four numbers of the grid may be four misses.
    return hx - lx <= 2 && hy - ly <= 2 && view.grid.count(lx, ly, hx, hy) <= kMost;
  }

  /// Writes the input indices of the k lowest positions, ascending. False: there are more points than the
  /// grid says, which only a forged file does.
  HWY_INLINE bool Run(const RankedView& view, const BoxQuery<T>& query, std::size_t k, std::uint32_t* out,
                      QueryResult& result) {
    const TreeView& tree = TallCrossesLess(view, query) ? view.tall : view.flat;
    if (!Visit(view, query, tree)) {
      return false;
    }
    sort_words({found_, size_});
    result.written = std::min(size_, k);
    std::copy_n(found_, result.written, out);
    ToIndices(view, result.written, out);
    result.tested = leaves_ * kBlockSize;
    result.visited = nodes_ + leaves_;
    return true;
  }

 private:
  struct Entry {
    std::uint32_t level, index;
  };

  HWY_INLINE bool Visit(const RankedView& view, const BoxQuery<T>& query, const TreeView& tree) {
    Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
    std::size_t waiting = 0;
    stack[waiting++] = {tree.levels - 1, 0};
    while (waiting != 0) {
      const Entry entry = stack[--waiting];
      const Node& node = tree.nodes[tree.level_begin[entry.level] + entry.index];
      ++nodes_;
      std::uint32_t some = TouchingBits(node, query.outer) & FirstBits(node, 0, kNoPoint);
      if (entry.level == 0) {
        for (; some != 0; some &= some - 1) {
          if (!Take(view, query, tree, entry.index * std::uint32_t{kFanout} + LowestBit(some))) {
            return false;
          }
        }
      }
      for (; some != 0; some &= some - 1) {
        const std::uint32_t child = entry.index * std::uint32_t{kFanout} + LowestBit(some);
        PrefetchLines(&tree.nodes[tree.level_begin[entry.level - 1] + child], sizeof(Node) / 64);
        stack[waiting++] = {entry.level - 1, child};
      }
    }
    return true;
  }

  HWY_INLINE bool Take(const RankedView& view, const BoxQuery<T>& query, const TreeView& tree,
                       std::uint32_t leaf) {
    const Block& block = tree.leaves[leaf];
    ++leaves_;
    std::uint32_t hits = InsideBits(block, query.outer);
    if (HWY_UNLIKELY(leaf + 1 == tree.leaf_count)) {  // its unused places are no points
      hits &= NameBits(block, 0, kNoPoint);
    }
    if (hits == 0) {
      return true;
    }
    hits = query.Confirm(block, hits, [&](std::uint32_t bit) { return view.index(block.name[bit]); });
    if (size_ > kMost) {
      return false;
    }
    size_ += AppendNames(block, hits, found_ + size_);
    return true;
  }

  static constexpr std::size_t kPadding = 16;  // AppendNames() writes whole registers
  std::size_t size_ = 0, nodes_ = 0, leaves_ = 0;
  std::uint32_t found_[kMost + kBlockSize + kPadding];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
