// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: how many points of one block tree are in a query. For kernel files only.

#if defined(JUXTA_RANKED_TREE_COUNT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TREE_COUNT_INL_H
#undef JUXTA_RANKED_TREE_COUNT_INL_H
#else
#define JUXTA_RANKED_TREE_COUNT_INL_H
#endif

#include <type_traits>

#include "hwy/cache_control.h"
#include "juxta/ranked/ranked_points.h"
#include "ranked/box_query-inl.h"
#include "ranked/point_filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Points of `count` blocks that follow one another from block `first`; the last block of all may be short.
HWY_INLINE std::size_t PointsOf(const RankedView& view, std::size_t first, std::size_t count) {
  return HWY_MIN(view.size, (first + count) * kBlockSize) - HWY_MIN(view.size, first * kBlockSize);
}

/// The lanes of leaf `leaf` that are points.
HWY_INLINE std::uint32_t UsedLanes(const RankedView& view, std::size_t leaf) {
  const std::size_t points = PointsOf(view, leaf, 1);
  return points < kBlockSize ? (1u << points) - 1 : ~0u;
}

template <class Query>
HWY_INLINE std::size_t CountLeaf(const Block& leaf, std::uint32_t wanted, const Query& query) {
  const std::uint32_t hits = wanted & InsideBits(leaf, query.outer);
  return hwy::PopCount(
      query.Confirm(leaf, hits, [&](std::uint32_t bit) { return query.view->index(leaf.name[bit]); }));
}

/// Adds what `tree` holds inside `query` to `result`. With a filter, leaves are added as a whole, and no
/// nodes above them. `Query`: a BoxQuery, or one that knows better what is inside.
template <class Query, class Filter = EveryPoint>
HWY_INLINE void CountTree(const TreeView& tree, const Query& query, QueryResult& result,
                          const Filter& filter = {}) {
  struct Entry {
    std::uint32_t level, index;
  };
  Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
  std::size_t size = 0;
  stack[size++] = {tree.levels - 1, 0};
  while (size != 0) {
    const Entry entry = stack[--size];
    const std::size_t node_index = tree.level_begin[entry.level] + entry.index;
    const Node& node = tree.nodes[node_index];
    ++result.visited;
    // The last nodes are short.
    std::uint32_t border = query.TouchedChildren(
        node, filter.OfNode(node_index, TouchingBits(node, query.outer) & FirstBits(node, 0, kNoPoint)));
    const std::size_t child = std::size_t{entry.index} * kFanout,
                      blocks = std::size_t{1} << (4 * entry.level);
    constexpr bool kFiltered = !std::is_same_v<Filter, EveryPoint>;
    if (!kFiltered || entry.level == 0) {
      std::uint32_t whole = query.WholeChildren(node, border);
      border &= ~whole;
      for (; whole != 0; whole &= whole - 1) {
        const std::size_t c = child + hwy::Num0BitsBelowLS1Bit_Nonzero32(whole);
        result.found += kFiltered ? hwy::PopCount(filter.OfLeaf(c) & UsedLanes(*query.view, c))
                                  : PointsOf(*query.view, c * blocks, blocks);
      }
    }
    for (std::uint32_t rest = border; rest != 0; rest &= rest - 1) {
      const std::size_t c = child + hwy::Num0BitsBelowLS1Bit_Nonzero32(rest);
      const auto* memory =
          entry.level == 0
              ? reinterpret_cast<const std::byte*>(tree.leaves + c)
              : reinterpret_cast<const std::byte*>(tree.nodes + tree.level_begin[entry.level - 1] + c);
      hwy::Prefetch(memory);
      hwy::Prefetch(memory + 64);
      if (entry.level == 1) {
        filter.PrefetchLeaves(c);
      }
      if (entry.level != 0) {
        stack[size++] = {entry.level - 1, static_cast<std::uint32_t>(c)};
      }
    }
    if (entry.level == 0) {
      for (; border != 0; border &= border - 1) {
        const std::size_t c = child + hwy::Num0BitsBelowLS1Bit_Nonzero32(border);
        ++result.visited;
        result.tested += kBlockSize;
        result.found += CountLeaf(tree.leaves[c], filter.OfLeaf(c) & UsedLanes(*query.view, c), query);
      }
    }
  }
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
