// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Counting inside a rectangle.
//
//   +--+-------------+--+     whole cells of the grid: four reads of a summed-area table
//   |  |     top     |  |     left, right: strips thinner than a cell, through the tall tree
//   |  +-------------+  |     top, bottom: through the flat tree
//   |  | whole cells |  |     Nodes inside a strip are added as a whole; blocks on its border are looked at.
//   |  +-------------+  |
//   |  |   bottom    |  |
//   +--+-------------+--+
//
// Limit:       blocks along the border, 256 bytes each, prefetched: about 140 * side / world per edge at 10M
//              points.
// Determinism: integers only.

#include <cstring>

#include "ranked/top_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/count_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/tree_count-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// The part of a query between two columns and two rows of quanta (inclusive).
template <class T>
HWY_INLINE BoxQuery<T> Clip(const BoxQuery<T>& query, std::uint32_t lx, std::uint32_t ly, std::uint32_t hx,
                            std::uint32_t hy) {
  const auto cut = [&](const QuantumBox& box) {
    return QuantumBox{
        static_cast<std::uint16_t>(HWY_MAX(box.lx, lx)), static_cast<std::uint16_t>(HWY_MAX(box.ly, ly)),
        static_cast<std::uint16_t>(HWY_MIN(box.hx, hx)), static_cast<std::uint16_t>(HWY_MIN(box.hy, hy))};
  };
  BoxQuery<T> part = query;
  part.outer = cut(query.outer);
  part.inner = cut(query.inner);
  part.inner_empty = query.inner_empty || part.inner.lx > part.inner.hx || part.inner.ly > part.inner.hy;
  return part;
}

template <class T>
HWY_INLINE QueryResult CountOf(const RankedView& view, const RectD& rect) {
  QueryResult result;
  BoxQuery<T> query;
  if (!MakeQuery(view, rect, query)) {
    return result;
  }
  const std::uint32_t shift = 16 - view.grid.bits, cell = 1u << shift;
  // Whole cells [x0, x1) x [y0, y1) of the inner box.
  const std::uint32_t x0 = (query.inner.lx + cell - 1) >> shift,
                      x1 = (query.inner.hx + (1u << view.x_axis.shift())) >> shift;
  const std::uint32_t y0 = (query.inner.ly + cell - 1) >> shift,
                      y1 = (query.inner.hy + (1u << view.y_axis.shift())) >> shift;
  if (query.inner_empty || x0 >= x1 || y0 >= y1 || view.is_subset()) {  // the grid counts the whole set
    const bool tall = query.width <= query.height;
    CountTree(tall ? view.tall : view.flat, query, result);
    return result;
  }
  result.found = view.grid.count(x0, y0, x1, y1);
  const std::uint32_t lx = x0 << shift, hx = x1 << shift, ly = y0 << shift, hy = y1 << shift;
  if (query.outer.lx < lx) {
    CountTree(view.tall, Clip(query, 0, 0, lx - 1, 0xFFFF), result);
  }
  if (query.outer.hx >= hx) {
    CountTree(view.tall, Clip(query, hx, 0, 0xFFFF, 0xFFFF), result);
  }
  if (query.outer.ly < ly) {
    CountTree(view.flat, Clip(query, lx, 0, hx - 1, ly - 1), result);
  }
  if (query.outer.hy >= hy) {
    CountTree(view.flat, Clip(query, lx, hy, hx - 1, 0xFFFF), result);
  }
  return result;
}

QueryResult Count(const RankedView& view, const RectD& rect) {
  return JUXTA_CALL_FOR_TYPE(view, CountOf, view, rect);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(Count);
QueryResult count_points(const RankedView& view, const RectD& rect) noexcept {
  return JUXTA_CALL_KERNEL(Count)(view, rect);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
