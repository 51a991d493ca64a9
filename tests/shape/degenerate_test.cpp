// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What has no inside, no length or no direction: every function has an answer to it, the right one where
// there is one, and finite numbers in any case.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "shape/check_convex.h"

namespace juxta::test {
namespace {

/// Degenerate shapes of all convex kinds, about 1 in size.
class Zoo {
 public:
  Zoo() {
    add(Sphere{});
    add(Sphere{{0.25F, 0, 0}, 1});
    add(Capsule{});
    add(Capsule{{0, 1, 0}, {0, 1, 0}, 0.5F});  // a sphere
    add(Capsule{{0, -1, 0}, {0, 1, 0}, 0});    // a segment
    add(Capsule{{-1, 0, 0}, {1, 0, 0}, 0.25F});
    add(Box{});
    add(Box{{}, {}, {1, 0, 0}});
    add(Box{{}, {}, {1, 1, 0}});
    add(Box{{}, {}, {1, 1, 1e-6F}});
    add(Box{{}, {}, {1, 1, 1}});
    add(Box{{}, normalized(Quat{1, 2, 3, 4}), {1, 0.5F, 0.25F}});
    add(Triangle{});
    add(Triangle{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}});  // a segment
    add(Triangle{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}});
    add(Triangle{{-1, 0, 0}, {1, 0, 0}, {0, 1e-6F, 0}});  // a sliver
    add_hull({{0, 0, 0}});
    add_hull({{-1, 0, 0}, {1, 0, 0}, {0.5F, 0, 0}});
    add_hull({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0.5F, 0, 0.5F}});
    add_hull({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {0, 1e-6F, 0}});
    add_hull(
        {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}});
    add_hull({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, -1, -1}});
  }
  [[nodiscard]] const std::vector<Placed>& all() const { return all_; }

 private:
  void add(const Shape& shape) { all_.push_back({shape, skin_of(shape), {}}); }
  void add_hull(const std::vector<Vec3>& points) {
    hulls_.push_back(std::make_unique<ConvexHull>(ConvexHull::build(points).value()));
    add(*hulls_.back());
  }
  std::vector<std::unique_ptr<ConvexHull>> hulls_;
  std::vector<Placed> all_;
};

/// Places that line edges, faces and corners up exactly, and one that does not.
const std::vector<Vec3> kPlaces = {{0, 0, 0},          {1, 0, 0},          {2, 0, 0},  {0, 2, 0},
                                   {0, 0, -2},         {2, 2, 2},          {1, 1, 0},  {0, 1e-6F, 0},
                                   {0, 1e-30F, 0},     {2.0000002F, 0, 0}, {-3, 0, 5}, {0, 0.5F, 0},
                                   {0.3F, -0.7F, 0.9F}};

bool all_finite(const CastHit& c) {
  return !c.hit || (std::isfinite(c.t) && is_finite(c.point) && is_finite(c.normal));
}
bool all_finite(const SurfaceHit& c) {
  return !c.hit || (std::isfinite(c.t) && is_finite(c.point) && is_finite(c.normal));
}

class Degenerate : public ::testing::Test {
 protected:
  template <class Check>
  void for_pairs(float scale, Check&& check) {
    int failures = 0;
    for (std::size_t i = 0; i < zoo_.all().size(); ++i) {
      for (std::size_t j = 0; j < zoo_.all().size(); ++j) {
        for (std::size_t k = 0; k < kPlaces.size(); ++k) {
          Placed a = zoo_.all()[i], b = zoo_.all()[j];
          a.at.scale = b.at.scale = scale;
          b.at.position = kPlaces[k] * scale;
          if (const std::string wrong = check(a, b); !wrong.empty() && ++failures <= 20) {
            ADD_FAILURE() << "shapes " << i << " and " << j << ", place " << k << ", scale " << scale << ": "
                          << wrong;
          }
        }
      }
    }
    EXPECT_EQ(failures, 0);
  }
  Zoo zoo_;
};

TEST_F(Degenerate, ClosestAndOverlaps) {
  for (const float scale : {1.0F, 1e-6F, 1e6F}) {
    for_pairs(scale, [](const Placed& a, const Placed& b) {
      const PairTruth truth(a, b);
      const std::string wrong = check_closest(a, b, truth);
      return wrong.empty() ? check_overlaps(a, b, truth) : wrong;
    });
  }
}

TEST_F(Degenerate, TinyBesideHuge) {
  for_pairs(1, [](const Placed& a, const Placed& b) {
    Placed huge = a, tiny = b;
    huge.at.scale = 1e6F;
    tiny.at.scale = 1e-6F;
    const std::string wrong = check_closest(huge, tiny, PairTruth(huge, tiny));
    return wrong.empty() ? check_closest(tiny, huge, PairTruth(tiny, huge)) : wrong;
  });
}

TEST_F(Degenerate, Casts) {
  for (const Vec3& way : {Vec3{4, 0, 0}, Vec3{0, -1, 0}, Vec3{1, 2, -3}, Vec3{1e-20F, 0, 0}}) {
    for_pairs(1, [&](const Placed& a, const Placed& b) {
      const CastHit got = cast(a.shape, a.at, way, b.shape, b.at);
      return all_finite(got) ? check_cast(a, b, way, PairTruth(a, b)) : "not finite";
    });
  }
}

/// A way of length 0 asks whether they overlap now.
TEST_F(Degenerate, CastsNowhere) {
  for_pairs(1, [](const Placed& a, const Placed& b) {
    const CastHit got = cast(a.shape, a.at, {}, b.shape, b.at);
    const PairTruth pair(a, b);
    const bool wrong = got.hit ? pair.truth.distance > 2e-6 * pair.size || got.t != 0
                               : pair.truth.distance < -2e-6 * pair.size;
    return all_finite(got) && !wrong ? ""
                                     : fmt::format("{} at a distance of {}", got.hit, pair.truth.distance);
  });
}

TEST_F(Degenerate, ContactsAreFinite) {
  for_pairs(1, [](const Placed& a, const Placed& b) -> std::string {
    const Manifold got = contact(a.shape, a.at, b.shape, b.at, 0.01F);
    const PairTruth pair(a, b);
    bool finite_points = got.count <= 4;
    for (std::uint32_t i = 0; i < std::min(got.count, 4U); ++i) {
      finite_points =
          finite_points && is_finite(got.points[i].point) && std::isfinite(got.points[i].distance);
    }
    if (!finite_points || (got.count > 0 && !(std::abs(length(V3(got.normal)) - 1) <= 1e-6))) {
      return "numbers that are not finite, or no normal";
    }
    if (pair.truth.distance < 0.01 - 1e-5 ? got.count == 0
                                          : pair.truth.distance > 0.01 + 1e-5 && got.count > 0) {
      return fmt::format("{} points at a distance of {}", got.count, pair.truth.distance);
    }
    return "";
  });
}

TEST_F(Degenerate, Rays) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (std::size_t i = 0; i < zoo_.all().size(); ++i) {
    const Placed& shape = zoo_.all()[i];
    const Solid solid = shape.solid({});
    SCOPED_TRACE(i);
    for (const Vec3& from :
         {Vec3{0, 0, 0}, Vec3{5, 0, 0}, Vec3{0, 0, 3}, Vec3{1, 1, 4}, Vec3{0.1F, 0.2F, 0.3F}}) {
      const auto ray = [&](float x, float y, float z, float max) {
        return raycast(shape.shape, shape.at, Ray3{{from.x, from.y, from.z}, {x, y, z}, max});
      };
      // Not finite, backwards: nothing.
      for (const SurfaceHit& got :
           {ray(nan, 0, 0, 1), ray(inf, 0, 0, 1), ray(1, 0, 0, -1), ray(0, -inf, 0, inf)}) {
        EXPECT_FALSE(got.hit);
      }
      EXPECT_FALSE(raycast(shape.shape, shape.at, Ray3{{nan, 0, 0}, {1, 0, 0}}).hit);
      EXPECT_FALSE(raycast(shape.shape, shape.at, Ray3{{inf, 0, 0}, {-1, 0, 0}}).hit);
      // Without length: from well inside only.
      const double depth = -truth_of(Solid{{V3(from)}, {}, {}, 0, 0}, solid).distance;
      const SurfaceHit still = ray(0, 0, 0, inf);
      if (depth > 1e-5) {
        EXPECT_TRUE(still.hit && still.t == 0 && still.normal == Vec3{});
      } else if (depth < -1e-5) {
        EXPECT_FALSE(still.hit);
      }
      // Of any length: finite, and its end is kept.
      for (const float length : {1e-30F, 1e-6F, 1.0F, 1e6F, 1e30F}) {
        for (const Vec3& way : {Vec3{-1, 0, 0}, Vec3{0, 0, -1}, Vec3{-1, -1, -4}, Vec3{-0.0F, 1, 0}}) {
          const SurfaceHit got = ray(way.x * length, way.y * length, way.z * length, inf);
          ASSERT_TRUE(all_finite(got));
          const SurfaceHit shorter = ray(way.x * length, way.y * length, way.z * length, got.t * 0.5F);
          ASSERT_TRUE(!shorter.hit || got.t == 0);
          if (length == 1) {
            const Ray3 asked{{from.x, from.y, from.z}, {way.x, way.y, way.z}};
            const std::string wrong = check_ray(shape, asked);
            EXPECT_EQ(wrong, "") << "from " << from.x << ' ' << from.y << ' ' << from.z << " along " << way.x
                                 << ' ' << way.y << ' ' << way.z;
          }
        }
      }
    }
  }
}

/// Infinite and NaN places are refused by check_shape(); whoever asks all the same gets an answer and no
/// loop.
TEST_F(Degenerate, WhatIsRefusedStillEnds) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, inf}) {
    for (const Placed& a : zoo_.all()) {
      for (const Placed& b : zoo_.all()) {
        Placed broken = b;
        broken.at.position = {bad, 0, 0};
        EXPECT_FALSE(check_shape(broken.shape, broken.at));
        static_cast<void>(closest(a.shape, a.at, broken.shape, broken.at));
        static_cast<void>(overlaps(a.shape, a.at, broken.shape, broken.at));
        static_cast<void>(cast(a.shape, a.at, {1, 0, 0}, broken.shape, broken.at));
        static_cast<void>(contact(a.shape, a.at, broken.shape, broken.at));
      }
    }
  }
}

/// The same pair, a kilometre away: the same distance, since places there are still exact.
TEST_F(Degenerate, AKilometreAway) {
  for_pairs(1, [](const Placed& a, const Placed& b) -> std::string {
    Placed far_a = a, far_b = b;
    const Vec3 there{1024, -512, 2048};
    far_a.at.position = there;
    far_b.at.position = b.at.position + there;
    return check_closest(far_a, far_b, PairTruth(far_a, far_b));
  });
}

}  // namespace
}  // namespace juxta::test
