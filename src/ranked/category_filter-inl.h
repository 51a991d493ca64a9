// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: which points of a block, and which children of a node, a filter by categories lets through.
// Include inside a kernel file only.
//
//   leaf 7:  bit 0 |..#.#...|   all = bits 0 and 2:  plane 0 & plane 2
//            bit 1 |.#......|   none = bit 1:      & ~plane 1
//            bit 2 |####....|   any of bits 1, 2:  & (plane 1 | plane 2)
//
// Limit: one word of 32 points per bit asked for, in the same one to four cache lines.

#if defined(JUXTA_RANKED_CATEGORY_FILTER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_CATEGORY_FILTER_INL_H
#undef JUXTA_RANKED_CATEGORY_FILTER_INL_H
#else
#define JUXTA_RANKED_CATEGORY_FILTER_INL_H
#endif

#include "hwy/cache_control.h"
#include "ranked/category_query.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// Lets everything through, and costs nothing.
struct EveryPoint {
  HWY_INLINE std::uint32_t OfLeaf(std::size_t) const { return ~0u; }
  HWY_INLINE std::uint32_t OfTop(std::size_t) const { return ~0u; }
  HWY_INLINE std::uint32_t OfNode(std::size_t, std::uint32_t children) const { return children; }
  HWY_INLINE void PrefetchLeaves(std::size_t) const {}
  HWY_INLINE void PrefetchTop(std::size_t) const {}
};

/// Bits of the tall tree of all points. With a query that lets all pass, it may be of any set: nothing is
/// read.
class CategoryFilter {
 public:
  CategoryFilter(const CategoriesView& view, const CategoryQuery& query)
      : view_(view), query_(query), count_(query.passes_all() ? 0 : view.count()) {}

  HWY_INLINE std::uint32_t OfLeaf(std::size_t leaf) const { return Passing(view_.leaf_bits + leaf * count_); }
  HWY_INLINE std::uint32_t OfTop(std::size_t top) const { return Passing(view_.top_bits + top * count_); }

  /// Which of the children may have a point that passes. What must be missing rules out no child.
  HWY_INLINE std::uint32_t OfNode(std::size_t node, std::uint32_t children) const {
    if ((query_.all | query_.any) == 0) {
      return children;
    }
    const std::uint64_t* const masks = view_.node_masks + node * kFanout;
    std::uint32_t passing = 0;
    for (; children != 0; children &= children - 1) {
      const std::uint64_t mask = masks[hwy::Num0BitsBelowLS1Bit_Nonzero32(children)];
      const bool all = (mask & query_.all) == query_.all;
      const bool any = query_.any == 0 || (mask & query_.any) != 0;
      passing |= all && any ? children & (0u - children) : 0;
    }
    return passing;
  }

  /// Of a lowest node.
  HWY_INLINE void PrefetchLeaves(std::size_t node) const {
    Prefetch(view_.leaf_bits + node * kFanout * count_, kFanout * count_);
  }
  HWY_INLINE void PrefetchTop(std::size_t top) const { Prefetch(view_.top_bits + top * count_, count_); }

 private:
  HWY_INLINE std::uint32_t Passing(const std::uint32_t* planes) const {
    std::uint32_t passing = ~0u;
    for (std::uint64_t rest = query_.all; rest != 0; rest &= rest - 1) {
      passing &= planes[hwy::Num0BitsBelowLS1Bit_Nonzero64(rest)];
    }
    for (std::uint64_t rest = query_.none; rest != 0; rest &= rest - 1) {
      passing &= ~planes[hwy::Num0BitsBelowLS1Bit_Nonzero64(rest)];
    }
    if (query_.any != 0) {
      std::uint32_t some = 0;
      for (std::uint64_t rest = query_.any; rest != 0; rest &= rest - 1) {
        some |= planes[hwy::Num0BitsBelowLS1Bit_Nonzero64(rest)];
      }
      passing &= some;
    }
    return passing;
  }

  static HWY_INLINE void Prefetch(const std::uint32_t* planes, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 16) {
      hwy::Prefetch(planes + i);
    }
  }

  const CategoriesView& view_;
  const CategoryQuery& query_;
  std::size_t count_;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
