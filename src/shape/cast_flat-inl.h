// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: farthest points of cores, and the ray against B - A where no core has a radius. For kernel
// files only.

#if defined(JUXTA_SHAPE_CAST_FLAT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_CAST_FLAT_INL_H
#undef JUXTA_SHAPE_CAST_FLAT_INL_H
#else
#define JUXTA_SHAPE_CAST_FLAT_INL_H
#endif

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/simd/doubles-inl.h"
#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "shape/cast_core.h"
#include "shape/parts_store.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr int kCastRounds = 32;     // rounding must not make a loop; most end after five
inline constexpr double kTilt = 1.0;       // towards the ray: what is found aside is nearer to what it meets
inline constexpr double kCastSure = 1e-8;  // of the sizes: between the least and the greatest time

/// Number of the vertex farthest along n; of several the lowest. Vertices in lanes, their numbers beside.
HWY_INLINE std::uint32_t FarthestOfColumns(const double* HWY_RESTRICT columns, std::size_t count, V3 n) {
  using Tag = hn::CappedTag<double, kHullBlock>;
  const Tag d;
  const std::size_t padded = whole_hull_blocks(count);
  const double *x = columns, *y = x + padded, *z = y + padded;
  const auto nx = hn::Set(d, n.x), ny = hn::Set(d, n.y), nz = hn::Set(d, n.z);
  const auto along = [&](std::size_t i) {
    return hn::Add(hn::Add(hn::Mul(hn::LoadU(d, x + i), nx), hn::Mul(hn::LoadU(d, y + i), ny)),
                   hn::Mul(hn::LoadU(d, z + i), nz));
  };
  const hn::RebindToSigned<Tag> di;
  const auto step = hn::Set(di, static_cast<std::int64_t>(hn::MaxLanes(d)));
  auto here = hn::Iota(di, 0), number = here;
  auto most = along(0);
  for (std::size_t i = hn::MaxLanes(d); i < padded; i += hn::MaxLanes(d)) {
    const auto next = along(i);
    here = hn::Add(here, step);
    const auto farther = hn::Gt(next, most);
    most = hn::IfThenElse(farther, next, most);
    number = hn::IfThenElse(hn::RebindMask(di, farther), here, number);
  }
  HWY_ALIGN std::int64_t numbers[kHullBlock];  // read from memory: sooner than a minimum over lanes
  hn::Store(number, di, numbers);
  std::uint32_t bits = core_detail::HWY_NAMESPACE::BitsOf(d, hn::Eq(most, hn::MaxOfLanes(d, most)));
  if (bits == 0) {  // not a number, of sizes beyond floats: no proof will stand
    return 0;
  }
  std::int64_t found = numbers[std::countr_zero(bits)];
  while ((bits &= bits - 1) != 0) {
    found = std::min(found, numbers[std::countr_zero(bits)]);
  }
  return static_cast<std::size_t>(found) < count ? static_cast<std::uint32_t>(found)
                                                 : 0;  // padding repeats the first
}

HWY_INLINE V3 Farthest(const Core& core, V3 n) {
  const auto side = [&](std::size_t k) { return core.edge[k] * std::copysign(1.0, dot(core.edge[k], n)); };
  switch (core.kind) {
    case Core::Kind::kSegment:
      return core.origin + side(0);
    case Core::Kind::kBox:
      return core.origin + side(0) + side(1) + side(2);
    case Core::Kind::kTriangle: {
      const double x = dot(core.edge[0], n), y = dot(core.edge[1], n), z = dot(core.edge[2], n);
      return core.edge[x >= y && x >= z ? 0 : y >= z ? 1 : 2];
    }
    case Core::Kind::kHull: {
      const std::size_t i = FarthestOfColumns(
          core.columns, core.count, {dot(core.edge[0], n), dot(core.edge[1], n), dot(core.edge[2], n)});
      const double *x = core.columns + i, *y = x + whole_hull_blocks(core.count),
                   *z = y + whole_hull_blocks(core.count);
      return core.origin + core.edge[0] * *x + core.edge[1] * *y + core.edge[2] * *z;
    }
    default:
      return core.origin;
  }
}

/// A point of B - A, and that of B.
struct Corner {
  V3 w, b;
};

/// B - A stands still, and the ray starts at 0 and runs along z.
struct CastPair {
  const Core& a;
  const Core& b;
  double end = 0;     // z of its last point
  double enough = 0;  // nearer than this they touch
  double size = 0;

  [[nodiscard]] HWY_INLINE Corner Farthest(V3 n) const {
    const V3 on_b = HWY_NAMESPACE::Farthest(b, n);
    return {on_b - HWY_NAMESPACE::Farthest(a, -n), on_b};
  }
  /// Whether the plane along n, with all of B - A behind it, leaves the ray from z on in front of it.
  [[nodiscard]] HWY_INLINE bool KeepsOff(V3 n, double height, double z = 0) const {
    const double gap = n.z * (n.z > 0 ? z : end) - height;
    return gap > 0 && gap * gap > enough * enough * dot(n, n);
  }
};

/// Where the ray meets B - A: plane, z, point of B.
struct Meeting {
  V3 normal;  // of length 1
  V3 on_b;
  double z = 0;
};

/// Two points seen along the ray: above 0 where the second lies to the left of the first.
HWY_INLINE double LeftOf(V3 p, V3 q) {
  return p.x * q.y - p.y * q.x;
}

/// A point beyond the ray along (x, y). Unsure: none, but too little to be sure.
HWY_INLINE Verdict FindBeyond(const CastPair& pair, double x, double y, bool tilted, Corner& out) {
  if (tilted) {
    out = pair.Farthest({x, y, -kTilt * (std::abs(x) + std::abs(y))});
    if (out.w.x * x + out.w.y * y > 0) {
      return Verdict::kHit;
    }
  }
  out = pair.Farthest({x, y, 0});
  const double beyond = out.w.x * x + out.w.y * y;
  return beyond >= 0 ? Verdict::kHit : pair.KeepsOff({x, y, 0}, beyond) ? Verdict::kMiss : Verdict::kUnsure;
}

/// From one point to three around the ray, counter-clockwise.
HWY_INLINE Verdict Surround(const CastPair& pair, Corner (&p)[3]) {
  double x = -p[0].w.x;
  const double y = -p[0].w.y;
  if (!(x * x + y * y > 0)) {
    x = 1;
  }
  if (const Verdict v = FindBeyond(pair, x, y, true, p[1]); v != Verdict::kHit) {
    return v;
  }
  for (int round = 0; round < kCastRounds; ++round) {
    if (LeftOf(p[0].w, p[1].w) < 0) {
      std::swap(p[0], p[1]);
    }
    const Verdict v = FindBeyond(pair, p[0].w.y - p[1].w.y, p[1].w.x - p[0].w.x, round < 2, p[2]);
    if (v != Verdict::kHit) {
      return v;
    }
    if (LeftOf(p[1].w, p[2].w) < 0) {
      p[0] = p[2];
    } else if (LeftOf(p[2].w, p[0].w) < 0) {
      p[1] = p[2];
    } else {
      return Verdict::kHit;
    }
  }
  return Verdict::kUnsure;
}

/// From a triangle around the ray to that of the face which it meets: n is the outward normal, and no point
/// of B - A is farther along it than `height`.
HWY_INLINE Verdict Refine(const CastPair& pair, Corner (&p)[3], V3& n, double& height) {
  for (int round = 0; round < kCastRounds; ++round) {
    n = cross(p[2].w - p[0].w, p[1].w - p[0].w);
    const Corner next = pair.Farthest(n);
    const double here = dot(n, p[0].w), farthest = dot(n, next.w), progress = farthest - here;
    height = std::max(here, farthest);
    if (pair.KeepsOff(n, height)) {
      return Verdict::kMiss;
    }
    if (!(here < 0)) {
      return Verdict::kUnsure;  // met before the start
    }
    if (!(progress > 0) || progress * progress <= pair.enough * pair.enough * dot(n, n)) {
      return Verdict::kHit;
    }
    // Of the three triangles that `next` makes with two of the corners, the one around the ray.
    const double side0 = LeftOf(next.w, p[0].w), side1 = LeftOf(next.w, p[1].w),
                 side2 = LeftOf(next.w, p[2].w);
    if (side0 >= 0 && side1 <= 0) {
      p[2] = next;
    } else if (side1 >= 0 && side2 <= 0) {
      p[0] = next;
    } else {
      p[1] = next;
    }
  }
  return Verdict::kUnsure;
}

/// Cores without radii; `n` points to where the ray may meet them.
HWY_NOINLINE Verdict CastFlat(const CastPair& pair, V3 n, Meeting& out) {
  Corner p[3];
  p[0] = pair.Farthest(n);
  if (pair.KeepsOff(n, dot(n, p[0].w))) {
    return Verdict::kMiss;
  }
  if (const Verdict v = Surround(pair, p); v != Verdict::kHit) {
    return v;
  }
  double height = 0;
  if (const Verdict v = Refine(pair, p, n, height); v != Verdict::kHit) {
    return v;
  }
  const double u = std::max(LeftOf(p[1].w, p[2].w), 0.0), v = std::max(LeftOf(p[2].w, p[0].w), 0.0),
               w = std::max(LeftOf(p[0].w, p[1].w), 0.0), sum = u + v + w, size_n = length(n);
  if (!(sum > 0) || !(-height > pair.enough * size_n)) {
    return Verdict::kUnsure;  // flat, or touching at the start
  }
  // The plane says when they touch at the earliest, this point of B - A when at the latest.
  const V3 spot = (p[0].w * u + p[1].w * v + p[2].w * w) * (1 / sum);
  out.z = height / n.z;
  if (!(std::abs(spot.x) + std::abs(spot.y) + std::abs(spot.z - out.z) <= kCastSure * pair.size)) {
    return Verdict::kUnsure;
  }
  out.on_b = (p[0].b * u + p[1].b * v + p[2].b * w) * (1 / sum);
  out.normal = n * (1 / size_n);
  return Verdict::kHit;
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
