// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Doubles for Highway 1.0 on WebAssembly. Its SIMD128 target has floats and integers of all sizes, but says
// HWY_HAVE_FLOAT64 0. The operations here are those that kernels of Juxta use.
//
// Each is one instruction of SIMD128, except where a comment says otherwise. Min and Max answer as on x86:
// the second operand where one is no number or both are equal.
#pragma once

#include "core/simd/wasm_ops-inl.h"
#include "hwy/highway.h"

#if HWY_TARGET == HWY_WASM && !HWY_HAVE_FLOAT64

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

template <std::size_t N>
using Doubles = Vec128<double, N>;
template <std::size_t N>
using DoubleMask = Mask128<double, N>;

template <std::size_t N, HWY_IF_LE128(double, N)>
HWY_API Doubles<N> Set(Simd<double, N, 0> /*d*/, const double value) {
  return {wasm_f64x2_splat(value)};
}

// Highway's own would convert the bits as an integer. ExtractLane() likewise, which nobody needs here.
template <std::size_t N>
HWY_API double GetLane(const Doubles<N> v) {
  return wasm_f64x2_extract_lane(v.raw, 0);
}
template <std::size_t N>
double ExtractLane(const Doubles<N> v, std::size_t lane) = delete;

// ---- arithmetic

template <std::size_t N>
HWY_API Doubles<N> operator+(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_add(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> operator-(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_sub(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> operator*(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_mul(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> operator/(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_div(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Sqrt(const Doubles<N> v) {
  return {wasm_f64x2_sqrt(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Abs(const Doubles<N> v) {
  return {wasm_f64x2_abs(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Neg(const Doubles<N> v) {
  return {wasm_f64x2_neg(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Floor(const Doubles<N> v) {
  return {wasm_f64x2_floor(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Ceil(const Doubles<N> v) {
  return {wasm_f64x2_ceil(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Trunc(const Doubles<N> v) {
  return {wasm_f64x2_trunc(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Round(const Doubles<N> v) {
  return {wasm_f64x2_nearest(v.raw)};
}
template <std::size_t N>
HWY_API Doubles<N> Min(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_pmin(b.raw, a.raw)};  // swapped, as Highway's for floats
}
template <std::size_t N>
HWY_API Doubles<N> Max(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_pmax(b.raw, a.raw)};
}

// Two instructions each, and two roundings: SIMD128 has no fused ones.
template <std::size_t N>
HWY_API Doubles<N> MulAdd(const Doubles<N> a, const Doubles<N> b, const Doubles<N> add) {
  return a * b + add;
}
template <std::size_t N>
HWY_API Doubles<N> NegMulAdd(const Doubles<N> a, const Doubles<N> b, const Doubles<N> add) {
  return add - a * b;
}
template <std::size_t N>
HWY_API Doubles<N> MulSub(const Doubles<N> a, const Doubles<N> b, const Doubles<N> sub) {
  return a * b - sub;
}

// ---- comparisons

template <std::size_t N>
HWY_API DoubleMask<N> operator==(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_eq(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API DoubleMask<N> operator!=(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_ne(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API DoubleMask<N> operator>(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_gt(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API DoubleMask<N> operator<=(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_le(a.raw, b.raw)};
}
template <std::size_t N>
HWY_API DoubleMask<N> operator>=(const Doubles<N> a, const Doubles<N> b) {
  return {wasm_f64x2_ge(a.raw, b.raw)};
}

// ---- conversions

template <std::size_t N, HWY_IF_LE128(double, N)>
HWY_API Doubles<N> PromoteTo(Simd<double, N, 0> /*d*/, const Vec128<float, N> v) {
  return {wasm_f64x2_promote_low_f32x4(v.raw)};
}
template <std::size_t N>
HWY_API Vec128<float, N> DemoteTo(Simd<float, N, 0> /*d*/, const Doubles<N> v) {
  return {wasm_f32x4_demote_f64x2_zero(v.raw)};
}
// SIMD128 has none between doubles and integers of 64 bits: lane by lane.
template <std::size_t N>
HWY_API Doubles<N> ConvertTo(Simd<double, N, 0> /*d*/, const Vec128<std::int64_t, N> v) {
  return {wasm_f64x2_make(static_cast<double>(wasm_i64x2_extract_lane(v.raw, 0)),
                          static_cast<double>(wasm_i64x2_extract_lane(v.raw, 1)))};
}

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_WASM without doubles
