// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: structs of floats, four floats a block of 128 bits, from and to a number a register. For kernel
// files only.
//
//   in memory    | x y z w | of struct 0, 4, 8, 12     each a block of one register
//                | x y z w | of struct 1, 5, 9, 13
//   turned       | x of 0 .. 3 | x of 4 .. 7 | ..      four registers of blocks

#if defined(JUXTA_CORE_BLOCKS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_CORE_BLOCKS_INL_H
#undef JUXTA_CORE_BLOCKS_INL_H
#else
#define JUXTA_CORE_BLOCKS_INL_H
#endif

#include <cstddef>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::core_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Four floats each from `from`, `from + step`, ...
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const float* from, std::size_t step) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    (void)step;
    return hn::LoadU(d, from);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kBlocks = hn::MaxLanes(half) / 4;
    return hn::Combine(d, LoadBlocks(half, from + kBlocks * step, step), LoadBlocks(half, from, step));
  }
}
template <class D>
HWY_INLINE void StoreBlocks(D d, hn::Vec<D> v, float* to, std::size_t step) {
  if constexpr (hn::MaxLanes(D()) <= 4) {
    (void)step;
    hn::StoreU(v, d, to);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kBlocks = hn::MaxLanes(half) / 4;
    StoreBlocks(half, hn::LowerHalf(half, v), to, step);
    StoreBlocks(half, hn::UpperHalf(half, v), to + kBlocks * step, step);
  }
}
/// In each block, rows become columns.
template <class D>
HWY_INLINE void TurnBlocks(D d, hn::Vec<D> (&v)[4]) {
  const auto a = hn::InterleaveLower(d, v[0], v[2]), b = hn::InterleaveLower(d, v[1], v[3]);
  const auto e = hn::InterleaveUpper(d, v[0], v[2]), f = hn::InterleaveUpper(d, v[1], v[3]);
  v[0] = hn::InterleaveLower(d, a, b);
  v[1] = hn::InterleaveUpper(d, a, b);
  v[2] = hn::InterleaveLower(d, e, f);
  v[3] = hn::InterleaveUpper(d, e, f);
}

}  // namespace juxta::core_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
