// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The distance of two convex sets: Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance
// between complex objects in three-dimensional space" (1988). A simplex of points of A - B walks towards the
// origin: its nearest point v gives a direction, the farthest point of A - B against v joins the simplex, and
// the corners that do not hold the new nearest point leave.
//
// The nearest point of a simplex is searched feature by feature with signed volumes, as in Montanari,
// Petrinic, Barbieri, "Improving the GJK algorithm for faster and more reliable distance queries" (2017):
// a sign that rounding leaves open counts as outside, so that a flat tetrahedron never holds the origin.
#include "shape/gjk.h"

#include <algorithm>

namespace juxta::shape_detail {
namespace {

using Point = Simplex::Point;

constexpr int kRounds = 128;         // polytopes end by themselves; rounding must not make a loop
constexpr double kRounding = 1e-15;  // of the largest coordinate

/// Which corners hold a nearest point, and how much each.
struct Nearest {
  V3 v;
  double squared = 0;
  std::uint32_t count = 0;
  std::uint32_t corner[3] = {};
  double weight[3] = {};
};

Nearest nearest_of_edge(const Simplex& s, std::uint32_t i, std::uint32_t j) {
  const V3 p = s.points[i].w, way = s.points[j].w - p;
  const double along = -dot(p, way), squared = dot(way, way);
  Nearest out;
  out.count = 1;
  out.weight[0] = 1;
  if (!(along > 0)) {
    out.corner[0] = i;
    out.v = p;
  } else if (along >= squared) {
    out.corner[0] = j;
    out.v = s.points[j].w;
  } else {
    const double t = along / squared;
    out.count = 2;
    out.corner[0] = i;
    out.corner[1] = j;
    out.weight[0] = 1 - t;
    out.weight[1] = t;
    out.v = p + way * t;
  }
  out.squared = dot(out.v, out.v);
  return out;
}

void keep_nearer(Nearest& best, const Nearest& other) {
  if (best.count == 0 || other.squared < best.squared) {
    best = other;
  }
}

Nearest nearest_of_triangle(const Simplex& s, std::uint32_t i, std::uint32_t j, std::uint32_t k) {
  const V3 a = s.points[i].w, b = s.points[j].w, c = s.points[k].w;
  const V3 ab = b - a, ac = c - a, n = cross(ab, ac);
  const double nn = dot(n, n);
  Nearest best;
  if (nn > 1e-28 * dot(ab, ab) * dot(ac, ac)) {
    const V3 foot = n * (dot(n, a) / nn);
    const V3 pa = a - foot, pb = b - foot, pc = c - foot;
    const double u = dot(cross(pb, pc), n), v = dot(cross(pc, pa), n), w = dot(cross(pa, pb), n);
    if (u > 0 && v > 0 && w > 0) {
      const double sum = u + v + w;
      return {foot, dot(foot, foot), 3, {i, j, k}, {u / sum, v / sum, w / sum}};
    }
    if (u <= 0) {
      keep_nearer(best, nearest_of_edge(s, j, k));
    }
    if (v <= 0) {
      keep_nearer(best, nearest_of_edge(s, i, k));
    }
    if (w <= 0) {
      keep_nearer(best, nearest_of_edge(s, i, j));
    }
    return best;
  }
  best = nearest_of_edge(s, i, j);
  keep_nearer(best, nearest_of_edge(s, i, k));
  keep_nearer(best, nearest_of_edge(s, j, k));
  return best;
}

/// count = 0: the origin is inside, beyond doubt; all four are weighted then.
Nearest nearest_of_tetrahedron(Simplex& s) {
  double largest = 0;
  for (const Point& p : s.points) {
    largest = std::max({largest, std::abs(p.w.x), std::abs(p.w.y), std::abs(p.w.z)});
  }
  const double doubt = 1e-14 * largest * largest * largest;
  constexpr std::uint32_t kFaces[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
  Nearest best;
  for (const auto& face : kFaces) {
    const V3 a = s.points[face[0]].w;
    const V3 n = cross(s.points[face[1]].w - a, s.points[face[2]].w - a);
    const double opposite = dot(n, s.points[face[3]].w - a), here = -dot(n, a);
    const bool inside = opposite > 0 ? here > doubt : here < -doubt;
    s.points[face[3]].weight = here / opposite;  // unread where `opposite` may be 0
    if (!inside || std::abs(opposite) <= doubt) {
      keep_nearer(best, nearest_of_triangle(s, face[0], face[1], face[2]));
    }
  }
  return best;
}

bool holds(const Simplex& s, std::uint32_t ia, std::uint32_t ib) {
  for (std::uint32_t i = 0; i < s.count; ++i) {
    if (s.points[i].ia == ia && s.points[i].ib == ib) {
      return true;
    }
  }
  return false;
}

void add(Simplex& s, const Convex& a, const Convex& b, V3 shift, std::uint32_t ia, std::uint32_t ib) {
  Point& p = s.points[s.count++];
  p.ia = ia;
  p.ib = ib;
  p.a = a.point(ia) + shift;
  p.b = b.point(ib);
  p.w = p.a - p.b;
}

/// The first simplex: one of any points, or that of an earlier call, placed anew.
void begin(Simplex& s, const Convex& a, const Convex& b, V3 shift) {
  const std::uint32_t count = s.count;
  s.count = 0;
  if (count == 0) {
    add(s, a, b, shift, 0, 0);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    add(s, a, b, shift, s.points[i].ia, s.points[i].ib);
  }
}

V3 point_on_a(const Simplex& s) {
  V3 out;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    out = out + s.points[i].a * s.points[i].weight;
  }
  return out;
}

GjkEnd touching_at(const Simplex& s, Near& near) {
  V3 gap;
  for (std::uint32_t i = 0; i < s.count; ++i) {
    gap = gap + s.points[i].w * s.points[i].weight;
  }
  near.on_a = near.on_b = point_on_a(s);
  near.distance = length(gap);
  return GjkEnd::kTouching;
}

}  // namespace

bool nearest_of_simplex(Simplex& s, V3& nearest) noexcept {
  Nearest best;
  switch (s.count) {
    case 1:
      nearest = s.points[0].w;
      s.points[0].weight = 1;
      return true;
    case 2:
      best = nearest_of_edge(s, 0, 1);
      break;
    case 3:
      best = nearest_of_triangle(s, 0, 1, 2);
      break;
    default:
      best = nearest_of_tetrahedron(s);
      if (best.count == 0) {
        return false;
      }
  }
  nearest = best.v;
  s.count = best.count;
  for (std::uint32_t i = 0; i < best.count; ++i) {  // corners ascend: none is overwritten before it is read
    s.points[i] = s.points[best.corner[i]];
    s.points[i].weight = best.weight[i];
  }
  return true;
}

GjkEnd gjk(const Convex& a, const Convex& b, V3 shift, double most, Simplex& s, Near& near) noexcept {
  begin(s, a, b, shift);
  const V3 first = s.points[0].a, other = s.points[0].b;
  const double reach = std::abs(first.x) + std::abs(first.y) + std::abs(first.z) + std::abs(other.x) +
                       std::abs(other.y) + std::abs(other.z) + a.size + b.size;
  const double noise = kRounding * reach;  // of a point of A - B
  const double touching = std::max(kNoGap * (a.size + b.size), 4 * noise);
  V3 v;
  if (!nearest_of_simplex(s, v)) {
    return touching_at(s, near);
  }
  double squared = dot(v, v);
  for (int round = 0; round < kRounds; ++round) {
    const double distance = std::sqrt(squared);
    if (!(distance > touching)) {
      return touching_at(s, near);
    }
    const std::uint32_t ia = a.support(-v), ib = b.support(v);
    Simplex next = s;
    add(next, a, b, shift, ia, ib);
    const double along = dot(v, next.points[s.count].w);
    if (along > most * distance) {
      near.distance = along / distance;
      return GjkEnd::kBeyond;
    }
    if (squared - along <= (4e-15 * distance + noise) * distance) {
      break;
    }
    const bool known = holds(s, ia, ib);
    V3 nearer;
    if (!known && !nearest_of_simplex(next, nearer)) {
      s = next;
      return touching_at(s, near);
    }
    if (known || !(dot(nearer, nearer) < squared)) {  // rounding: no way on
      if (!(along > 0)) {
        return touching_at(s, near);  // no plane between them either
      }
      break;
    }
    s = next;
    v = nearer;
    squared = dot(v, v);
  }
  near.distance = length(v);
  near.normal = v * (-1 / near.distance);
  near.on_a = point_on_a(s);
  near.on_b = near.on_a - v;
  return near.distance > most ? GjkEnd::kBeyond : GjkEnd::kApart;
}

}  // namespace juxta::shape_detail
