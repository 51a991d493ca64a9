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
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/filtered_top-inl.h"
#include "ranked/list_scan-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// What a child of a node is to a region.
template <class T>
HWY_INLINE RankedRegion::Part PartOf(const RankedView& view, const RankedRegion& region, const Node& node,
                                     std::uint32_t c) {
  const auto low = [&](const AxisView& axis, std::uint16_t q) {
    return LowestIn<T>(view, axis, q >> axis.shift());
  };
  const auto high = [&](const AxisView& axis, std::uint16_t q, double highest) {
    const double value = HighestIn<T>(view, axis, q >> axis.shift());
    return value < highest ? value : highest;  // unknown ones are infinite
  };
  return region.part_of({low(view.x_axis, node.lx[c]), low(view.y_axis, node.ly[c]),
                         high(view.x_axis, node.hx[c], view.bounds[2]),
                         high(view.y_axis, node.hy[c], view.bounds[3])});
}

/// The box around a region. Every point of it is in doubt.
template <class T>
struct RegionQuery : BoxQuery<T> {
  const RankedRegion* region = nullptr;

  HWY_INLINE bool Contains(std::size_t index) const {
    const RankedView& v = *this->view;
    return region->contains(static_cast<double>(XOf<T>(v, index)), static_cast<double>(YOf<T>(v, index)));
  }

  HWY_INLINE std::uint32_t TouchedChildren(const Node& node, std::uint32_t children) const {
    return ChildrenIf(node, children,
                      [](RankedRegion::Part part) { return part != RankedRegion::Part::kNone; });
  }
  HWY_INLINE std::uint32_t WholeChildren(const Node& node, std::uint32_t children) const {
    return ChildrenIf(node, children,
                      [](RankedRegion::Part part) { return part == RankedRegion::Part::kAll; });
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

 private:
  template <class Test>
  HWY_INLINE std::uint32_t ChildrenIf(const Node& node, std::uint32_t children, Test test) const {
    std::uint32_t some = 0;
    for (; children != 0; children &= children - 1) {
      const std::uint32_t c = LowestBit(children);
      some |= std::uint32_t{test(PartOf<T>(*this->view, *region, node, c))} << c;
    }
    return some;
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

/// Leaves out children outside the region, and children without points that pass.
template <class T>
class RegionFilter {
 public:
  RegionFilter(const RegionQuery<T>& query, const FilterQuery& filter)
      : query_(query), inner_(*query.view, filter) {}

  HWY_INLINE std::uint32_t OfLeaf(std::size_t leaf) const { return inner_.OfLeaf(leaf); }
  HWY_INLINE std::uint32_t OfTop(std::size_t top) const { return inner_.OfTop(top); }
  HWY_INLINE std::uint32_t OfNode(std::size_t index, std::uint32_t children) const {
    return query_.TouchedChildren(query_.view->tall.nodes[index], inner_.OfNode(index, children));
  }
  HWY_INLINE void PrefetchLeaves(std::size_t node) const { inner_.PrefetchLeaves(node); }
  HWY_INLINE void PrefetchTop(std::size_t top) const { inner_.PrefetchTop(top); }

 private:
  const RegionQuery<T>& query_;
  PointFilter inner_;
};

template <class T>
HWY_INLINE QueryResult RegionTopOf(const RankedView& view, const FilterQuery& filter,
                                   const RankedRegion& region, std::uint32_t first, std::size_t k,
                                   std::uint32_t* out) {
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  if (filter.passes_all() && first == 0) {
    ListChoice list = ChooseList(view, query);
    list.share *= static_cast<float>(region.fill());
    if (MayHold(list, k)) {
      result = ScanList(list, query, k, out);
      if (IsAnswer(list, k, result)) {
        return result;
      }
    }
  }
  const double inside = EstimateCount(view, query) * region.fill();
  return TopFiltered<T>(view, std::span<const RegionQuery<T>>(&query, 1), filter,
                        RegionFilter<T>(query, filter), inside, first, k, out);
}

template <class T>
HWY_INLINE QueryResult RegionCountOf(const RankedView& view, const FilterQuery& filter,
                                     const RankedRegion& region) {
  QueryResult result;
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return result;
  }
  if (filter.passes_all()) {
    CountTree(view.tall, query, result);
  } else {
    CountTreeOrRun(view, query, filter, EstimateCount(view, query) * region.fill(), result);
  }
  return result;
}

template <class T>
HWY_INLINE bool RegionBehindOf(const RankedView& view, const RankedRegion& region, std::uint32_t own,
                               std::size_t k, std::uint32_t* out, QueryResult& result) {
  RegionQuery<T> query;
  if (!MakeRegionQuery(view, region, query)) {
    return true;
  }
  ListChoice list = ChooseList(view, query);
  list.share *= static_cast<float>(region.fill());
  return PageOfList(list, query, own, k, out, result);
}

bool RegionBehind(const RankedView& view, const RankedRegion& region, std::uint32_t own, std::size_t k,
                  std::uint32_t* out, QueryResult& result) {
  return JUXTA_CALL_FOR_TYPE(view, RegionBehindOf, view, region, own, k, out, result);
}

QueryResult RegionTop(const RankedView& view, const FilterQuery& filter, const RankedRegion& region,
                      std::uint32_t first, std::size_t k, std::uint32_t* out) {
  return JUXTA_CALL_FOR_TYPE(view, RegionTopOf, view, filter, region, first, k, out);
}

QueryResult RegionCount(const RankedView& view, const FilterQuery& filter, const RankedRegion& region) {
  return JUXTA_CALL_FOR_TYPE(view, RegionCountOf, view, filter, region);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(RegionBehind);
bool top_in_region_behind(const RankedView& view, const RankedRegion& region, std::uint32_t own,
                          std::size_t k, std::uint32_t* out, QueryResult& result) noexcept {
  return JUXTA_CALL_KERNEL(RegionBehind)(view, region, own, k, out, result);
}

JUXTA_KERNEL(RegionTop);
QueryResult top_in_region(const RankedView& view, const FilterQuery& filter, const RankedRegion& region,
                          std::uint32_t first, std::size_t k, std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(RegionTop)(view, filter, region, first, k, out);
}

JUXTA_KERNEL(RegionCount);
QueryResult count_in_region(const RankedView& view, const FilterQuery& filter,
                            const RankedRegion& region) noexcept {
  return JUXTA_CALL_KERNEL(RegionCount)(view, filter, region);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
