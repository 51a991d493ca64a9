// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many rays at once against one shape: the bits of asking one after the other. The two share the search of
// the tree and nothing else, so that each is the other's twin. Whether anything is hit is the same question.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "shape/random_shapes.h"
#include "shape/triangle_meshes.h"
#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::array<std::uint32_t, 8> bits_of(const SurfaceHit& hit) {
  const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  return {bits(hit.t),        bits(hit.point.x),  bits(hit.point.y),  bits(hit.point.z),
          bits(hit.normal.x), bits(hit.normal.y), bits(hit.normal.z), hit.part.triangle};
}

/// How many hit.
std::size_t compare(const Shape& shape, const Qvvs& at, std::span<const Ray3> rays) {
  std::vector<SurfaceHit> out(rays.size(), SurfaceHit{true, 3, {1, 2, 3}, {4, 5, 6}, {7, 8}});
  EXPECT_TRUE(raycast(shape, at, rays, out));
  std::size_t hits = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const SurfaceHit right = raycast(shape, at, rays[i]);
    EXPECT_EQ(out[i].hit, right.hit) << "ray " << i << " of " << rays.size();
    EXPECT_EQ(bits_of(out[i]), bits_of(right)) << "ray " << i << " of " << rays.size();
    EXPECT_EQ(out[i].part, right.part);
    EXPECT_EQ(raycast_any(shape, at, rays[i]), right.hit) << "ray " << i << " of " << rays.size();
    hits += right ? 1U : 0U;
    if (testing::Test::HasFailure()) {
      break;
    }
  }
  return hits;
}

struct View {
  Qvvs at;
  float away;    // of the camera, in sizes of the shape
  float spread;  // of its rays; with large ones no two run side by side
};

Ray3 ray_to(const Vec3& from, const Vec3& way, float max = kInf) {
  return {{from.x, from.y, from.z}, {way.x, way.y, way.z}, max};
}

/// Rays of a camera in squares of 4 x 4 towards a shape within 1 of its place; some have an end, some start
/// elsewhere, and some are broken.
std::vector<Ray3> draw_view(test::RandomShapes& random, const View& view, std::size_t count) {
  const Vec3 from = view.at.position + random.direction() * (view.away * view.at.scale);
  const Vec3 forward = view.at.position - from, right = random.direction(), up = random.direction();
  const float step = view.spread * view.at.scale / 32;
  std::vector<Ray3> rays;
  for (std::size_t i = 0; i < count; ++i) {
    const auto square = static_cast<float>(i / 16 % 8), row = static_cast<float>(i / 128 % 8);
    const float x = square * 4 + static_cast<float>(i % 4) - 16,
                y = row * 4 + static_cast<float>(i / 4 % 4) - 16;
    Ray3 ray = ray_to(from, forward + right * (x * step) + up * (y * step));
    const std::uint32_t what = random.draws().below(300);
    ray.origin[what % 3] = what < 3 ? kNan : what < 6 ? -kInf : ray.origin[what % 3];
    ray.direction[what % 3] = what / 3 == 2 ? kInf : what / 3 == 3 ? kNan : ray.direction[what % 3];
    ray.max = what == 12 ? -1 : what == 13 ? kNan : what == 14 ? 0 : what < 30 ? 0.9F : ray.max;
    if (what == 15) {
      ray.direction[0] = ray.direction[1] = ray.direction[2] = 0;
    } else if (what == 16) {
      ray = ray_to(view.at.position, random.direction());
    } else if (what == 17) {
      ray = ray_to(from + random.inside() * 100, forward);
    }
    rays.push_back(ray);
  }
  return rays;
}

Qvvs draw_place(test::RandomShapes& random, int i) {
  Qvvs at;
  if (i % 4 != 0) {
    at.rotation = random.rotation();
    at.position = random.inside() * (i % 2 == 0 ? 2000.0F : 1.0F);
    at.scale = random.between(0.1F, 10);
  } else if (i % 8 == 4) {
    at.rotation.x = -0.0F;  // turns nothing but the signs of zeros
  }
  if (i % 3 == 0) {
    at.stretch = {random.between(0.5F, 2), 1, random.between(0.5F, 2)};
  }
  return at;
}

std::size_t compare_views(const Shape& shape, test::RandomShapes& random, int rounds, std::size_t count) {
  std::size_t hits = 0;
  for (int i = 0; i < rounds; ++i) {
    constexpr std::array kAways{1.5F, 3.0F, 30.0F, 0.3F, 4000.0F};
    constexpr std::array kSpreads{0.02F, 1.0F, 4.0F};
    const View view{draw_place(random, i), kAways[random.draws().below(5)],
                    kSpreads[random.draws().below(3)]};
    hits += compare(shape, view.at, draw_view(random, view, count));
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "view " << i << ", " << view.away << " away, spread " << view.spread;
      break;
    }
  }
  return hits;
}

TEST(Rays, AtMeshesEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(21);
    for (const test::Kind kind : test::kKinds) {
      SCOPED_TRACE(test::name(kind));
      for (const std::size_t n : {1U, 9U, 300U, 5000U}) {
        const test::Soup soup = test::make_soup(kind, n, random.draws());
        if (const auto mesh = TriangleMesh::build(soup.vertices, soup.triangles)) {
          const std::size_t hits = compare_views(*mesh, random, 12, 1000);
          ASSERT_FALSE(testing::Test::HasFailure()) << n << " triangles";
          ASSERT_TRUE(hits > 100 || n < 300 || kind == test::Kind::kSlivers) << hits;
        }
      }
    }
  });
}

TEST(Rays, OfAnyNumberEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(22);
    const test::Soup soup = test::make_sphere(2000);
    const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
    std::size_t hits = 0;
    for (const std::size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 31U, 33U, 1000U}) {
      hits += compare_views(mesh, random, 20, count);
    }
    EXPECT_GT(hits, 2000U);
  });
}

/// Rays that graze the box of a mesh, by a few steps of floats on either side: what a single ray leaves out
/// early, many do not.
TEST(Rays, ThatGrazeTheBoxEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(24);
    std::vector<Vec3> corners;
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t i = 0; i < 8; ++i) {  // a box and its two diagonals: rays along its edges hit
      corners.push_back(
          {(i & 1) != 0 ? 1.0F : -1.0F, (i & 2) != 0 ? 0.5F : -0.5F, (i & 4) != 0 ? 2.0F : -2.0F});
      triangles.push_back({i, (i + 1) % 8, (i + 3) % 8});
    }
    const TriangleMesh mesh = TriangleMesh::build(corners, triangles).value();
    std::size_t hits = 0, all = 0;
    for (int round = 0; round < 60; ++round) {
      const Qvvs at = draw_place(random, round);
      std::vector<Ray3> rays;
      for (int i = 0; i < 200; ++i) {
        const float aside = random.between(-4, 4) * 0x1p-23F, k = at.scale;
        const auto world = [&](Vec3 p) { return at.position + rotate(at.rotation, p * at.stretch * k); };
        Vec3 on = corners[random.draws().below(8)];
        on[random.draws().below(3)] *= 1 + aside;
        Vec3 from = corners[random.draws().below(8)];
        from[random.draws().below(3)] += random.between(-30, 30);
        rays.push_back(segment(world(from), world(on)));
        rays.back().max = i % 3 == 0 ? kInf : 1 + aside;
      }
      hits += compare(mesh, at, rays);
      all += rays.size();
      ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(hits, all / 10);
    EXPECT_LT(hits, all);
  });
}

/// Rays that end at what they hit, a little before and a little behind.
TEST(Rays, ThatEndAtASurfaceEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(25);
    const test::Soup soup = test::make_sphere(2000);
    const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
    std::size_t hits = 0, all = 0;
    for (int round = 0; round < 30; ++round) {
      const View view{draw_place(random, round), 3, 1};
      std::vector<Ray3> rays = draw_view(random, view, 300);
      for (Ray3& ray : rays) {
        if (const SurfaceHit hit = raycast(mesh, view.at, ray)) {
          constexpr std::array kAround{0.0F,  0x1p-23F, -0x1p-23F, 1e-6F, -1e-6F,
                                       1e-4F, -1e-4F,   3e-4F,     -3e-4F};
          ray.max = hit.t * (1 + kAround[random.draws().below(kAround.size())]);
          ++all;
        }
      }
      hits += compare(mesh, view.at, rays);
      ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(hits, all / 3);
    EXPECT_LT(hits, all);
  });
}

/// Vertices far from the mesh's own origin, and rays that end where they hit: the last digits of floats are
/// as large there as what tells a hit from a miss.
TEST(Rays, AtMeshesFarFromTheirOriginEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(27);
    const test::Soup ball = test::make_sphere(200);
    std::size_t hits = 0, all = 0;
    for (const float away : {0.0F, 100.0F, 1e3F, 3e3F, 1e4F, 1e5F}) {
      for (int round = 0; round < 12; ++round) {
        const Vec3 offset = random.direction() * away;
        std::vector<Vec3> vertices;
        for (const Vec3& v : ball.vertices) {
          vertices.push_back(v + offset);
        }
        const TriangleMesh mesh = TriangleMesh::build(vertices, ball.triangles).value();
        Qvvs at = draw_place(random, round);
        at.position = {};
        const auto world = [&](Vec3 p) { return rotate(at.rotation, p * at.stretch * at.scale); };
        at.position = random.inside() - world(offset);
        std::vector<Ray3> rays;
        for (int i = 0; i < 200; ++i) {
          const Vec3 to = vertices[random.draws().below(static_cast<std::uint32_t>(vertices.size()))];
          rays.push_back(segment(random.direction() * random.between(1, 10), at.position + world(to)));
          rays.back().max = i % 2 == 0 ? 1 : kInf;
        }
        hits += compare(mesh, at, rays);
        all += rays.size();
        ASSERT_FALSE(testing::Test::HasFailure()) << away << " away, round " << round;
      }
    }
    EXPECT_GT(hits, all / 2);
  });
}

/// Rays that graze a tilted square and end a little before they enter its box: the exact t may be before the
/// one of floats by as much.
TEST(Rays, ThatEndWhereTheyEnterTheBoxEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(28);
    std::size_t hits = 0, all = 0;
    for (int round = 0; round < 400; ++round) {
      const float along = random.between(-1, 1), across = random.between(-1, 1);
      const auto on_plane = [&](float x, float y) { return Vec3{x, y, along * x + across * y}; };
      const std::array corners{on_plane(0, -1), on_plane(1, -1), on_plane(1, 1), on_plane(0, 1)};
      const std::array<std::array<std::uint32_t, 3>, 2> triangles{{{0, 1, 2}, {0, 2, 3}}};
      const TriangleMesh mesh = TriangleMesh::build(corners, triangles).value();
      Qvvs at;
      at.position = round % 2 == 0 ? Vec3{} : random.inside();
      std::vector<Ray3> rays;
      for (int i = 0; i < 64; ++i) {
        const float away = random.between(0, 4), grazing = std::pow(10.0F, -random.between(1, 4.5F));
        const Vec3 on = on_plane(0, random.between(-0.8F, 0.8F));
        const Vec3 way = on_plane(1, random.between(-0.3F, 0.3F)) - Vec3{0, 0, grazing};
        rays.push_back({at.position + on - way * away, way, away - random.between(0, 2.5e-4F)});
      }
      hits += compare(mesh, at, rays);
      all += rays.size();
      ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(hits, all / 1000);
    EXPECT_LT(hits, all);
  });
}

/// Numbers near the ends of floats: products overflow on the way, and nothing is left out because of it.
TEST(Rays, OfHugeAndTinyMeshesEqualOneAfterTheOther) {
  test::for_each_isa([](Isa) {
    test::RandomShapes random(26);
    // Beyond 2^29 and 2^-40, nodes see a ray otherwise: with length 1.
    for (const float size : {0x1p100F, 0x1p60F, 0x1p46F, 0x1p30F, 0x1p28F, 1.0F, 0x1p-39F, 0x1p-42F, 0x1p-60F,
                             0x1p-74F, 0x1p-100F}) {
      test::Soup soup = test::make_sphere(300);
      for (Vec3& v : soup.vertices) {
        v = v * size;
      }
      const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
      std::vector<Ray3> rays;
      for (int i = 0; i < 2000; ++i) {
        const Vec3 from = random.direction() * (size * random.between(0.2F, 8));
        const Vec3 to = random.inside() * (size * 1.1F);
        Ray3 ray = segment(from, to);
        if (i % 2 == 0) {
          ray.max = kInf;
        }
        if (i % 3 == 0) {
          ray.direction = ray.direction * (1 / size);
        }
        if (i % 5 == 0) {  // along one axis, or nearly
          for (const std::size_t axis :
               {static_cast<std::size_t>(i) % 3, static_cast<std::size_t>(i + 1) % 3}) {
            ray.direction[axis] *= i % 2 == 0 ? 0 : std::ldexp(1.0F, -(i % 100));
            ray.origin[axis] = to[axis];
          }
        }
        if (i % 7 == 0) {
          ray.direction = ray.direction * std::ldexp(1.0F, i % 80 - 40);
        }
        rays.push_back(ray);
      }
      EXPECT_GT(compare(mesh, {}, rays), 50U) << size;
      ASSERT_FALSE(testing::Test::HasFailure()) << size;
    }
  });
}

TEST(Rays, AtOtherKindsEqualOneAfterTheOther) {
  test::RandomShapes random(23);
  const test::Soup soup = test::make_sphere(200);
  const TriangleMesh mesh = TriangleMesh::build(soup.vertices, soup.triangles).value();
  const std::array parts{Compound::Part{Sphere{{0.4F, 0, 0}, 0.3F}, {}}, Compound::Part{mesh, {}}};
  const Compound compound = Compound::build(parts).value();
  std::vector<float> heights(81);
  for (float& height : heights) {
    height = random.between(-0.2F, 0.2F);
  }
  heights[40] = kNan;
  const HeightField field = HeightField::build(9, 9, 0.125F, heights).value();
  std::vector<float> none(9, kNan);
  const HeightField holes = HeightField::build(3, 3, 0.5F, none).value();
  test::for_each_isa([&](Isa) {
    EXPECT_GT(compare_views(field, random, 30, 333), 100U);
    EXPECT_EQ(compare_views(holes, random, 5, 33), 0U);
  });
  for (const Shape& shape : {Shape(Sphere{{}, 0.5F}), Shape(Box{{}, {}, {0.5F, 0.4F, 0.3F}}),
                             Shape(Triangle{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}}), Shape(compound)}) {
    EXPECT_GT(compare_views(shape, random, 8, 100), 10U);
  }
}

TEST(Rays, UnlikeLengthsAreRefused) {
  const std::array rays{ray_to({0, 0, -3}, {0, 0, 1}), ray_to({0, 0, -3}, {0, 0, 1})};
  std::array<SurfaceHit, 1> out{};
  const auto refused = raycast(Sphere{{}, 1}, {}, rays, out);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(out[0]);
}

// In a mesh this small nothing is added to boxes for rounding, so that a side of one is met exactly. Whether
// a ray along the side is inside must not depend on the sign of a zero, nor on who is asked.
TEST(ShapeRays, ADirectionOfMinusZeroIsOneOfZero) {
  constexpr float kUnit = 1e-42F;
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(Vec3{float(i & 1), float(i >> 1 & 1), float(i >> 2)} * (4 * kUnit));
  }
  const std::vector<std::array<std::uint32_t, 3>> sides = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                           {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                           {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const TriangleMesh box = TriangleMesh::build(corners, sides).value();
  std::vector<Ray3> rays;  // four times each ray, with each sign of its two zeros
  for (int i = 0; i < 3 * 2 * 25 * 4; ++i) {
    const int along = i / 4 % 3, side = i / 12 % 2, u = i / 24 % 5, v = i / 120;
    Ray3 ray{};
    ray.max = kInf;
    for (int axis = 0; axis < 3; ++axis) {
      const int place = axis == (along + 1) % 3 ? u : v;
      ray.origin[axis] = kUnit * float(axis == along ? 9 * side - 2 : place);
      ray.direction[axis] = (i >> (axis == (along + 1) % 3 ? 0 : 1) & 1) != 0 ? -0.0F : 0.0F;
    }
    ray.direction[along] = side != 0 ? -1.0F : 1.0F;
    rays.push_back(ray);
  }
  test::for_each_isa([&](Isa) {
    EXPECT_GE(compare(Shape(box), {}, rays), rays.size() / 2);
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const SurfaceHit hit = raycast(Shape(box), {}, rays[i]), zero = raycast(Shape(box), {}, rays[i & ~3U]);
      std::vector<SurfaceHit> every(12);
      const bool any = raycast_every(Shape(box), {}, rays[i], every).written > 0;
      EXPECT_TRUE(hit.hit == zero.hit && hit.t == zero.t && hit.part == zero.part) << i;
      EXPECT_TRUE(hit.hit == any && (!any || (hit.t == every[0].t && hit.part == every[0].part))) << i;
    }
  });
}

}  // namespace
}  // namespace juxta
