// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Whole frames node by node, on registers of four floats: the compiler makes less of the plain loops. In a
// namespace without a name, because its users are compiled with options of their own.
#pragma once

#include "bench/transform/whole_frame.h"
#include "classics/transform/wide_mul-inl.h"

namespace juxta::bench {
namespace {

/// turn(), whole registers written: what reads them next need not wait.
inline void turn_local(LocalTransform& local, const Turn& by) noexcept {
  using namespace classics::wide;
  const Float4 q = load(&local.rotation);
  const Float4 sines{by.sin, -by.sin, by.sin, -by.sin};
  store(q * by.cos + lanes<1, 0, 3, 2>(q) * sines, &local.rotation);
  store(load(&local.position) + Float4{by.step, 0, 0, 0}, &local.position);
}

/// The same for a root whose place in the world is what is written.
inline void turn_root(Qvvs& world, const Turn& by) noexcept {
  using namespace classics::wide;
  const Float4 q = load(&world.rotation);
  const Float4 sines{by.sin, -by.sin, by.sin, -by.sin};
  store(q * by.cos + lanes<1, 0, 3, 2>(q) * sines, &world.rotation);
  world.position.x += by.step;
}

class WideSum {
 public:
  void add(const Qvvs& world) noexcept {
    sum_ += __builtin_convertvector(classics::wide::load(&world.position), Double4);
  }
  [[nodiscard]] PositionSum total() const noexcept { return {sum_[0], sum_[1], sum_[2]}; }

 private:
  using Double4 = double __attribute__((vector_size(32)));
  Double4 sum_{};  // the last one, of contexts, means nothing
};

/// to_matrix34(), row by row:
///   | 1 - (yy + zz)   xy - wz         xz + wy       |
///   | xy + wz         1 - (xx + zz)   yz - wx       |     each product twice
///   | xz - wy         yz + wx         1 - (xx + yy) |
inline void matrix_into(const Qvvs& world, Matrix34& out) noexcept {
  using namespace classics::wide;
  constexpr std::int32_t kMinus = INT32_MIN;
  const Float4 q = load(&world.rotation), p = load(&world.position), size = load(&world.stretch);
  const Float4 q2 = q + q, s = size * lanes<3, 3, 3, 3>(size);
  const Float4 a = (flip(lanes<1, 0, 0, 3>(q) * lanes<1, 1, 2, 3>(q2), Int4{kMinus, 0, 0, 0}) +
                    flip(lanes<2, 3, 3, 3>(q) * lanes<2, 2, 1, 3>(q2), Int4{kMinus, kMinus, 0, 0})) +
                   Float4{1, 0, 0, 0};
  const Float4 b = (flip(lanes<0, 0, 1, 3>(q) * lanes<1, 0, 2, 3>(q2), Int4{0, kMinus, 0, 0}) +
                    flip(lanes<3, 2, 3, 3>(q) * lanes<2, 2, 0, 3>(q2), Int4{0, kMinus, kMinus, 0})) +
                   Float4{0, 1, 0, 0};
  const Float4 c = (flip(lanes<0, 1, 0, 3>(q) * lanes<2, 2, 0, 3>(q2), Int4{0, 0, kMinus, 0}) +
                    flip(lanes<3, 3, 1, 3>(q) * lanes<1, 0, 1, 3>(q2), Int4{kMinus, 0, kMinus, 0})) +
                   Float4{0, 0, 1, 0};
  store(__builtin_shufflevector(a * s, p, 0, 1, 2, 4), out.m[0]);
  store(__builtin_shufflevector(b * s, p, 0, 1, 2, 5), out.m[1]);
  store(__builtin_shufflevector(c * s, p, 0, 1, 2, 6), out.m[2]);
}

}  // namespace
}  // namespace juxta::bench
