// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Where two convex shapes touch, as a few points for a solver. The direction is that of the nearest points.
// Where a face looks along it, the face of the other shape that looks back is cut to what stands over it
// (Sutherland, Hodgman 1974), and each corner left is a point:
//
//        \_________/   incident: its corners are cut at the sides of the reference,
//      _____________   reference: and measured along the direction
//
// Two segments that run side by side have two points; all else has one, that of the nearest points.
//
// What is left of a face has corners of three kinds, and they are named so: a corner of one over the face of
// the other, a corner of the other over the face of the one, two edges that cross. So it does not matter
// which of the two was the reference.
//
//   31 30 | 29 ... 15    | 14 ... 0        0: nearest points: which corners of a, of b, are as far along the
//   kind  | name in a    | name in b          normal; 1: corner, face; 2: face, corner; 3: edge, edge
#include <algorithm>
#include <array>

#include "juxta/shape/query.h"
#include "shape/touchings.h"

namespace juxta {
namespace shape_detail {
namespace {

constexpr double kFacing = 0.995;   // cosine: a face that looks along the direction, to 6 degrees
constexpr double kParallel = 0.01;  // sine, of two segments

enum class Kind : std::uint32_t { kNearest, kCornerOfA, kCornerOfB, kEdges };

constexpr std::uint32_t folded(std::uint32_t name) noexcept {
  return (name ^ name >> 15) & 0x7FFFU;
}
constexpr std::uint32_t feature_of(Kind kind, std::uint32_t in_a, std::uint32_t in_b) noexcept {
  return static_cast<std::uint32_t>(kind) << 30 | folded(in_a) << 15 | folded(in_b);
}

struct Ask {
  const Convex& a;
  const Convex& b;
  V3 normal;
  double least;  // no two points are deeper than the nearest ones
  double margin;

  /// A contact between `on_a` and `on_b`, points of the cores.
  void add(V3 on_a, V3 on_b, std::uint32_t feature, Touchings& out) const {
    // What looks deeper than the nearest points has its foot beside a tilted face.
    const double distance = std::max(least, dot(on_b - on_a, normal) - a.radius - b.radius);
    if (distance <= margin) {
      const V3 surface_a = on_a + normal * a.radius, surface_b = on_b - normal * b.radius;
      out.add({(surface_a + surface_b) * 0.5, distance, feature});
    }
  }
};

/// What corner `i` of the incident patch is, once it is cut at the sides of a face.
std::uint32_t feature_of(const Patch& incident, std::uint32_t i, const Patch& face, bool face_of_a) {
  const auto [in, out] = incident.edges[i];
  const bool side_in = in >= Patch::kSide, side_out = out >= Patch::kSide;
  if (!side_in && !side_out) {
    const std::uint32_t corner = incident.names[out];
    return face_of_a ? feature_of(Kind::kCornerOfB, face.first_edge, corner)
                     : feature_of(Kind::kCornerOfA, corner, face.first_edge);
  }
  if (side_in && side_out) {  // two sides of the face: the corner between them, whichever way round
    const std::uint32_t p = in - Patch::kSide, q = out - Patch::kSide;
    const std::uint32_t corner = face.names[(p + 1) % face.whole == q ? q : p];
    return face_of_a ? feature_of(Kind::kCornerOfA, corner, incident.first_edge)
                     : feature_of(Kind::kCornerOfB, incident.first_edge, corner);
  }
  const std::uint32_t side = face.first_edge + (side_in ? in : out) - Patch::kSide;
  const std::uint32_t edge = incident.first_edge + (side_in ? out : in);
  return face_of_a ? feature_of(Kind::kEdges, side, edge) : feature_of(Kind::kEdges, edge, side);
}

/// Corners of the incident patch, measured to the plane of the reference.
void over_face(const Ask& ask, const Patch& face, Patch& incident, bool face_of_a, Touchings& out) {
  clip(incident, face);
  const V3 away = face_of_a ? ask.normal : -ask.normal;
  const double slope = dot(face.normal, away);
  for (std::uint32_t i = 0; i < incident.count; ++i) {
    const V3 p = incident.corners[i];
    const V3 foot = p - away * (dot(p - face.corners[0], face.normal) / slope);
    const std::uint32_t feature = feature_of(incident, i, face, face_of_a);
    ask.add(face_of_a ? foot : p, face_of_a ? p : foot, feature, out);
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
    const bool end_of_a = s == (s == from ? 0.0 : 1.0);
    const std::uint32_t end_of_b = b.names[s == ends[0] ? 0 : 1];
    const std::uint32_t feature = end_of_a ? feature_of(Kind::kCornerOfA, a.names[s == from ? 0 : 1], 0)
                                           : feature_of(Kind::kCornerOfB, 0, end_of_b);
    ask.add(on_a, q + e * std::clamp((s * dd - dot(q - p, d)) / de, 0.0, 1.0), feature, out);
  }
}

/// Twice the area of a triangle, with the sign of its turn about the normal.
double area(V3 a, V3 b, V3 c, V3 normal) {
  return dot(cross(b - a, c - a), normal);
}

/// Which of the core's corners are as far along a direction as any: a bit for each of eight. Of a hull: the
/// first two of them.
std::uint32_t name_of_support(const Convex& shape, V3 direction) {
  if (shape.count == 1) {
    return 1;
  }
  double most = -std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < shape.count; ++i) {
    most = std::max(most, dot(direction, shape.point(i)));
  }
  most -= 1e-5 * shape.size;
  std::uint32_t name = 0, seen = 0;
  for (std::uint32_t i = 0; i < shape.count && seen < 2; ++i) {
    if (dot(direction, shape.point(i)) >= most) {
      const bool of_hull = !shape.vertices.empty();
      name = of_hull ? name * 181 + i + 1 : name | 1U << i;
      seen += of_hull ? 1 : 0;
    }
  }
  return name;
}

}  // namespace

void keep_four(Touchings& all, V3 normal) noexcept {
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
  const std::array four{all.at[0], all.at[1], all.at[2], all.at[3]};
  all.count = 0;
  for (const Touching& one : four) {
    all.add(one);
  }
}

void find_touchings(const Convex& shape_a, const Convex& shape_b, const Near& near, double margin,
                    Touchings& out) noexcept {
  const Ask ask{shape_a, shape_b, near.normal, near.distance, margin};
  Patch a, b;
  find_patch(ask.a, near.normal, a);
  find_patch(ask.b, -near.normal, b);
  const double faces_a = a.count > 2 ? dot(a.normal, near.normal) : 0;
  const double faces_b = b.count > 2 ? -dot(b.normal, near.normal) : 0;
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
  if (out.count == 0 || out.at[0].distance > near.distance + tiny) {
    const std::uint32_t feature =
        feature_of(Kind::kNearest, name_of_support(ask.a, near.normal), name_of_support(ask.b, -near.normal));
    out.add({(near.on_a + near.on_b) * 0.5, near.distance, feature});
  }
}

void find_over_triangle(const Convex& triangle, const Convex& solid, V3 normal, bool solid_first,
                        double margin, Touchings& out) noexcept {
  Patch face, incident;
  find_patch(triangle, normal, face);
  if (face.count < 3) {
    return;
  }
  find_patch(solid, -normal, incident);
  constexpr double kAnyDepth = -std::numeric_limits<double>::infinity();
  if (solid_first) {
    over_face({solid, triangle, -normal, kAnyDepth, margin}, face, incident, false, out);
  } else {
    over_face({triangle, solid, normal, kAnyDepth, margin}, face, incident, true, out);
  }
}

}  // namespace shape_detail

Manifold contact(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b, float margin) {
  using namespace shape_detail;
  Manifold out;
  if (!a.convex() || !b.convex() || !(margin >= 0)) {
    return out;
  }
  const V3 origin(at_a.position);
  const Convex first = convex_of(a, Frame(at_a, origin));
  const Convex second = convex_of(b, Frame(at_b, origin));
  Near near;
  if (!closest_convex(first, second, static_cast<double>(margin), near)) {
    return out;
  }
  Touchings found;
  find_touchings(first, second, near, static_cast<double>(margin), found);
  if (found.count > out.points.size()) {
    keep_four(found, near.normal);
  }
  out.normal = near.normal.rounded();
  out.count = found.count;
  for (std::uint32_t i = 0; i < found.count; ++i) {
    const Touching& one = found.at[i];
    out.points[i] = {(origin + one.point).rounded(), static_cast<float>(one.distance), one.feature};
  }
  return out;
}

}  // namespace juxta
