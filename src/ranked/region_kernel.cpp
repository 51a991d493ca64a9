// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k and count in a region that is not a rectangle. Top-k takes the list of the cell around the region if
// it is likely to hold the answer, and else the tall tree; count takes the tree.
//
//      +-------------+     A node outside the region is left out: its bounds, in real coordinates, decide.
//      |  /-----\    |     count() adds nodes that lie inside as a whole.
//      | |  ####  \  |     Points of the other nodes are confirmed by their own coordinates, many at a time.
//      |  \-----/    |
//      +-------------+
//
// Limit:       a look at the coordinates for each candidate, and at the region for each child of a node.
// Determinism: the region's own arithmetic, in double, the same on every instruction set.

#include "ranked/region_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/region_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                            // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/estimate-inl.h"
#include "ranked/list_scan-inl.h"
#include "ranked/tree_count-inl.h"
#include "ranked/tree_gather-inl.h"
#include "ranked/tree_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// The box around a region. Every point of it is in doubt.
template <class T>
struct RegionQuery : BoxQuery<T> {
  const RankedRegion* region = nullptr;

  HWY_INLINE bool Contains(std::size_t index) const {
    const RankedView& v = *this->view;
    return region->contains(static_cast<double>(StridedColumn<T>{v.xs, v.x_stride}[index]),
                            static_cast<double>(StridedColumn<T>{v.ys, v.y_stride}[index]));
  }

  /// Which of the points `hits` of a block are inside; all their misses at once.
  template <class IndexOf>
  HWY_INLINE std::uint32_t Confirm(const Block&, std::uint32_t hits, IndexOf index_of) const {
    for (std::uint32_t rest = hits; rest != 0; rest &= rest - 1) {
      this->PrefetchCoordinates(index_of(LowestBit(rest)));
    }
    for (std::uint32_t rest = hits; rest != 0; rest &= rest - 1) {
      const std::uint32_t bit = LowestBit(rest);
      hits ^= static_cast<std::uint32_t>(!Contains(index_of(bit))) << bit;
    }
    return hits;
  }
};

/// False: nothing can be inside.
template <class T>
HWY_INLINE bool MakeRegionQuery(const RankedView& view, const RankedRegion& region, RegionQuery<T>& query) {
  if (!MakeQuery(view, region.bounds(), query)) {
    return false;
  }
  query.region = &region;
  query.exact = false;
  query.inner_empty = true;
  return true;
}

/// What a child of a node is to a region.
template <class T>
HWY_INLINE RankedRegion::Part PartOf(const RankedView& view, const RankedRegion& region, const Node& node,
                                     std::uint32_t c) {
  const auto low = [](const AxisView& axis, std::uint16_t q) {
    return static_cast<double>(axis.level<T>(axis.levels - 1)[q >> axis.shift()]);
  };
  const auto high = [](const AxisView& axis, std::uint16_t q, double highest) {
    const auto value = static_cast<double>(axis.highest_in<T>(q >> axis.shift()));
    return value < highest ? value : highest;  // unknown ones are infinite
  };
  return region.part_of({low(view.x_axis, node.lx[c]), low(view.y_axis, node.ly[c]),
                         high(view.x_axis, node.hx[c], view.bounds[2]),
                         high(view.y_axis, node.hy[c], view.bounds[3])});
}

/// Leaves out children outside the region, and children without the categories.
template <class T>
class RegionFilter {
 public:
  RegionFilter(const RankedView& view, const RankedRegion& region, const CategoryQuery& categories)
      : view_(view), region_(region), inner_(view.categories, categories) {}

  HWY_INLINE std::uint32_t OfLeaf(std::size_t leaf) const { return inner_.OfLeaf(leaf); }
  HWY_INLINE std::uint32_t OfTop(std::size_t top) const { return inner_.OfTop(top); }
  HWY_INLINE std::uint32_t OfNode(std::size_t index, std::uint32_t children) const {
    const Node& node = view_.tall.nodes[index];
    std::uint32_t passing = 0;
    for (std::uint32_t rest = inner_.OfNode(index, children); rest != 0; rest &= rest - 1) {
      const std::uint32_t c = LowestBit(rest);
      if (PartOf<T>(view_, region_, node, c) != RankedRegion::Part::kNone) {
        passing |= 1u << c;
      }
    }
    return passing;
  }
  HWY_INLINE void PrefetchLeaves(std::size_t node) const { inner_.PrefetchLeaves(node); }
  HWY_INLINE void PrefetchTop(std::size_t top) const { inner_.PrefetchTop(top); }

 private:
  const RankedView& view_;
  const RankedRegion& region_;
  CategoryFilter inner_;
};

template <class T>
HWY_INLINE QueryResult RegionTopOf(const RankedView& view, const CategoryQuery& categories,
                                   const RankedRegion& region, std::size_t k, std::uint32_t* out) {
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  if (categories.passes_all()) {
    ListChoice list = ChooseList(view, query);
    list.share *= static_cast<float>(region.fill());
    if (MayHold(list, k)) {
      result = ScanList(list, query, k, out);
      if (IsAnswer(list, k, result)) {
        return result;
      }
    }
  }
  using Filter = RegionFilter<T>;
  const Filter filter(view, region, categories);
  const double expected = EstimateCount(view, query) * categories.share * region.fill();
  if (k < Candidates::kMost) {
    Candidates best(k, static_cast<std::uint32_t>(view.positions()));
    TreeSearch<T, Filter, RegionQuery<T>> search(view, view.tall, query, best, filter);
    (void)search.Run(ReachOf(view, expected, k), SIZE_MAX);
    result = {.tested = search.tested(), .visited = search.visited()};
    result.written = best.finish(out);
  } else {
    TreeGather<T, Filter, RegionQuery<T>> search(view, view.tall, query, expected, k, out, filter);
    result.written = search.Run();
    result.tested = search.tested();
    result.visited = search.visited();
  }
  for (std::size_t i = 0; i < result.written && view.index_of != nullptr; ++i) {
    out[i] = view.index_of[out[i]];
  }
  return result;
}

template <class T>
HWY_INLINE QueryResult RegionCountOf(const RankedView& view, const CategoryQuery& categories,
                                     const RankedRegion& region) {
  const bool adds = categories.passes_all();  // nodes as a whole
  const CategoryFilter inner(view.categories, categories);
  struct Entry {
    std::uint32_t level, index;
  };
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  const TreeView& tree = view.tall;
  Entry stack[kFanout * (TreeView::kMaxLevels + 1)];
  std::size_t size = 0;
  stack[size++] = {tree.levels - 1, 0};
  while (size != 0) {
    const Entry entry = stack[--size];
    const std::size_t node_index = tree.level_begin[entry.level] + entry.index;
    const Node& node = tree.nodes[node_index];
    ++result.visited;
    std::uint32_t rest =
        inner.OfNode(node_index, TouchingBits(node, query.outer) & FirstBits(node, 0, kNoPoint));
    for (; rest != 0; rest &= rest - 1) {
      const std::uint32_t child = LowestBit(rest);
      const std::size_t c = std::size_t{entry.index} * kFanout + child,
                        blocks = std::size_t{1} << (4 * entry.level);
      const RankedRegion::Part part = PartOf<T>(view, region, node, child);
      if (part == RankedRegion::Part::kAll && (adds || entry.level == 0)) {
        result.found +=
            adds ? PointsOf(view, c * blocks, blocks) : hwy::PopCount(inner.OfLeaf(c) & UsedLanes(view, c));
      } else if (part != RankedRegion::Part::kNone && entry.level != 0) {
        stack[size++] = {entry.level - 1, static_cast<std::uint32_t>(c)};
      } else if (part != RankedRegion::Part::kNone) {
        ++result.visited;
        result.tested += kBlockSize;
        const Block& leaf = tree.leaves[c];
        result.found += CountLeaf(leaf, inner.OfLeaf(c) & UsedLanes(view, c), query);
      }
    }
  }
  return result;
}

QueryResult RegionTop(const RankedView& view, const CategoryQuery& categories, const RankedRegion& region,
                      std::size_t k, std::uint32_t* out) {
  return view.is_double ? RegionTopOf<double>(view, categories, region, k, out)
                        : RegionTopOf<float>(view, categories, region, k, out);
}

QueryResult RegionCount(const RankedView& view, const CategoryQuery& categories, const RankedRegion& region) {
  return view.is_double ? RegionCountOf<double>(view, categories, region)
                        : RegionCountOf<float>(view, categories, region);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

HWY_EXPORT(RegionTop);
QueryResult top_in_region(const RankedView& view, const CategoryQuery& categories, const RankedRegion& region,
                          std::size_t k, std::uint32_t* out) noexcept {
  return HWY_DYNAMIC_DISPATCH(RegionTop)(view, categories, region, k, out);
}

HWY_EXPORT(RegionCount);
QueryResult count_in_region(const RankedView& view, const CategoryQuery& categories,
                            const RankedRegion& region) noexcept {
  return HWY_DYNAMIC_DISPATCH(RegionCount)(view, categories, region);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
