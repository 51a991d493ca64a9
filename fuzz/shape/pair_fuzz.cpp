// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two convex shapes of any kind, degenerate and exactly aligned ones before all: distance, depth, overlap,
// casts and rays against brute force. With wild numbers: whatever check_shape() lets pass gets an answer
// without a NaN, as long as squares of its numbers are finite.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "fuzz/check.h"
#include "fuzz/shape/shape_draw.h"
#include "shape/check_convex.h"

namespace juxta::fuzz {
namespace {

using test::Placed;

void expect_nothing(const char* what, const std::string& words) {
  if (!words.empty()) {
    std::fprintf(stderr, "%s: %s\n", what, words.c_str());
    std::abort();
  }
}

/// Nothing where the numbers make no shape.
std::optional<Placed> draw_shape(ShapeDraw& draw, std::optional<ConvexHull>& hull) {
  Placed placed;
  const std::uint32_t kind = draw.below(5);
  const Vec3 a = draw.vector();
  if (kind == 0) {
    placed.shape = Sphere{a, draw.positive()};
  } else if (kind == 1) {
    const Vec3 b = draw.vector();
    placed.shape = Capsule{a, b, draw.positive()};
  } else if (kind == 2) {
    const float x = draw.positive(), y = draw.positive(), z = draw.positive();
    placed.shape = Box{a, draw.rotation(), {x, y, z}};
  } else if (kind == 3) {
    const Vec3 b = draw.vector(), c = draw.vector();
    placed.shape = Triangle{a, b, c};
  } else {
    auto built = ConvexHull::build(draw.points(12));
    if (!built) {
      return std::nullopt;
    }
    hull.emplace(std::move(*built));
    placed.shape = *hull;
  }
  placed.at = draw.place(kind != 2);
  if (!check_shape(placed.shape, placed.at)) {
    return std::nullopt;
  }
  return placed;
}

/// Largest coordinate of a box of the shape.
float reach(const Placed& p) {
  const Aabb3 box = bounds_of(p.shape, p.at);
  float most = 0;
  for (int axis = 0; axis < 3; ++axis) {
    most = std::max({most, std::abs(box.lo[axis]), std::abs(box.hi[axis])});
  }
  return most;
}

bool no_nan(const Vec3& v) {
  return v.x == v.x && v.y == v.y && v.z == v.z;
}

void ask_wild(const Placed& a, const Placed& b, const Vec3& way) {
  const ClosestPoints near = closest(a.shape, a.at, b.shape, b.at);
  const CastHit hit = cast(a.shape, a.at, way, b.shape, b.at);
  const SurfaceHit ray = raycast(b.shape, b.at, {{way.z, way.x, way.y}, {way.x, way.y, way.z}});
  static_cast<void>(contact(a.shape, a.at, b.shape, b.at, 1));
  if (!(reach(a) < 1e15F && reach(b) < 1e15F && is_finite(way) &&
        std::abs(way.x) + std::abs(way.y) + std::abs(way.z) < 1e15F)) {
    return;
  }
  JUXTA_FUZZ_CHECK(near.distance == near.distance && no_nan(near.on_a) && no_nan(near.on_b) &&
                   no_nan(near.normal));
  JUXTA_FUZZ_CHECK(!hit.hit || (hit.t >= 0 && hit.t <= 1 && no_nan(hit.point) && no_nan(hit.normal)));
  JUXTA_FUZZ_CHECK(hit.distance <= 0 && (hit.t == 0 || hit.distance == 0));
  JUXTA_FUZZ_CHECK(!ray.hit || (ray.t >= 0 && no_nan(ray.point) && no_nan(ray.normal)));
}

void ask(const Placed& a, const Placed& b, const Vec3& way) {
  const test::PairTruth pair(a, b);
  if (!(pair.size > 1e-12)) {  // two points, and nothing to measure errors by
    ask_wild(a, b, way);
    return;
  }
  expect_nothing("closest", test::check_closest(a, b, pair));
  expect_nothing("overlaps", test::check_overlaps(a, b, pair));
  if (std::abs(way.x) + std::abs(way.y) + std::abs(way.z) > 1e-9F) {
    expect_nothing("cast", test::check_cast(a, b, way, pair));
    const Vec3 from = a.at.position;
    if (pair.b.size > 1e-9) {
      expect_nothing("ray", test::check_ray(b, {{from.x, from.y, from.z}, {way.x, way.y, way.z}}));
    }
  }
}

void run(ShapeDraw& draw) {
  std::optional<ConvexHull> hull_a, hull_b;
  std::optional<Placed> a = draw_shape(draw, hull_a), b = draw_shape(draw, hull_b);
  const Vec3 way = draw.vector();
  if (!a || !b) {
    return;
  }
  if (draw.wild()) {
    ask_wild(*a, *b, way);
    return;
  }
  a->skin = test::skin_of(a->shape);
  b->skin = test::skin_of(b->shape);
  ask(*a, *b, way);
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::ShapeDraw draw(data, size);
  for (int pair = 0; pair < 8; ++pair) {
    juxta::fuzz::run(draw);
  }
  return 0;
}
