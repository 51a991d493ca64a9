// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the ray against B - A where a core has a radius. For kernel files only.

#if defined(JUXTA_SHAPE_CAST_ROUND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_CAST_ROUND_INL_H
#undef JUXTA_SHAPE_CAST_ROUND_INL_H
#else
#define JUXTA_SHAPE_CAST_ROUND_INL_H
#endif

#include "shape/cast_flat-inl.h"
#include "shape/gjk.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

/// Where the ray enters all within a radius of up to three points, and how much each holds of the nearest.
struct Shot {
  double z = 0;
  V3 n;  // from the nearest point to the ray's
  double weight[3] = {};
};

HWY_INLINE bool ShootAtPoint(V3 q, double radius, Shot& shot) {
  const double under = radius * radius - (q.x * q.x + q.y * q.y);
  if (!(under >= 0)) {
    return false;
  }
  const double back = std::sqrt(under);
  shot.z = q.z - back;
  shot.n = {-q.x, -q.y, -back};
  return true;
}

HWY_INLINE bool ShootAtEdge(V3 p, V3 q, double radius, Shot& shot) {
  const V3 e = q - p;
  const double share = 1 / dot(e, e), along = dot(p, e);
  const double a = 1 - e.z * e.z * share, b = e.z * along * share - p.z,
               c = dot(p, p) - along * along * share - radius * radius, under = b * b - a * c;
  if (!(under >= 0) || !(a > 1e-9)) {
    return false;
  }
  shot.z = (-b - std::sqrt(under)) / a;
  const double s = (shot.z * e.z - along) * share;
  if (!(s >= 0 && s <= 1)) {
    shot.weight[0] = s < 0 ? 1 : 0;
    shot.weight[1] = s < 0 ? 0 : 1;
    return ShootAtPoint(s < 0 ? p : q, radius, shot);
  }
  shot.weight[0] = 1 - s;
  shot.weight[1] = s;
  shot.n = V3(0, 0, shot.z) - p - e * s;
  return true;
}

HWY_INLINE bool ShootAtTriangle(V3 p, V3 q, V3 r, double radius, Shot& shot) {
  V3 n = cross(q - p, r - p);
  const double squared = dot(n, n), flip = n.z > 0 ? -1 : 1;
  if (!(n.z * n.z > 1e-18 * squared)) {
    return false;
  }
  n = n * (flip / std::sqrt(squared));
  shot.z = (dot(n, p) + radius) / n.z;
  shot.n = n * radius;
  const V3 foot = V3(0, 0, shot.z) - shot.n;
  const V3 x = p - foot, y = q - foot, z = r - foot;
  const double u = dot(cross(y, z), n) * flip, v = dot(cross(z, x), n) * flip, w = dot(cross(x, y), n) * flip;
  if (!(u >= 0 && v >= 0 && w >= 0)) {
    return false;
  }
  const double share = 1 / (u + v + w);
  shot.weight[0] = u * share;
  shot.weight[1] = v * share;
  shot.weight[2] = w * share;
  return true;
}

/// Points of B - A in `a`, of B in `b`, as the ray's place sees them in `w`.
HWY_INLINE bool Shoot(const Simplex& s, double radius, Shot& shot) {
  if (s.count == 1) {
    shot.weight[0] = 1;
    return ShootAtPoint(s.points[0].a, radius, shot);
  }
  if (s.count == 2) {
    return ShootAtEdge(s.points[0].a, s.points[1].a, radius, shot);
  }
  return s.count == 3 && ShootAtTriangle(s.points[0].a, s.points[1].a, s.points[2].a, radius, shot);
}

/// The shot's n, of length size_n, is the outward normal where no point of B - A is farther than `height`.
HWY_INLINE Verdict Meet(const CastPair& pair, const Simplex& s, const Shot& shot, double height,
                        double size_n, Meeting& out) {
  if (!(-height > pair.enough * size_n) || !(shot.n.z < 0)) {
    return Verdict::kUnsure;
  }
  V3 on, on_b;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    on = on + s.points[i].a * shot.weight[i];
    on_b = on_b + s.points[i].b * shot.weight[i];
  }
  out.z = height / shot.n.z;
  const double off = length(V3(0, 0, shot.z) - on) - (pair.a.radius + pair.b.radius);
  if (!(std::abs(off) + std::abs(shot.z - out.z) <= kCastSure * pair.size)) {
    return Verdict::kUnsure;
  }
  out.normal = shot.n * (1 / size_n);
  out.on_b = on_b + out.normal * pair.b.radius;
  return Verdict::kHit;
}

/// `n` points to where the ray may meet them, which is not before `here`.
HWY_NOINLINE Verdict CastRound(const CastPair& pair, V3 n, double here, Meeting& out) {
  const double radius = pair.a.radius + pair.b.radius;
  Simplex s;
  Shot shot;
  bool aimed = false;
  for (int round = 0; round < kCastRounds; ++round) {
    const Corner next = pair.Farthest(n);
    const double size_n = length(n), farthest = dot(n, next.w), height = farthest + radius * size_n;
    if (pair.KeepsOff(n, height, here)) {
      return Verdict::kMiss;
    }
    if (aimed) {
      double most = dot(n, s.points[0].a);
      for (std::uint32_t i = 1; i < s.count; ++i) {
        most = std::max(most, dot(n, s.points[i].a));
      }
      if (farthest - most <= pair.enough * size_n) {
        return Meet(pair, s, shot, std::max(height, most + radius * size_n), size_n, out);
      }
    }
    if (n.z < 0 && height < here * n.z) {
      here = height / n.z;
    }
    s.points[s.count].a = next.w;
    s.points[s.count].b = next.b;
    ++s.count;
    for (std::uint32_t i = 0; i < s.count; ++i) {
      s.points[i].w = s.points[i].a - V3(0, 0, here);
    }
    V3 v;
    if (!nearest_of_simplex(s, v) || (here == 0 && dot(v, v) <= radius * radius)) {
      return Verdict::kUnsure;  // overlapping at the start, or nearly
    }
    // A shot at the same points again leads nowhere, and one behind the start neither.
    const V3 newest = s.points[s.count - 1].a;
    const bool kept = newest.x == next.w.x && newest.y == next.w.y && newest.z == next.w.z;
    aimed = (kept || !aimed) && Shoot(s, radius, shot) && shot.z > 0;
    n = aimed ? shot.n : -v;
  }
  return Verdict::kUnsure;
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
