// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: which points of a block, and which children of a node, a filter lets through.
// Include inside a kernel file only.
//
//   leaf 7:  bit 0 |..#.#...|   all = bits 0 and 2:  plane 0 & plane 2
//            bit 1 |.#......|   none = bit 1:      & ~plane 1
//            bit 2 |####....|   any of bits 1, 2:  & (plane 1 | plane 2)
//            price |41259873|   from 2 to 5:       & ..... quanta, and a look at the numbers themselves
//                                                    where a quantum at an end holds other numbers too
//
// Limit: one word of 32 points per bit asked for, in the same one to four cache lines; a line per range.

#if defined(JUXTA_RANKED_POINT_FILTER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_POINT_FILTER_INL_H
#undef JUXTA_RANKED_POINT_FILTER_INL_H
#else
#define JUXTA_RANKED_POINT_FILTER_INL_H
#endif

#include "hwy/cache_control.h"
#include "ranked/block-inl.h"
#include "ranked/filter_query.h"

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

/// Bit i: child i may have a quantum in [first, last].
HWY_INLINE std::uint32_t BoundsBits(const ValueBounds& bounds, std::uint16_t first, std::uint16_t last) {
  const hn::CappedTag<std::uint16_t, kFanout> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto vfirst = hn::Set(d, first), vlast = hn::Set(d, last);
  std::uint32_t bits = 0;
  for (std::size_t s = 0; s < kFanout; s += lanes) {
    bits |= BitsOf(d, hn::And(LessEqual(hn::Load(d, bounds.least + s), vlast),
                              LessEqual(vfirst, hn::Load(d, bounds.most + s))))
            << s;
  }
  return bits;
}

/// Asks what stands beside the tall tree of all points, and beside their runs. With a query that lets all
/// pass, it may be of any set: nothing is read.
class PointFilter {
 public:
  PointFilter(const RankedView& view, const FilterQuery& query)
      : view_(view), query_(query), count_(query.asks_categories() ? view.categories.count() : 0) {}

  HWY_INLINE std::uint32_t OfLeaf(std::size_t leaf) const {
    const std::uint32_t passing = Passing(view_.categories.leaf_bits, leaf);
    return InRanges(view_.tall.leaves[leaf], passing,
                    [&](std::size_t i) { return view_.values.column[i].leaf_quanta + leaf * kBlockSize; });
  }
  HWY_INLINE std::uint32_t OfTop(std::size_t top) const {
    const std::uint32_t passing = Passing(view_.categories.top_bits, top);
    return InRanges(view_.tall.tops[top], passing,
                    [&](std::size_t i) { return view_.values.column[i].top_quanta + top * kBlockSize; });
  }
  /// Of block `b` of a run.
  HWY_INLINE std::uint32_t OfRun(const FilteredBlocks& run, std::size_t b) const {
    const std::uint32_t passing = Passing(run.bits, b);
    return InRanges(run.blocks[b], passing, [&](std::size_t i) { return run.quanta[i] + b * kBlockSize; });
  }

  /// Which of the children may have a point that passes. Categories that must be missing rule out no child.
  HWY_INLINE std::uint32_t OfNode(std::size_t node, std::uint32_t children) const {
    for (std::size_t i = 0; i < kMostValues; ++i) {
      if (const ValueRange& range = query_.ranges[i]; range.asked) {
        children &= BoundsBits(view_.values.column[i].bounds[node], range.first, range.last);
      }
    }
    if ((query_.all | query_.any) == 0) {
      return children;
    }
    const std::uint64_t* const masks = view_.categories.node_masks + node * kFanout;
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
    Prefetch(view_.categories.leaf_bits + node * kFanout * count_, kFanout * count_);
  }
  HWY_INLINE void PrefetchTop(std::size_t top) const {
    Prefetch(view_.categories.top_bits + top * count_, count_);
    for (std::size_t i = 0; i < kMostValues; ++i) {
      if (query_.ranges[i].asked) {
        hwy::Prefetch(view_.values.column[i].top_quanta + top * kBlockSize);
      }
    }
  }

 private:
  HWY_INLINE std::uint32_t Passing(const std::uint32_t* bits, std::size_t block) const {
    const std::uint32_t* const planes = bits + block * count_;
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

  /// Those of `passing` whose numbers are in all ranges. `quanta_of(i)`: the quanta of column i beside
  /// `block`.
  template <class QuantaOf>
  HWY_INLINE std::uint32_t InRanges(const Block& block, std::uint32_t passing, QuantaOf quanta_of) const {
    for (std::size_t i = 0; i < kMostValues && passing != 0; ++i) {
      const ValueRange& range = query_.ranges[i];
      if (!range.asked) {
        continue;
      }
      const std::uint16_t* const quanta = quanta_of(i);
      passing &= QuantaBits(quanta, range.first, range.last);
      if (range.first_is_mixed || range.last_is_mixed) {
        const std::uint32_t mixed =
            (range.first_is_mixed ? QuantaBits(quanta, range.first, range.first) : 0) |
            (range.last_is_mixed ? QuantaBits(quanta, range.last, range.last) : 0);
        passing = (passing & mixed) == 0 ? passing : Confirm(block, passing, passing & mixed, i);
      }
    }
    return passing;
  }

  /// Looks at the numbers of the points in doubt: of two quanta, some hundreds of 10M.
  HWY_NOINLINE std::uint32_t Confirm(const Block& block, std::uint32_t passing, std::uint32_t doubtful,
                                     std::size_t i) const {
    for (; doubtful != 0; doubtful &= doubtful - 1) {
      const std::uint32_t bit = doubtful & (0u - doubtful);
      const std::uint32_t position = block.name[hwy::Num0BitsBelowLS1Bit_Nonzero32(doubtful)];
      const std::uint64_t key =
          position == kNoPoint ? kNoNumber : view_.values.column[i].key(view_.index(position));
      passing ^= query_.ranges[i].least <= key && key <= query_.ranges[i].most ? 0 : bit;
    }
    return passing;
  }

  static HWY_INLINE void Prefetch(const std::uint32_t* planes, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 16) {
      hwy::Prefetch(planes + i);
    }
  }

  const RankedView& view_;
  const FilterQuery& query_;
  std::size_t count_;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
