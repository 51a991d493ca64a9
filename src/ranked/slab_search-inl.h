// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: top-k in a sliver by the points of its slab. Include inside top_kernel.cpp only.
//
//   |    |##|          |     all points in the order of x: those with the quanta of the sliver are one run,
//   |    |##|          |     wherever low ranks are
//
// Limit: 2 bytes a point of the slab, in order, and 4 more of those in the box.

#if defined(JUXTA_RANKED_SLAB_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_SLAB_SEARCH_INL_H
#undef JUXTA_RANKED_SLAB_SEARCH_INL_H
#else
#define JUXTA_RANKED_SLAB_SEARCH_INL_H
#endif

#include <cstring>

#include "ranked/many_hits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// In ns, of memory that is not in the cache.
inline constexpr double kSlabPoint = 0.5;

/// The run of places that holds the points of the box, and others.
struct Slab {
  const SlabView* slabs = nullptr;  // null: there are none
  bool of_x = false;                // in the order of x
  std::uint32_t begin = 0, end = 0;

  [[nodiscard]] double cost() const { return (end - begin) * kSlabPoint; }
};

/// The shorter one of the two slabs around a box.
template <class T>
HWY_INLINE Slab SlabOf(const RankedView& view, const BoxQuery<T>& query) {
  if (view.x_slabs.name == nullptr) {
    return {};
  }
  const std::uint32_t sx = view.x_axis.shift(), sy = view.y_axis.shift();
  const QuantumBox& box = query.outer;
  const std::uint32_t* const x = view.x_slabs.begin;
  const std::uint32_t* const y = view.y_slabs.begin;
  const Slab of_x = {&view.x_slabs, true, x[box.lx >> sx], x[(box.hx >> sx) + 1]};
  const Slab of_y = {&view.y_slabs, false, y[box.ly >> sy], y[(box.hy >> sy) + 1]};
  return of_x.end - of_x.begin <= of_y.end - of_y.begin ? of_x : of_y;
}

/// Makes blocks of the places of a slab. The quantum along it is not kept, but the place tells whether it is
/// that of an edge of the box, whose points are in doubt:
///
///   |outer.lx|  inner  |outer.hx|
///   begin    inner_begin  inner_end   end
template <class T>
class SlabBlocks {
 public:
  SlabBlocks(const Slab& slab, const BoxQuery<T>& query)
      : slab_(slab), inner_begin_(slab.end), inner_end_(slab.end) {
    const QuantumBox &outer = query.outer, &inner = query.inner;
    const bool x = slab.of_x;
    low_ = x ? outer.lx : outer.ly;
    high_ = x ? outer.hx : outer.hy;
    within_ = low_;
    if (query.exact) {
      inner_begin_ = slab.begin;
    } else if (!query.inner_empty) {
      const std::uint32_t shift = x ? query.view->x_axis.shift() : query.view->y_axis.shift();
      within_ = x ? inner.lx : inner.ly;
      inner_begin_ = slab.slabs->begin[within_ >> shift];
      inner_end_ = slab.slabs->begin[((x ? inner.hx : inner.hy) >> shift) + 1];
    }
  }

  HWY_INLINE const Block& At(std::size_t first) {
    std::uint16_t* const along = slab_.of_x ? block_.x : block_.y;
    std::memcpy(slab_.of_x ? block_.y : block_.x, slab_.slabs->across + first, sizeof block_.x);
    std::memcpy(block_.name, slab_.slabs->name + first, sizeof block_.name);
    for (std::size_t i = 0; i < kBlockSize; ++i) {
      const std::size_t place = first + i;
      along[i] = place < inner_begin_ ? low_ : place < inner_end_ ? within_ : high_;
    }
    return block_;
  }

 private:
  const Slab& slab_;
  std::size_t inner_begin_, inner_end_;
  std::uint16_t low_, within_, high_;
  Block block_;
};

/// The k lowest positions from `first` on, ascending.
template <class T>
HWY_NOINLINE QueryResult SearchSlab(const Slab& slab, const BoxQuery<T>& query, std::uint32_t first,
                                    std::size_t k, std::uint32_t* out) {
  const RankedView& view = *query.view;
  const std::uint16_t low = slab.of_x ? query.outer.ly : query.outer.lx,
                      high = slab.of_x ? query.outer.hy : query.outer.hx;
  SlabBlocks<T> blocks(slab, query);
  ManyHits<T> hits(view, query, k, out);
  hits.Begin(first, static_cast<std::uint32_t>(view.positions()), true);
  for (std::size_t at = slab.begin / kBlockSize * kBlockSize; at < slab.end; at += kBlockSize) {
    std::uint32_t wanted = QuantaBits(slab.slabs->across + at, low, high);
    wanted &= at < slab.begin ? ~0u << (slab.begin - at) : ~0u;
    wanted &= slab.end - at < kBlockSize ? (1u << (slab.end - at)) - 1 : ~0u;
    if (wanted != 0) {
      hits.Take(blocks.At(at), wanted, 0);
    }
  }
  hits.End();
  return {.written = hits.size(),
          .tested = slab.end - slab.begin,
          .visited = (slab.end - slab.begin) / kBlockSize};
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
