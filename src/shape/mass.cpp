// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Volume, centre and inertia. A linear map of a body maps its second moments, so that each kind is computed
// in its own coordinates, and stretched and turned at the end. Polyhedra as sums over tetrahedra from a point
// near them (Mirtich 1996; Eberly 2002).
#include <array>
#include <cstddef>
#include <numbers>

#include "juxta/shape/shape.h"
#include "shape/placed.h"

namespace juxta {
namespace shape_detail {
namespace {

/// The integrals of 1, p and p * p^T over a body, p seen from `from`.
struct Moments {
  double volume = 0;
  V3 first;
  V3 second[3];  // rows
  V3 from;

  void add_second(V3 a, V3 b, double k) noexcept {
    second[0] = second[0] + b * (a.x * k);
    second[1] = second[1] + b * (a.y * k);
    second[2] = second[2] + b * (a.z * k);
  }
  /// The tetrahedron of `from` and a triangle; below 0 when that is seen from behind.
  void add_tetrahedron(V3 a, V3 b, V3 c) noexcept {
    const double six = dot(a, cross(b, c));
    const V3 sum = a + b + c;
    volume += six / 6;
    first = first + sum * (six / 24);
    add_second(a, a, six / 120);
    add_second(b, b, six / 120);
    add_second(c, c, six / 120);
    add_second(sum, sum, six / 120);
  }
};

/// Moments about the centre.
struct Body {
  double volume = 0;
  V3 center;
  V3 second[3];
};

void add_outer(V3 (&second)[3], V3 v, double k) noexcept {
  second[0] = second[0] + v * (v.x * k);
  second[1] = second[1] + v * (v.y * k);
  second[2] = second[2] + v * (v.z * k);
}

/// second -> R second R^T, where the columns of R are these axes.
void turn(V3 (&second)[3], const V3 (&axis)[3]) noexcept {
  V3 turned[3];
  const double own[3][3] = {{second[0].x, second[0].y, second[0].z},
                            {second[1].x, second[1].y, second[1].z},
                            {second[2].x, second[2].y, second[2].z}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const V3 row = axis[j] * own[i][j];
      turned[0] = turned[0] + row * axis[i].x;
      turned[1] = turned[1] + row * axis[i].y;
      turned[2] = turned[2] + row * axis[i].z;
    }
  }
  for (int i = 0; i < 3; ++i) {
    second[i] = turned[i];
  }
}

/// From the integrals in the shape's own coordinates to the body where it stands.
Body body_of(const Moments& m, const Frame& frame) noexcept {
  Body body;
  if (m.volume == 0) {
    return body;
  }
  const V3 center = m.first * (1 / m.volume), s = frame.stretch;
  for (int i = 0; i < 3; ++i) {
    body.second[i] = m.second[i];
  }
  add_outer(body.second, center, -m.volume);
  const double grown = s.x * s.y * s.z;
  const double by[3] = {s.x, s.y, s.z};
  for (int i = 0; i < 3; ++i) {
    const V3 row = body.second[i] * (grown * by[i]);
    body.second[i] = {row.x * s.x, row.y * s.y, row.z * s.z};
  }
  const V3 axes[3] = {frame.turned({1, 0, 0}), frame.turned({0, 1, 0}), frame.turned({0, 0, 1})};
  turn(body.second, axes);
  body.volume = m.volume * grown;
  body.center = frame(m.from + center);
  return body;
}

/// A body with these second moments along three axes at right angles.
Body along_axes(double volume, V3 center, V3 second, const V3 (&axis)[3]) noexcept {
  Body body;
  body.volume = volume;
  body.center = center;
  body.second[0].x = second.x;
  body.second[1].y = second.y;
  body.second[2].z = second.z;
  turn(body.second, axis);
  return body;
}

/// Two vectors that make a right angle with `axis`, of length 1, and each other.
void complete(V3 (&axis)[3]) noexcept {
  const V3 a = axis[0];
  const double x = a.x * a.x, y = a.y * a.y, z = a.z * a.z;
  const V3 other = x <= y && x <= z ? V3(1, 0, 0) : y <= z ? V3(0, 1, 0) : V3(0, 0, 1);
  const V3 aside = cross(a, other);
  axis[1] = aside * (1 / length(aside));
  axis[2] = cross(a, axis[1]);
}

struct BodyOf {
  const Frame& frame;

  Body operator()(const Sphere& sphere) const noexcept {
    const double r = static_cast<double>(sphere.radius) * frame.scale;
    const double volume = 4 * std::numbers::pi / 3 * r * r * r, second = volume * r * r / 5;
    const V3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return along_axes(volume, frame(V3(sphere.center)), {second, second, second}, axes);
  }
  /// A cylinder of height h and two half balls. Their centres of mass lie 3/8 r from their flat sides.
  Body operator()(const Capsule& capsule) const noexcept {
    const V3 a = frame(V3(capsule.a)), b = frame(V3(capsule.b));
    const double r = static_cast<double>(capsule.radius) * frame.scale, h = length(b - a);
    V3 axes[3] = {h > 0 ? (b - a) * (1 / h) : V3(1, 0, 0), {}, {}};
    complete(axes);
    const double cylinder = std::numbers::pi * r * r * h, ball = 4 * std::numbers::pi / 3 * r * r * r;
    const double across = cylinder * r * r / 4 + ball * r * r / 5;
    const double along = cylinder * h * h / 12 + ball * (r * r / 5 + h * h / 4 + 3 * h * r / 8);
    return along_axes(cylinder + ball, (a + b) * 0.5, {along, across, across}, axes);
  }
  Body operator()(const Box& box) const noexcept {
    const PlacedBox b(box, frame);
    const double volume = 8 * b.half.x * b.half.y * b.half.z, k = volume / 3;
    return along_axes(volume, b.center,
                      {b.half.x * b.half.x * k, b.half.y * b.half.y * k, b.half.z * b.half.z * k}, b.axis);
  }
  Body operator()(const ConvexHull& hull) const noexcept {
    const HullStore& store = Access::store(hull);
    Moments m;
    m.from = store.middle;
    const auto corner = [&](std::uint32_t c) { return V3(store.vertices[store.corners[c]]) - m.from; };
    for (std::size_t f = 0; f + 1 < store.first.size(); ++f) {
      for (std::uint32_t c = store.first[f] + 1; c + 1 < store.first[f + 1]; ++c) {
        m.add_tetrahedron(corner(store.first[f]), corner(c), corner(c + 1));
      }
    }
    return body_of(m, frame);
  }
  Body operator()(const TriangleMesh& mesh) const noexcept {
    if (!mesh.closed()) {
      return {};
    }
    const Aabb3 box = mesh.bounds();
    Moments m;
    m.from = (V3(box.lo) + V3(box.hi)) * 0.5;
    for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
      const Triangle triangle = mesh.triangle(t);
      m.add_tetrahedron(V3(triangle.a) - m.from, V3(triangle.b) - m.from, V3(triangle.c) - m.from);
    }
    return body_of(m, frame);
  }
  Body operator()(const Compound& compound) const noexcept {
    Body whole;
    V3 first;
    for (const Compound::Part& part : compound.parts()) {
      const Body body = of_part(part);
      whole.volume += body.volume;
      first = first + body.center * body.volume;
    }
    if (whole.volume == 0) {
      return {};
    }
    whole.center = first * (1 / whole.volume);
    for (const Compound::Part& part : compound.parts()) {  // the parallel axis theorem, part by part
      const Body body = of_part(part);
      for (int i = 0; i < 3; ++i) {
        whole.second[i] = whole.second[i] + body.second[i];
      }
      add_outer(whole.second, body.center - whole.center, body.volume);
    }
    return whole;
  }
  Body operator()(const Triangle& /*triangle*/) const noexcept { return {}; }
  Body operator()(const HeightField& /*field*/) const noexcept { return {}; }

 private:
  [[nodiscard]] Body of_part(const Compound::Part& part) const noexcept {
    const Frame own = placed(frame, part.at);
    return part.shape.visit(BodyOf{own});
  }
};

}  // namespace
}  // namespace shape_detail

MassProperties mass_of(const Shape& shape, const Qvvs& at) {
  using shape_detail::V3;
  const shape_detail::Frame frame(at, V3(at.position));
  const shape_detail::Body body = shape.visit(shape_detail::BodyOf{frame});
  MassProperties mass;
  if (body.volume == 0) {
    return mass;
  }
  mass.volume = body.volume;
  mass.center = (V3(at.position) + body.center).rounded();
  const double trace = body.second[0].x + body.second[1].y + body.second[2].z;
  for (int i = 0; i < 3; ++i) {
    const V3 row = body.second[i];
    mass.inertia[i][0] = -row.x;
    mass.inertia[i][1] = -row.y;
    mass.inertia[i][2] = -row.z;
    mass.inertia[i][i] += trace;
  }
  mass.inertia[1][0] = mass.inertia[0][1];  // symmetric to the last bit
  mass.inertia[2][0] = mass.inertia[0][2];
  mass.inertia[2][1] = mass.inertia[1][2];
  return mass;
}

}  // namespace juxta
