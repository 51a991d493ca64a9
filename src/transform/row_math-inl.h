// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: world transforms of one row, two or four, a row per 128 bits: no transposing. For kernel files
// only.
//
//   four rows, two registers  | q0 | p0 | q1 | p1 |   | q2 | p2 | q3 | p3 |     (AVX-512; two rows on AVX2)
//   taken apart               | q0 | q2 | q1 | q3 |   | p0 | p2 | p1 | p3 |
//
// Determinism:  a row's lanes never meet another row's. Every sum has the order of qvvs.h, nothing is fused.

#if defined(JUXTA_TRANSFORM_ROW_MATH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_TRANSFORM_ROW_MATH_INL_H
#undef JUXTA_TRANSFORM_ROW_MATH_INL_H
#else
#define JUXTA_TRANSFORM_ROW_MATH_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/wasm_ops-inl.h"
#include "hwy/highway.h"
#include "juxta/math/qvvs.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::transform_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// N rows: N rotations, and N times position and scale, 128 bits each.
template <std::size_t N>
using RowTag = hn::CappedTag<float, 4 * N>;
template <std::size_t N>
struct Rows {
  hn::Vec<RowTag<N>> q, ps;
};

/// (x, y, z, w) -> (y, z, x, w) in each row.
template <class D, class V>
HWY_INLINE V Yzx(D d, V v) {
  const hn::Repartition<std::uint8_t, D> bytes;
  alignas(16) static constexpr std::uint8_t kOrder[16] = {4, 5, 6, 7, 8,  9,  10, 11,
                                                          0, 1, 2, 3, 12, 13, 14, 15};
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, kOrder)));
}

/// Changes the signs of the lanes whose number is in kLanes, in each row.
template <std::uint32_t kLanes, class D, class V>
HWY_INLINE V Negate(D d, V v) {
  const hn::Repartition<std::uint32_t, D> words;
  constexpr std::uint32_t kSign = 0x80000000U;
  alignas(16) static constexpr std::uint32_t kMask[4] = {
      (kLanes & 1) != 0 ? kSign : 0, (kLanes & 2) != 0 ? kSign : 0, (kLanes & 4) != 0 ? kSign : 0,
      (kLanes & 8) != 0 ? kSign : 0};
  return hn::BitCast(d, hn::Xor(hn::BitCast(words, v), hn::LoadDup128(words, kMask)));
}

/// renormalized() of qvvs.h.
template <class D, class V>
HWY_INLINE V Renormalize(D d, V r) {
  V n = hn::Mul(r, r);
  n = hn::Add(n, hn::Shuffle2301(n));
  n = hn::Add(n, hn::Shuffle1032(n));
  return hn::Mul(r, hn::Sub(hn::Set(d, 1.5F), hn::Mul(hn::Set(d, 0.5F), n)));
}

/// The rotation of a product, brought back to length 1: operator*(Quat, Quat) and renormalized() of qvvs.h.
template <class D, class V>
HWY_INLINE V Rotation(D d, V a, V b) {
  V r = hn::Mul(hn::Broadcast<3>(a), b);
  r = hn::Add(r, hn::Mul(hn::Broadcast<0>(a), Negate<0b1010>(d, hn::Shuffle0123(b))));
  r = hn::Add(r, hn::Mul(hn::Broadcast<1>(a), Negate<0b1100>(d, hn::Shuffle1032(b))));
  r = hn::Add(r, hn::Mul(hn::Broadcast<2>(a), Negate<0b1001>(d, hn::Shuffle2301(b))));
  return Renormalize(d, r);
}

/// rotate() of qvvs.h; lane 3 stays as it is.
template <class D, class V>
HWY_INLINE V Rotate(D d, V q, V v) {
  const V q_yzx = Yzx(d, q);
  const V half = Yzx(d, hn::Sub(hn::Mul(q, Yzx(d, v)), hn::Mul(q_yzx, v)));
  const V t = hn::Add(half, half);
  const V turned = Yzx(d, hn::Sub(hn::Mul(q, Yzx(d, t)), hn::Mul(q_yzx, t)));
  return hn::Add(hn::Add(v, hn::Mul(t, hn::Broadcast<3>(q))), turned);
}

/// mul() of qvvs.h. `offset` is position * stretch and scale of the local transform.
template <std::size_t N>
HWY_INLINE Rows<N> Multiply(const Rows<N>& parent, hn::Vec<RowTag<N>> q, hn::Vec<RowTag<N>> offset) {
  const RowTag<N> d;
  const hn::Repartition<std::uint32_t, RowTag<N>> words;
  alignas(16) static constexpr std::uint32_t kXyz[4] = {~0U, ~0U, ~0U, 0};
  const auto origin = hn::BitCast(d, hn::And(hn::BitCast(words, parent.ps), hn::LoadDup128(words, kXyz)));
  const auto scaled = hn::Mul(offset, hn::Broadcast<3>(parent.ps));
  return {Rotation(d, parent.q, q), hn::Add(origin, Rotate(d, parent.q, scaled))};
}

/// Rows 0 and 1 in `a`, 2 and 3 in `b`, as in memory; the order inside is each function's own affair.
template <std::size_t N>
HWY_INLINE Rows<N> Apart(hn::Vec<RowTag<N>> a, hn::Vec<RowTag<N>> b) {
  return {hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a), hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a))};
}

template <std::size_t N>
HWY_INLINE Rows<N> LoadRows(const float* at) {
  const RowTag<N> d;
  if constexpr (N == 1) {
    return {hn::LoadU(d, at), hn::LoadU(d, at + 4)};
  } else {
    return Apart<N>(hn::LoadU(d, at), hn::LoadU(d, at + 4 * N));
  }
}

template <std::size_t N>
HWY_INLINE Rows<N> LoadRows(const LocalTransform* rows) {
  return LoadRows<N>(&rows->rotation.x);
}

template <std::size_t N>
HWY_INLINE void StoreRows(const Rows<N>& rows, LocalTransform* out) {
  const RowTag<N> d;
  float* at = &out->rotation.x;
  if constexpr (N == 1) {
    hn::StoreU(rows.q, d, at);
    hn::StoreU(rows.ps, d, at + 4);
  } else {
    hn::StoreU(hn::OddEvenBlocks(hn::SwapAdjacentBlocks(rows.ps), rows.q), d, at);
    hn::StoreU(hn::OddEvenBlocks(rows.ps, hn::SwapAdjacentBlocks(rows.q)), d, at + 4 * N);
  }
}

/// All bits are 0.
template <std::size_t N>
HWY_INLINE bool IsZero(hn::Vec<RowTag<N>> v) {
  const hn::Repartition<std::uint32_t, RowTag<N>> words;
  return hn::AllTrue(words, hn::Eq(hn::BitCast(words, v), hn::Zero(words)));
}

}  // namespace juxta::transform_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
