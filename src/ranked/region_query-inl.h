// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: a circle, ring or polygon as a box whose points and nodes are asked for themselves. For kernel
// files only.

#if defined(JUXTA_RANKED_REGION_QUERY_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_REGION_QUERY_INL_H
#undef JUXTA_RANKED_REGION_QUERY_INL_H
#else
#define JUXTA_RANKED_REGION_QUERY_INL_H
#endif

#include "juxta/ranked/region.h"
#include "ranked/filtered_top-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

  /// Where size counts, boxes with filters are asked as regions are, so that searches are compiled once for
  /// both.
  HWY_INLINE bool IsBox() const {
#ifdef JUXTA_SMALL_CODE
    return region == nullptr;
#else
    return false;
#endif
  }

  HWY_INLINE bool Contains(std::size_t index) const {
    if (IsBox()) {
      return BoxQuery<T>::Contains(index);
    }
    const RankedView& v = *this->view;
    return region->contains(static_cast<double>(XOf<T>(v, index)), static_cast<double>(YOf<T>(v, index)));
  }

  HWY_INLINE std::uint32_t TouchedChildren(const Node& node, std::uint32_t children) const {
    return IsBox() ? children : ChildrenIf(node, children, [](RankedRegion::Part part) {
      return part != RankedRegion::Part::kNone;
    });
  }
  HWY_INLINE std::uint32_t WholeChildren(const Node& node, std::uint32_t children) const {
    return IsBox() ? BoxQuery<T>::WholeChildren(node, children)
                   : ChildrenIf(node, children,
                                [](RankedRegion::Part part) { return part == RankedRegion::Part::kAll; });
  }

  /// Which of the points `hits` of a block are inside; all their misses at once.
  template <class IndexOf>
  HWY_INLINE std::uint32_t Confirm(const Block& block, std::uint32_t hits, IndexOf index_of) const {
    if (IsBox()) {
      return BoxQuery<T>::Confirm(block, hits, index_of);
    }
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

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
