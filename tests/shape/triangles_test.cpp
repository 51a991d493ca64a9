// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Triangles and their tree against all triangles one after the other, on every instruction set.
#include "shape/triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scenes/draws.h"
#include "shape/triangle_meshes.h"
#include "shape/triangle_ray.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta::shape_detail {
namespace {

using test::Soup;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Triangles build(const Soup& soup, const Executor* executor = nullptr) {
  return Triangles::build(soup.vertices, soup.triangles, executor, huge_page_resource());
}

/// What the plain twin wants: triangles and bounds, no tree.
TriangleTree plain(const Soup& soup, const Triangles& built) {
  TriangleTree tree(huge_page_resource());
  tree.vertices.resize_discard(soup.vertices.size());
  std::copy(soup.vertices.begin(), soup.vertices.end(), tree.vertices.begin());
  tree.triangles.resize_discard(soup.triangles.size());
  std::copy(soup.triangles.begin(), soup.triangles.end(), tree.triangles.begin());
  tree.bounds = built.bounds();
  return tree;
}

bool same(const TriangleHit& a, const TriangleHit& b) {
  return a.triangle == b.triangle && a.t == b.t && std::signbit(a.t) == std::signbit(b.t);
}

/// One at a time, many together and the twin; returns how many hit.
std::size_t compare(const Soup& soup, const Triangles& built, const std::vector<Ray3>& rays) {
  const TriangleTree all = plain(soup, built);
  std::vector<TriangleHit> many(rays.size());
  built.ray_closest(rays, many);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const TriangleHit right = closest_triangle_reference(all, rays[i]);
    const TriangleHit one = built.ray_closest(rays[i]);
    EXPECT_TRUE(same(one, right)) << "ray " << i << ": " << one.triangle << " at " << one.t << ", not "
                                  << right.triangle << " at " << right.t;
    EXPECT_TRUE(same(many[i], right)) << "ray " << i << " of many: " << many[i].triangle << " at "
                                      << many[i].t << ", not " << right.triangle << " at " << right.t;
    EXPECT_EQ(built.ray_any(rays[i]), right.triangle != TriangleHit().triangle) << i;
    hits += right.triangle != TriangleHit().triangle ? 1U : 0U;
    if (testing::Test::HasFailure()) {
      break;
    }
  }
  return hits;
}

TEST(Triangles, RaysEqualTheTwin) {
  test::for_each_isa([](Isa) {
    for (const test::Kind kind : test::kKinds) {
      for (const std::size_t n : {1U, 2U, 3U, 7U, 8U, 9U, 40U, 300U, 3000U}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        scenes::Draws draws(n);
        const Soup soup = test::make_soup(kind, n, draws);
        const Triangles built = build(soup);
        ASSERT_EQ(built.size(), soup.triangles.size());
        const std::size_t hits = compare(soup, built, test::make_rays(soup, n > 1000 ? 120 : 200, draws));
        if (testing::Test::HasFailure()) {
          return;
        }
        if (kind != test::Kind::kDegenerate && kind != test::Kind::kHoles) {
          EXPECT_GT(hits, 0u);
        }
      }
    }
  });
}

TEST(Triangles, PicturesEqualTheTwin) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(5);
    for (const test::Kind kind : {test::Kind::kSphere, test::Kind::kTerrain, test::Kind::kRandom}) {
      const Soup soup = test::make_soup(kind, 3000, draws);
      const Triangles built = build(soup);
      for (const float distance : {0.0F, 1.5F, 30.0F}) {
        const auto rays = test::make_picture({0.3F, 0.1F, -distance}, 0.8F / (1 + distance), 36);
        EXPECT_GT(compare(soup, built, rays), 0u);
        // Every second one the other way: nothing about them is coherent.
        auto mixed = rays;
        for (std::size_t i = 0; i < mixed.size(); i += 2) {
          mixed[i].direction[i / 2 % 3] *= -1;
        }
        mixed[5].max = 0;
        mixed[17].direction[0] = kNan;
        (void)compare(soup, built, mixed);
      }
    }
  });
}

/// Trees that no cache holds are searched by rays that take turns.
TEST(Triangles, RaysInLargeMeshesEqualTheTwin) {
  test::for_each_isa([](Isa) {
    for (const test::Kind kind : {test::Kind::kSizes, test::Kind::kSphere}) {
      scenes::Draws draws(6);
      const Soup soup = test::make_soup(kind, 250'000, draws);
      const Triangles built = build(soup);
      EXPECT_GT(built.tree().blocks.size() * sizeof(TriangleBlock), kTurnsFromBytes);
      EXPECT_GT(compare(soup, built, test::make_rays(soup, 75, draws)), 0u);
    }
  });
}

TEST(Triangles, AMillionTriangles) {
  scenes::Draws draws(7);
  const Soup soup = test::make_soup(test::Kind::kSphere, 1'000'000, draws);
  ASSERT_GT(soup.triangles.size(), 1'000'000u);
  const Triangles built = build(soup);
  EXPECT_LT(built.memory_bytes(), 200 * soup.triangles.size());
  std::vector<Ray3> rays = test::make_picture({0, 0, -3}, 0.3F, 4);
  const auto others = test::make_rays(soup, 20, draws);
  rays.insert(rays.end(), others.begin(), others.end());
  EXPECT_GT(compare(soup, built, rays), 16u);
}

/// From inside a closed surface every ray leaves through it, also where edges and corners are aimed at.
TEST(Triangles, AClosedMeshHasNoCracks) {
  test::for_each_isa([](Isa) {
    for (const float size : {1.0F, 1e-4F, 1e5F}) {
      for (const float offset : {0.0F, 10.0F, -1000.0F}) {
        scenes::Draws draws(3);
        Soup soup = test::make_soup(test::Kind::kSphere, 4000, draws);
        for (auto& v : soup.vertices) {
          v = {v[0] * size + offset * size, v[1] * size, v[2] * size - offset * size};
        }
        const Triangles built = build(soup);
        const float middle[3] = {(offset + 0.03F) * size, 0.02F * size, (-offset - 0.01F) * size};
        std::vector<Ray3> rays;
        const auto aim = [&](double x, double y, double z) {
          rays.push_back({{middle[0], middle[1], middle[2]},
                          {static_cast<float>(x - static_cast<double>(middle[0])),
                           static_cast<float>(y - static_cast<double>(middle[1])),
                           static_cast<float>(z - static_cast<double>(middle[2]))}});
        };
        for (const auto& triangle : soup.triangles) {
          for (std::size_t i = 0; i < 3; ++i) {
            const auto& a = soup.vertices[triangle[i]];
            const auto& b = soup.vertices[triangle[(i + 1) % 3]];
            for (const double part : {0.0, 0.5, 0.125, 0.77}) {
              double p[3];
              for (std::size_t axis = 0; axis < 3; ++axis) {
                p[axis] = static_cast<double>(a[axis]) * (1 - part) + static_cast<double>(b[axis]) * part;
              }
              aim(p[0], p[1], p[2]);
            }
          }
        }
        std::vector<TriangleHit> hits(rays.size());
        built.ray_closest(rays, hits);
        std::size_t slipped = 0;
        for (std::size_t i = 0; i < rays.size(); ++i) {
          slipped += hits[i].triangle == TriangleHit().triangle ? 1U : 0U;
          slipped += same(built.ray_closest(rays[i]), hits[i]) ? 0U : 1U;
          EXPECT_NEAR(hits[i].t, 1, offset == 0 ? 1e-4 : 0.05);
        }
        ASSERT_EQ(slipped, 0u) << size << " " << offset;
      }
    }
  });
}

TEST(Triangles, OfOneTLowestNumber) {
  test::for_each_isa([](Isa) {
    Soup soup;
    soup.vertices = {{-1, -1, 2}, {1, -1, 2}, {0, 1, 2}};
    soup.triangles.assign(37, {0, 1, 2});
    const Triangles built = build(soup);
    EXPECT_EQ(built.ray_closest({{0, 0, 0}, {0, 0, 4}}).triangle, 0u);
    EXPECT_EQ(built.ray_closest({{0, 0, 0}, {0, 0, 4}}).t, 0.5F);
    EXPECT_EQ(built.ray_closest({{0, 0, 0}, {0, 0, 4}, 0.5F}).t, 0.5F);
    EXPECT_FALSE(built.ray_any({{0, 0, 0}, {0, 0, 4}, 0.49F}));
    EXPECT_EQ(built.ray_closest({{0, 0, 2}, {0, 0, -1}}).t, 0.0F);
    EXPECT_FALSE(built.ray_any({{0, 0, 2}, {1, 0, 0}}));  // in its plane
    EXPECT_FALSE(built.ray_any({{0, 0, 0}, {0, 0, 0}}));
    EXPECT_FALSE(built.ray_any({{0, 0, 0}, {0, 0, kInf}}));
    EXPECT_FALSE(built.ray_any({{0, kNan, 0}, {0, 0, 1}}));
    EXPECT_FALSE(built.ray_any({{0, 0, 0}, {0, 0, 1}, -1}));
    EXPECT_FLOAT_EQ(built.ray_closest({{0, 0, 0}, {0, 0, 1e-38F}}).t, 2e38F);
    EXPECT_FLOAT_EQ(built.ray_closest({{0, 0, 0}, {0, 0, 1e38F}}).t, 2e-38F);
  });
}

TEST(Triangles, WithoutAnyNothingIsHit) {
  const Triangles none = build(Soup{});
  EXPECT_EQ(none.size(), 0u);
  EXPECT_FALSE(none.ray_any({{0, 0, 0}, {0, 0, 1}}));
  EXPECT_EQ(none.ray_closest({{0, 0, 0}, {0, 0, 1}}).triangle, TriangleHit().triangle);
  none.visit({{-1, -1, -1}, {1, 1, 1}}, [](std::uint32_t) {
    ADD_FAILURE();
    return true;
  });
  Soup holes;
  holes.vertices = {{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}};
  holes.triangles = {{0, 1, 2}};
  EXPECT_FALSE(build(holes).ray_any({{0.1F, 0.1F, -1}, {0, 0, 1}}));
}

TEST(Triangles, ExecutorsBuildTheSameTree) {
  scenes::Draws draws(8);
  const Soup soup = test::make_soup(test::Kind::kTerrain, 60'000, draws);
  const Triangles serial = build(soup);
  const auto order = [](const Triangles& triangles) {
    std::vector<std::uint32_t> numbers;
    triangles.visit({{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}}, [&](std::uint32_t number) {
      numbers.push_back(number);
      return true;
    });
    return numbers;
  };
  const std::vector<std::uint32_t> right = order(serial);
  EXPECT_EQ(right.size(), soup.triangles.size());
  const auto threads = TbbExecutor::build(3);
  if (threads) {
    EXPECT_EQ(order(build(soup, &*threads)), right);
  }
}

/// Boxes to search with: anywhere, touching a corner, a point, everything, nothing.
Aabb3 make_box(const Soup& soup, std::size_t i, scenes::Draws& draws) {
  const auto& triangle = soup.triangles[draws.below(static_cast<std::uint32_t>(soup.triangles.size()))];
  Aabb3 box{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float at = i % 3 == 0 ? draws.uniform(-2, 2) : soup.vertices[triangle[0]][axis];
    box.lo[axis] = at;
    box.hi[axis] = at + (i % 4 == 0 ? 0 : draws.unit() * 0.3F);
  }
  if (i % 10 == 9) {
    box = i % 20 == 9 ? Aabb3{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}} : Aabb3{{1, 1, 1}, {-1, -1, -1}};
  }
  return box;
}

Aabb3 box_of(const Triangles& triangles, std::uint32_t number) {
  const auto [a, b, c] = triangles.corners(number);
  return {{std::fmin(a.x, std::fmin(b.x, c.x)), std::fmin(a.y, std::fmin(b.y, c.y)),
           std::fmin(a.z, std::fmin(b.z, c.z))},
          {std::fmax(a.x, std::fmax(b.x, c.x)), std::fmax(a.y, std::fmax(b.y, c.y)),
           std::fmax(a.z, std::fmax(b.z, c.z))}};
}

double gap(const Aabb3& a, const Aabb3& b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double apart =
        std::fmax(0, std::fmax(static_cast<double>(a.lo[axis]) - static_cast<double>(b.hi[axis]),
                               static_cast<double>(b.lo[axis]) - static_cast<double>(a.hi[axis])));
    sum += apart * apart;
  }
  return sum;
}

/// When `box` on its way enters `other`; infinity: never.
double enter(const Aabb3& box, const Vec3& way, const Aabb3& other) {
  const double speed[3] = {static_cast<double>(way.x), static_cast<double>(way.y),
                           static_cast<double>(way.z)};
  double first = 0, last = static_cast<double>(kInf);
  for (int axis = 0; axis < 3; ++axis) {
    const double ahead = static_cast<double>(other.lo[axis]) - static_cast<double>(box.hi[axis]);
    const double behind = static_cast<double>(other.hi[axis]) - static_cast<double>(box.lo[axis]);
    if (speed[axis] == 0 && (ahead > 0 || behind < 0)) {
      return static_cast<double>(kInf);
    }
    if (speed[axis] != 0) {
      first = std::fmax(first, std::fmin(ahead / speed[axis], behind / speed[axis]));
      last = std::fmin(last, std::fmax(ahead / speed[axis], behind / speed[axis]));
    }
  }
  return first <= last ? first : static_cast<double>(kInf);
}

/// Those of all triangles that `wanted` names, which has to be what was visited, each once.
template <class Wanted>
void expect_visited(const Soup& soup, std::vector<std::uint32_t> visited, const Wanted& wanted) {
  std::sort(visited.begin(), visited.end());
  std::vector<std::uint32_t> right;
  for (std::uint32_t i = 0; i < soup.triangles.size(); ++i) {
    bool hole = false;
    for (const std::uint32_t vertex : soup.triangles[i]) {
      for (const float x : soup.vertices[vertex]) {
        hole = hole || std::isnan(x);
      }
    }
    if (!hole && wanted(i)) {
      right.push_back(i);
    }
  }
  ASSERT_EQ(visited, right);
}

TEST(Triangles, VisitsEqualBruteForceOverBoxes) {
  for (const test::Kind kind : test::kKinds) {
    for (const std::size_t n : {1U, 9U, 700U}) {
      SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
      scenes::Draws draws(n + 17);
      const Soup soup = test::make_soup(kind, n, draws);
      const Triangles built = build(soup);
      for (std::size_t i = 0; i < 40; ++i) {
        const Aabb3 box = make_box(soup, i, draws);
        std::vector<std::uint32_t> seen;
        built.visit(box, [&](std::uint32_t number) {
          seen.push_back(number);
          return true;
        });
        expect_visited(soup, seen, [&](std::uint32_t k) { return box_of(built, k).overlaps(box); });
        if (box.empty()) {
          continue;
        }
        const double limit = i % 5 == 0 ? 0 : i % 7 == 0 ? static_cast<double>(kInf) : draws.unit() * 0.5F;
        seen.clear();
        built.visit_near(box, limit, [&](std::uint32_t number) {
          seen.push_back(number);
          return limit;
        });
        expect_visited(soup, seen,
                       [&](std::uint32_t k) { return gap(box_of(built, k), box) <= limit * limit; });
        const Vec3 way{draws.uniform(-3, 3), i % 2 == 0 ? 0.0F : draws.uniform(-1, 1), draws.uniform(-3, 3)};
        if (box.hi[0] < kInf) {
          seen.clear();
          built.visit_swept(box, way, 0.75, [&](std::uint32_t number) {
            seen.push_back(number);
            return 0.75;
          });
          expect_visited(soup, seen,
                         [&](std::uint32_t k) { return enter(box, way, box_of(built, k)) <= 0.75; });
        }
        if (testing::Test::HasFailure()) {
          return;
        }
      }
    }
  }
}

TEST(Triangles, VisitorsEndTheSearch) {
  scenes::Draws draws(2);
  const Soup soup = test::make_soup(test::Kind::kRandom, 2000, draws);
  const Triangles built = build(soup);
  std::size_t calls = 0;
  built.visit({{-1, -1, -1}, {1, 1, 1}}, [&](std::uint32_t) { return ++calls < 3; });
  EXPECT_EQ(calls, 3u);
  // The nearest box, found by narrowing, is that of brute force; far fewer than all were looked at.
  const Aabb3 box{{2, 2, 2}, {2.1F, 2.1F, 2.1F}};
  const Vec3 way{-4, -4, -4};
  double best = static_cast<double>(kInf), right = best, first = best, right_first = best;
  calls = 0;
  built.visit_near(box, best, [&](std::uint32_t number) {
    ++calls;
    return best = std::fmin(best, std::sqrt(gap(box_of(built, number), box)));
  });
  built.visit_swept(box, way, 1, [&](std::uint32_t number) {
    ++calls;
    return first = std::fmin(first, enter(box, way, box_of(built, number)));
  });
  for (std::uint32_t k = 0; k < soup.triangles.size(); ++k) {
    right = std::fmin(right, std::sqrt(gap(box_of(built, k), box)));
    right_first = std::fmin(right_first, enter(box, way, box_of(built, k)));
  }
  EXPECT_EQ(best, right);
  EXPECT_EQ(first, right_first);
  EXPECT_LT(calls, soup.triangles.size() / 4);
}

}  // namespace
}  // namespace juxta::shape_detail
