// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Whole frames sixteen nodes at a time: column k of what is loaded stands `stride` floats behind column
// k - 1. In a namespace without a name, because its users are compiled with options of their own.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>

#include "bench/transform/whole_frame.h"

namespace juxta::bench {
namespace {

using Float16 = float __attribute__((vector_size(64)));
using Int16 = std::int32_t __attribute__((vector_size(64)));

inline Float16 load16(const float* from) noexcept {
  Float16 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline void store16(const Float16& v, float* to) noexcept {
  std::memcpy(to, &v, sizeof v);
}

struct Lanes16 {
  Float16 qx, qy, qz, qw, x, y, z, scale;
};
struct ParentLanes {
  Lanes16 world;
  Float16 stretch_x, stretch_y, stretch_z;
};

/// The system: what it writes goes back to memory.
inline Lanes16 turned(float* local, std::size_t stride, const Turn& by) noexcept {
  Lanes16 l{load16(local),
            load16(local + stride),
            load16(local + 2 * stride),
            load16(local + 3 * stride),
            load16(local + 4 * stride),
            load16(local + 5 * stride),
            load16(local + 6 * stride),
            load16(local + 7 * stride)};
  turn(l.qx, l.qy, l.qz, l.qw, l.x, by);
  store16(l.qx, local);
  store16(l.qy, local + stride);
  store16(l.qz, local + 2 * stride);
  store16(l.qw, local + 3 * stride);
  store16(l.x, local + 4 * stride);
  return l;
}

inline void store_all(const Lanes16& l, float* to, std::size_t stride) noexcept {
  store16(l.qx, to);
  store16(l.qy, to + stride);
  store16(l.qz, to + 2 * stride);
  store16(l.qw, to + 3 * stride);
  store16(l.x, to + 4 * stride);
  store16(l.y, to + 5 * stride);
  store16(l.z, to + 6 * stride);
  store16(l.scale, to + 7 * stride);
}

template <class Get>
inline ParentLanes parent_lanes(const float* world, std::size_t stride, const Get& get) noexcept {
  const auto column = [&](std::size_t k) { return get(world + k * stride); };
  return {{column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)},
          column(8),
          column(9),
          column(10)};
}
inline ParentLanes parents_in_row(const float* world, std::size_t stride) noexcept {
  return parent_lanes(world, stride, load16);
}
inline ParentLanes one_parent(const float* world, std::size_t stride) noexcept {
  return parent_lanes(world, stride, [](const float* column) { return Float16{} + *column; });
}
/// Anywhere in the group.
inline ParentLanes mixed_parents(const float* world, std::size_t stride,
                                 const std::uint32_t* parents) noexcept {
#if defined(__AVX512F__)
  const __m512i places = _mm512_loadu_si512(parents);
  return parent_lanes(world, stride, [places](const float* column) {
    return reinterpret_cast<Float16>(_mm512_i32gather_ps(places, column, 4));
  });
#else
  return parent_lanes(world, stride, [parents](const float* column) {
    alignas(64) float numbers[16];
    for (std::size_t i = 0; i < 16; ++i) {
      numbers[i] = column[parents[i]];
    }
    return load16(numbers);
  });
#endif
}

inline void renormalize(Lanes16& l) noexcept {
  const Float16 k = 1.5F - 0.5F * (l.qx * l.qx + l.qy * l.qy + l.qz * l.qz + l.qw * l.qw);
  l.qx *= k;
  l.qy *= k;
  l.qz *= k;
  l.qw *= k;
}

/// mul(): v + w t + q x t with t = 2 (q x v).
inline Lanes16 below(const ParentLanes& parent, const Lanes16& l) noexcept {
  const Lanes16& p = parent.world;
  const Float16 vx = l.x * parent.stretch_x * p.scale, vy = l.y * parent.stretch_y * p.scale,
                vz = l.z * parent.stretch_z * p.scale;
  const Float16 tx = 2.0F * (p.qy * vz - p.qz * vy), ty = 2.0F * (p.qz * vx - p.qx * vz),
                tz = 2.0F * (p.qx * vy - p.qy * vx);
  Lanes16 w{p.qw * l.qx + p.qx * l.qw + p.qy * l.qz - p.qz * l.qy,
            p.qw * l.qy - p.qx * l.qz + p.qy * l.qw + p.qz * l.qx,
            p.qw * l.qz + p.qx * l.qy - p.qy * l.qx + p.qz * l.qw,
            p.qw * l.qw - p.qx * l.qx - p.qy * l.qy - p.qz * l.qz,
            p.x + vx + p.qw * tx + (p.qy * tz - p.qz * ty),
            p.y + vy + p.qw * ty + (p.qz * tx - p.qx * tz),
            p.z + vz + p.qw * tz + (p.qx * ty - p.qy * tx),
            p.scale * l.scale};
  renormalize(w);
  return w;
}

/// Positions of sixteen nodes at a time, of those whose bit is set. In double, each lane by itself.
class LaneSum {
 public:
  void add(const Float16& x, const Float16& y, const Float16& z, std::uint32_t mask) noexcept {
    constexpr Int16 kBits = {1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                             1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    const Int16 there = (kBits & static_cast<std::int32_t>(mask)) != 0;
    add(there ? x : Float16{}, x_);
    add(there ? y : Float16{}, y_);
    add(there ? z : Float16{}, z_);
  }
  [[nodiscard]] PositionSum total() const noexcept {
    PositionSum total{};
    for (std::size_t i = 0; i < 16; ++i) {
      total[0] += x_[i];
      total[1] += y_[i];
      total[2] += z_[i];
    }
    return total;
  }

 private:
  static void add(const Float16& v, double* sums) noexcept {
    alignas(64) float numbers[16];
    store16(v, numbers);
    for (std::size_t i = 0; i < 16; ++i) {
      sums[i] += numbers[i];
    }
  }
  alignas(64) double x_[16] = {}, y_[16] = {}, z_[16] = {};
};

/// Adds up the first `count` positions.
struct SumReader {
  LaneSum sum;

  void read(const Lanes16& world, const float* /*stretch*/, std::size_t /*stride*/, std::size_t /*at*/,
            std::uint32_t count) noexcept {
    sum.add(world.x, world.y, world.z, (1U << count) - 1);
  }
};

/// Writes them as matrices: four columns of a row of sixteen matrices become four floats of each.
struct MatrixReader {
  Matrix34* out;

  void read(const Lanes16& w, const float* stretch, std::size_t stride, std::size_t at,
            std::uint32_t /*count*/) const noexcept {
    const Float16 sx = w.scale * load16(stretch), sy = w.scale * load16(stretch + stride),
                  sz = w.scale * load16(stretch + 2 * stride);
    const Float16 x2 = w.qx + w.qx, y2 = w.qy + w.qy, z2 = w.qz + w.qz;
    const Float16 xx = w.qx * x2, yy = w.qy * y2, zz = w.qz * z2, xy = w.qx * y2, xz = w.qx * z2,
                  yz = w.qy * z2;
    const Float16 wx = w.qw * x2, wy = w.qw * y2, wz = w.qw * z2;
    float* const to = &out[at].m[0][0];
    write_row((1.0F - (yy + zz)) * sx, (xy - wz) * sy, (xz + wy) * sz, w.x, to);
    write_row((xy + wz) * sx, (1.0F - (xx + zz)) * sy, (yz - wx) * sz, w.y, to + 4);
    write_row((xz - wy) * sx, (yz + wx) * sy, (1.0F - (xx + yy)) * sz, w.z, to + 8);
  }

 private:
  static void write_row(const Float16& a, const Float16& b, const Float16& c, const Float16& d,
                        float* to) noexcept {
    const Float16 ab = pairs<0>(a, b), AB = pairs<2>(a, b), cd = pairs<0>(c, d), CD = pairs<2>(c, d);
    write_each<0>(fours<0>(ab, cd), to);
    write_each<1>(fours<2>(ab, cd), to);
    write_each<2>(fours<0>(AB, CD), to);
    write_each<3>(fours<2>(AB, CD), to);
  }
  /// Of each four lanes number k and k + 1 of both, by turns.
  template <int k>
  static Float16 pairs(const Float16& a, const Float16& b) noexcept {
    return __builtin_shufflevector(a, b, k, 16 + k, k + 1, 17 + k, 4 + k, 20 + k, 5 + k, 21 + k, 8 + k,
                                   24 + k, 9 + k, 25 + k, 12 + k, 28 + k, 13 + k, 29 + k);
  }
  template <int k>
  static Float16 fours(const Float16& a, const Float16& b) noexcept {
    return __builtin_shufflevector(a, b, k, k + 1, 16 + k, 17 + k, 4 + k, 5 + k, 20 + k, 21 + k, 8 + k, 9 + k,
                                   24 + k, 25 + k, 12 + k, 13 + k, 28 + k, 29 + k);
  }
  /// Rows of the matrices lane, lane + 4, lane + 8, lane + 12.
  template <std::size_t lane>
  static void write_each(const Float16& v, float* to) noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
      std::memcpy(to + 12 * (lane + 4 * i), reinterpret_cast<const float*>(&v) + 4 * i, 16);
    }
  }
};

}  // namespace
}  // namespace juxta::bench
