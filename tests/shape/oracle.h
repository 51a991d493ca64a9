// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two convex shapes by brute force, as slow and as obvious as it gets: all vertices, edges and faces of one
// against those of the other, in doubles, in the frame of the first. Shares no code with the library but the
// arithmetic of three numbers.
//
//   apart        the least distance of a vertex to a face, of an edge to an edge
//   overlapping  the least way out along a face's normal or across two edges: the faces of the Minkowski
//                difference are made of these and of nothing else, so that this depth is exact
//   moving       the distance is a convex function of time: Newton's method from the left never passes a root
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "juxta/math/qvvs.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/shape.h"
#include "shape/frame.h"

namespace juxta::test {

using shape_detail::cross;
using shape_detail::dot;
using shape_detail::length;
using shape_detail::V3;

inline constexpr double kFar = std::numeric_limits<double>::infinity();

/// The polytope of some points, and all within a radius of it. Edges and faces may be more than those of the
/// hull, as long as they lie inside it; directions are those of all edges, parallel ones once.
struct Solid {
  std::vector<V3> points;
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::array<std::uint32_t, 3>> faces;
  double radius = 0;
  double size = 0;  ///< The largest distance of a point of the solid from the middle of its corners.

  [[nodiscard]] V3 along(const std::array<std::uint32_t, 2>& e) const { return points[e[1]] - points[e[0]]; }
  [[nodiscard]] Solid moved(V3 way) const {
    Solid copy = *this;
    for (V3& p : copy.points) {
      p = p + way;
    }
    return copy;
  }
};

/// Edges and faces of the hull of some points: every three points that have all others on one side. They stay
/// what they are however the points are turned and stretched, so they are looked for once a hull.
struct Skin {
  std::vector<std::array<std::uint32_t, 2>> edges;
  std::vector<std::array<std::uint32_t, 3>> faces;
};
[[nodiscard]] inline Skin skin_of(std::span<const V3> p) {
  Skin skin;
  const auto n = static_cast<std::uint32_t>(p.size());
  const auto add_edge = [&](std::uint32_t i, std::uint32_t k) {
    if (std::find(skin.edges.begin(), skin.edges.end(), std::array{i, k}) == skin.edges.end()) {
      skin.edges.push_back({i, k});
    }
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      for (std::uint32_t k = j + 1; k < n; ++k) {
        const V3 normal = cross(p[j] - p[i], p[k] - p[i]);
        const double tiny = 1e-12 * length(normal) * (length(p[j] - p[i]) + length(p[k] - p[i]));
        bool above = false, below = false;
        for (const V3& q : p) {
          above = above || dot(normal, q - p[i]) > tiny;
          below = below || dot(normal, q - p[i]) < -tiny;
        }
        if (length(normal) > 0 && !(above && below)) {
          skin.faces.push_back({i, j, k});
          add_edge(i, j), add_edge(i, k), add_edge(j, k);
        }
      }
    }
  }
  for (std::uint32_t i = 0; skin.faces.empty() && i < n; ++i) {  // a segment, however many points it has
    for (std::uint32_t j = i + 1; j < n; ++j) {
      add_edge(i, j);
    }
  }
  return skin;
}

namespace oracle {

/// The rotation of a quaternion that need not have length 1, by its matrix.
inline V3 turn(const Quat& q, V3 v) {
  const double x = static_cast<double>(q.x), y = static_cast<double>(q.y), z = static_cast<double>(q.z),
               w = static_cast<double>(q.w), k = 2 / (x * x + y * y + z * z + w * w);
  return {v.x * (1 - k * (y * y + z * z)) + v.y * k * (x * y - w * z) + v.z * k * (x * z + w * y),
          v.x * k * (x * y + w * z) + v.y * (1 - k * (x * x + z * z)) + v.z * k * (y * z - w * x),
          v.x * k * (x * z - w * y) + v.y * k * (y * z + w * x) + v.z * (1 - k * (x * x + y * y))};
}

struct Corners {
  std::vector<V3> points;
  double radius = 0;
};
inline Corners corners_of(const Shape& shape) {
  Corners core;
  if (const auto* sphere = shape.get_if<Sphere>()) {
    core = {{V3(sphere->center)}, static_cast<double>(sphere->radius)};
  } else if (const auto* capsule = shape.get_if<Capsule>()) {
    core = {{V3(capsule->a), V3(capsule->b)}, static_cast<double>(capsule->radius)};
  } else if (const auto* triangle = shape.get_if<Triangle>()) {
    core.points = {V3(triangle->a), V3(triangle->b), V3(triangle->c)};
  } else if (const auto* box = shape.get_if<Box>()) {
    const V3 half = box->half;
    for (int i = 0; i < 8; ++i) {
      const V3 corner{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
      core.points.push_back(V3(box->center) + turn(box->rotation, corner));
    }
  } else if (const auto* hull = shape.get_if<ConvexHull>()) {
    core.points.assign(hull->vertices().begin(), hull->vertices().end());
  }
  return core;
}

inline Skin box_skin() {
  Skin skin;
  skin.edges = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  skin.faces = {{0, 1, 2}, {1, 2, 3}, {4, 5, 6}, {5, 6, 7}, {0, 1, 4}, {1, 4, 5},
                {2, 3, 6}, {3, 6, 7}, {0, 2, 4}, {2, 4, 6}, {1, 3, 5}, {3, 5, 7}};
  return skin;
}

}  // namespace oracle

/// What `shape` is made of. Any convex kind.
[[nodiscard]] inline Skin skin_of(const Shape& shape) {
  return shape.kind() == ShapeKind::kBox ? oracle::box_skin() : skin_of(oracle::corners_of(shape).points);
}
/// The shape where it stands, seen from `origin`. `skin` is that of the shape.
[[nodiscard]] inline Solid solid_of(const Shape& shape, const Skin& skin, const Qvvs& at, V3 origin) {
  const oracle::Corners core = oracle::corners_of(shape);
  const V3 stretch = V3(at.stretch), position = V3(at.position) - origin;
  const double scale = static_cast<double>(at.scale);
  Solid solid{{}, skin.edges, skin.faces, core.radius * scale, 0};
  V3 middle;
  for (const V3& p : core.points) {
    const V3 stretched{p.x * stretch.x * scale, p.y * stretch.y * scale, p.z * stretch.z * scale};
    solid.points.push_back(position + oracle::turn(at.rotation, stretched));
    middle = middle + solid.points.back() * (1 / static_cast<double>(core.points.size()));
  }
  for (const V3& p : solid.points) {
    solid.size = std::max(solid.size, length(p - middle) + solid.radius);
  }
  return solid;
}

/// The nearest points of two solids, or the least way out; the normal has length 1, or 0 where the cores meet
/// in one place and no direction is the right one.
struct Truth {
  double distance = kFar;  ///< Of the solids; below 0: depth.
  double core = kFar;      ///< Of the cores.
  V3 normal, on_a, on_b;   ///< Points of overlapping cores: none.
};

namespace oracle {

struct Two {
  double distance = kFar;
  V3 p, q;
  void take(V3 a, V3 b) {
    if (const double d = length(b - a); d < distance) {
      *this = {d, a, b};
    }
  }
};

/// Two segments: inside both where the foot points are, else from an end to the other segment.
inline void edges(V3 a, V3 u, V3 b, V3 v, Two& best) {
  const V3 w = b - a;
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), wu = dot(w, u), wv = dot(w, v);
  const double det = uu * vv - uv * uv;
  if (det > 1e-14 * uu * vv) {
    const double s = (wu * vv - wv * uv) / det, t = (wu * uv - wv * uu) / det;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      best.take(a + u * s, b + v * t);
    }
  }
  const auto part = [](double x, double xx) { return xx > 0 ? std::clamp(x / xx, 0.0, 1.0) : 0.0; };
  best.take(a, b + v * part(-wv, vv));
  best.take(a + u, b + v * part(uv - wv, vv));
  best.take(a + u * part(wu, uu), b);
  best.take(a + u * part(wu + uv, uu), b + v);
}

/// A point above a triangle; beside it, edges are nearer.
inline bool foot(V3 p, V3 a, V3 b, V3 c, V3& on) {
  const V3 u = b - a, v = c - a, w = p - a, n = cross(u, v);
  const double nn = dot(n, n);
  if (!(nn > 0)) {
    return false;
  }
  const double s = dot(cross(w, v), n) / nn, t = dot(cross(u, w), n) / nn;
  on = a + u * s + v * t;
  return s >= 0 && t >= 0 && s + t <= 1;
}

inline Two nearest(const Solid& a, const Solid& b) {
  Two best;
  V3 on;
  for (const V3& p : a.points) {
    for (const auto& f : b.faces) {
      if (foot(p, b.points[f[0]], b.points[f[1]], b.points[f[2]], on)) {
        best.take(p, on);
      }
    }
  }
  for (const V3& q : b.points) {
    for (const auto& f : a.faces) {
      if (foot(q, a.points[f[0]], a.points[f[1]], a.points[f[2]], on)) {
        best.take(on, q);
      }
    }
  }
  // A point is an edge without length.
  const std::vector<std::array<std::uint32_t, 2>> point{{0, 0}};
  for (const auto& e : a.edges.empty() ? point : a.edges) {
    for (const auto& g : b.edges.empty() ? point : b.edges) {
      edges(a.points[e[0]], a.along(e), b.points[g[0]], b.along(g), best);
    }
  }
  return best;
}

/// All directions in which the two may be apart; each of length 1, one of two opposite ones.
template <class Visit>
void axes(const Solid& a, const Solid& b, Visit&& visit) {
  const auto visit_cross = [&](V3 u, V3 v) {
    const V3 n = cross(u, v);
    if (const double l = length(n); l > 1e-9 * length(u) * length(v)) {
      visit(n * (1 / l));
    }
  };
  for (const Solid* s : {&a, &b}) {
    for (const auto& f : s->faces) {
      visit_cross(s->points[f[1]] - s->points[f[0]], s->points[f[2]] - s->points[f[0]]);
    }
  }
  for (const auto& e : a.edges) {
    for (const auto& g : b.edges) {
      visit_cross(a.along(e), b.along(g));
    }
  }
}

/// Whether the Minkowski difference has a volume; one without is never entered deeper than 0.
inline bool has_volume(const Solid& a, const Solid& b) {
  std::vector<V3> ways;
  for (const Solid* s : {&a, &b}) {
    for (const auto& e : s->edges) {
      if (length(s->along(e)) > 0) {
        ways.push_back(s->along(e));
      }
    }
  }
  V3 n;
  for (const V3& w : ways) {
    const V3 c = cross(ways[0], w);
    n = length(c) > 1e-9 * length(ways[0]) * length(w) && length(c) > length(n) ? c : n;
  }
  return std::any_of(ways.begin(), ways.end(),
                     [&](V3 w) { return std::abs(dot(n, w)) > 1e-9 * length(n) * length(w); });
}

/// How far b begins behind the end of a, along n.
inline double gap(const Solid& a, const Solid& b, V3 n) {
  double end = -kFar, begin = kFar;
  for (const V3& p : a.points) {
    end = std::max(end, dot(n, p));
  }
  for (const V3& p : b.points) {
    begin = std::min(begin, dot(n, p));
  }
  return begin - end;
}

}  // namespace oracle

[[nodiscard]] inline Truth truth_of(const Solid& a, const Solid& b) {
  double widest = -kFar;
  V3 normal;
  oracle::axes(a, b, [&](V3 n) {
    for (const V3 way : {n, -n}) {
      if (const double g = oracle::gap(a, b, way); g > widest) {
        widest = g, normal = way;
      }
    }
  });
  Truth truth;
  if (widest > 0 || !oracle::has_volume(a, b)) {
    const oracle::Two two = oracle::nearest(a, b);
    truth.core = two.distance;
    truth.normal = two.distance > 0 ? (two.q - two.p) * (1 / two.distance) : V3{};
    truth.on_a = two.p + truth.normal * a.radius;
    truth.on_b = two.q - truth.normal * b.radius;
  } else {
    truth.core = widest;
    truth.normal = normal;
  }
  truth.distance = truth.core - a.radius - b.radius;
  return truth;
}

/// When `a`, moved by `way`, first touches b: 0 .. 1, or an infinity.
[[nodiscard]] inline double touch_time(const Solid& a, V3 way, const Solid& b) {
  double t = 0;
  for (int round = 0; round < 200; ++round) {
    const Truth truth = truth_of(a.moved(way * t), b);
    if (truth.distance <= 1e-13 * (a.size + b.size)) {
      return t;
    }
    const double closing = dot(truth.normal, way);
    if (!(closing > 0) || t >= 1) {
      return kFar;
    }
    t = std::min(1.0, t + truth.distance / closing);
  }
  return t;  // it only grazes: each round halves what is left of the distance
}

/// The least distance on the way, by thirds.
[[nodiscard]] inline double least_distance(const Solid& a, V3 way, const Solid& b) {
  const auto at = [&](double t) { return truth_of(a.moved(way * t), b).distance; };
  double from = 0, to = 1;
  for (int round = 0; round < 100; ++round) {
    const double third = (to - from) / 3;
    if (at(from + third) < at(to - third)) {
      to -= third;
    } else {
      from += third;
    }
  }
  return at((from + to) / 2);
}

}  // namespace juxta::test
