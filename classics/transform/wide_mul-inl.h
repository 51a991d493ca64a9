// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "juxta/math/qvvs.h"

namespace juxta::classics {

/// juxta::mul() on whole registers of four floats, as the framework's compiler has it. Every lane makes the
/// same operations in the same order, so the bits are the same; a test holds it to that.
///
///   world  | rotation x y z w | position x y z, context | stretch x y z, scale |
///   local  | rotation x y z w | position x y z, scale   |
///
/// Written by hand because gcc 12, left alone, mixes loads of 8 bytes into it that wait for the parent's
/// stores of 4.
namespace wide {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = std::int32_t __attribute__((vector_size(16)));

inline Float4 load(const void* from) noexcept {
  Float4 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store(Float4 v, void* to) noexcept {
  std::memcpy(to, &v, sizeof v);
}
template <int kX, int kY, int kZ, int kW>
inline Float4 lanes(Float4 v) noexcept {
  return __builtin_shufflevector(v, v, kX, kY, kZ, kW);
}
// The lanes of `v`, negated where the mask is set: a - b and a + (-b) have the same bits.
inline Float4 flip(Float4 v, Int4 mask) noexcept {
  return reinterpret_cast<Float4>(reinterpret_cast<Int4>(v) ^ mask);
}
inline Float4 times(Float4 a, Float4 b) noexcept {
  constexpr std::int32_t kMinus = INT32_MIN;
  const Float4 x = flip(lanes<0, 0, 0, 0>(a) * lanes<3, 2, 1, 0>(b), Int4{0, kMinus, 0, kMinus});
  const Float4 y = flip(lanes<1, 1, 1, 1>(a) * lanes<2, 3, 0, 1>(b), Int4{0, 0, kMinus, kMinus});
  const Float4 z = flip(lanes<2, 2, 2, 2>(a) * lanes<1, 0, 3, 2>(b), Int4{kMinus, 0, 0, kMinus});
  return ((lanes<3, 3, 3, 3>(a) * b + x) + y) + z;
}
inline Float4 renormalized(Float4 q) noexcept {
  const Float4 squares = q * q;
  const Float4 pairs = squares + lanes<1, 0, 3, 2>(squares);
  const Float4 length = pairs + lanes<2, 3, 0, 1>(pairs);
  return q * (1.5F - 0.5F * length);
}
inline Float4 cross(Float4 a, Float4 b) noexcept {
  return lanes<1, 2, 0, 3>(a) * lanes<2, 0, 1, 3>(b) - lanes<1, 2, 0, 3>(b) * lanes<2, 0, 1, 3>(a);
}

}  // namespace wide

/// Writes mul(parent, local, out.stretch, out.context) to `out`.
inline void mul_into(const Qvvs& parent, const LocalTransform& local, Qvvs& out) noexcept {
  using namespace wide;
  const Float4 q = load(&parent.rotation), place = load(&parent.position), size = load(&parent.stretch);
  const Float4 offset = load(&local.position) * size;  // and the product of the scales
  const Float4 v = offset * lanes<3, 3, 3, 3>(size);
  const Float4 half = wide::cross(q, v), t = half + half;
  const Float4 moved = place + ((v + t * lanes<3, 3, 3, 3>(q)) + wide::cross(q, t));
  const Float4 kept = load(&out.position), stretch = load(&out.stretch);
  store(wide::renormalized(times(q, load(&local.rotation))), &out.rotation);
  store(__builtin_shufflevector(moved, kept, 0, 1, 2, 7), &out.position);
  store(__builtin_shufflevector(stretch, offset, 0, 1, 2, 7), &out.stretch);
}

}  // namespace juxta::classics
