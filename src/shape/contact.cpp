// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where two convex shapes touch, as a few points for a solver. The direction is that of the nearest points.
// Where a face looks along it, the face of the other shape that looks back is cut to what stands over it
// (Sutherland, Hodgman 1974), and each corner left is a point:
//
//        \_________/   incident: its corners are cut at the sides of the reference,
//      _____________   reference: and measured along the direction
//
// Two segments that run side by side have two points; all else has one, that of the nearest points.
#include <algorithm>
#include <array>

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/patch.h"

namespace juxta {
namespace {

using shape_detail::Convex;
using shape_detail::Near;
using shape_detail::Patch;
using shape_detail::V3;

constexpr double kFacing = 0.995;   // cosine: a face that looks along the direction, to 6 degrees
constexpr double kParallel = 0.01;  // sine, of two segments
constexpr std::uint32_t kMost = Patch::kMost + 1;

struct Touching {
  V3 point;
  double distance = 0;
};

struct Touchings {
  std::array<Touching, kMost> at;
  std::uint32_t count = 0;

  /// The deepest first; of equal ones the first first.
  void add(V3 point, double distance) {
    std::uint32_t i = count++;
    for (; i > 0 && distance < at[i - 1].distance; --i) {
      at[i] = at[i - 1];
    }
    at[i] = {point, distance};
  }
};

struct Ask {
  const Convex& a;
  const Convex& b;
  const Near& near;
  double margin;

  /// A contact between `on_a` and `on_b`, points of the cores.
  void add(V3 on_a, V3 on_b, Touchings& out) const {
    // No two points are deeper than the nearest ones: what looks so has its foot beside a tilted face.
    const double distance = std::max(near.distance, dot(on_b - on_a, near.normal) - a.radius - b.radius);
    if (distance <= margin) {
      const V3 surface_a = on_a + near.normal * a.radius, surface_b = on_b - near.normal * b.radius;
      out.add((surface_a + surface_b) * 0.5, distance);
    }
  }
};

/// Corners of the incident patch, measured to the plane of the reference.
void over_face(const Ask& ask, const Patch& face, Patch& incident, bool face_of_a, Touchings& out) {
  clip(incident, face);
  const V3 away = face_of_a ? ask.near.normal : -ask.near.normal;
  const double slope = dot(face.normal, away);
  for (std::uint32_t i = 0; i < incident.count; ++i) {
    const V3 p = incident.corners[i];
    const V3 foot = p - away * (dot(p - face.corners[0], face.normal) / slope);
    ask.add(face_of_a ? foot : p, face_of_a ? p : foot, out);
  }
}

/// Where two segments run side by side: both ends of the part that they share.
void side_by_side(const Ask& ask, const Patch& a, const Patch& b, Touchings& out) {
  const V3 p = a.corners[0], d = a.corners[1] - p, q = b.corners[0], e = b.corners[1] - q;
  const double dd = dot(d, d), de = dot(d, e);
  const V3 turn = cross(d, e);
  if (dot(turn, turn) > kParallel * kParallel * dd * dot(e, e)) {
    return;
  }
  const double ends[2] = {dot(q - p, d) / dd, dot(q + e - p, d) / dd};
  const double from = std::max(0.0, std::min(ends[0], ends[1])),
               to = std::min(1.0, std::max(ends[0], ends[1]));
  if (!(from < to)) {
    return;
  }
  for (const double s : {from, to}) {
    const V3 on_a = p + d * s;
    ask.add(on_a, q + e * std::clamp((s * dd - dot(q - p, d)) / de, 0.0, 1.0), out);
  }
}

/// Twice the area of a triangle, with the sign of its turn about the normal.
double area(V3 a, V3 b, V3 c, V3 normal) {
  return dot(cross(b - a, c - a), normal);
}

/// Of more than four: the deepest, the farthest from it, the one that spans most with the two, and the one
/// that adds most to the three.
void spread(Touchings& all, V3 normal) {
  const auto choose = [&](std::uint32_t place, auto&& worth) {
    std::uint32_t best = place;
    for (std::uint32_t i = place + 1; i < all.count; ++i) {
      best = worth(all.at[i].point) > worth(all.at[best].point) ? i : best;
    }
    // The others keep their order: what is chosen next does not depend on what was swapped away.
    std::rotate(all.at.begin() + place, all.at.begin() + best, all.at.begin() + best + 1);
  };
  const V3 p = all.at[0].point;
  choose(1, [&](V3 q) { return dot(q - p, q - p); });
  const V3 q = all.at[1].point;
  choose(2, [&](V3 r) { return std::abs(area(p, q, r, normal)); });
  V3 first = q, r = all.at[2].point;
  if (area(p, q, r, normal) < 0) {
    std::swap(first, r);
  }
  choose(3, [&](V3 s) {
    return std::max({-area(p, first, s, normal), -area(first, r, s, normal), -area(r, p, s, normal)});
  });
  Touchings four;
  std::for_each_n(all.at.begin(), 4, [&](const Touching& one) { four.add(one.point, one.distance); });
  all = four;
}

void find_touchings(const Ask& ask, Touchings& out) {
  Patch a, b;
  find_patch(ask.a, ask.near.normal, a);
  find_patch(ask.b, -ask.near.normal, b);
  const double faces_a = a.count > 2 ? dot(a.normal, ask.near.normal) : 0;
  const double faces_b = b.count > 2 ? -dot(b.normal, ask.near.normal) : 0;
  if (a.count == 2 && b.count == 2) {
    side_by_side(ask, a, b, out);
  } else if (faces_a > kFacing && faces_a >= faces_b - 1e-6) {  // of two faces that are as good: that of a
    find_patch(ask.b, -a.normal, b);
    over_face(ask, a, b, true, out);
  } else if (faces_b > kFacing) {
    find_patch(ask.a, -b.normal, a);
    over_face(ask, b, a, false, out);
  }
  const double tiny = 1e-6 * (ask.a.size + ask.b.size);
  if (out.count == 0 || out.at[0].distance > ask.near.distance + tiny) {
    out.add((ask.near.on_a + ask.near.on_b) * 0.5, ask.near.distance);
  }
}

}  // namespace

Manifold contact(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b, float margin) {
  Manifold out;
  if (!a.convex() || !b.convex()) {
    return out;
  }
  const V3 origin(at_a.position);
  const Convex first = shape_detail::convex_of(a, shape_detail::Frame(at_a, origin));
  const Convex second = shape_detail::convex_of(b, shape_detail::Frame(at_b, origin));
  Near near;
  if (!closest_convex(first, second, static_cast<double>(margin), near)) {
    return out;
  }
  Touchings found;
  find_touchings({first, second, near, static_cast<double>(margin)}, found);
  if (found.count > out.points.size()) {
    spread(found, near.normal);
  }
  out.normal = near.normal.rounded();
  out.count = found.count;
  for (std::uint32_t i = 0; i < found.count; ++i) {
    out.points[i] = {(origin + found.at[i].point).rounded(), static_cast<float>(found.at[i].distance)};
  }
  return out;
}

}  // namespace juxta
