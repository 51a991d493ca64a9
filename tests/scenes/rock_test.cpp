// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/rock.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "juxta/shape/parts.h"
#include "tests/support/fnv.h"

namespace juxta {
namespace {

using scenes::make_rock;

TEST(Rock, IsClosedAndLooksOutwards) {
  for (const std::size_t triangles : {1U, 8U, 9U, 1000U, 20'000U}) {
    const Mesh rock = make_rock(triangles, 3);
    EXPECT_GE(rock.triangles.size(), triangles);
    EXPECT_EQ(rock.vertices.size(), rock.triangles.size() / 2 + 2);  // Euler's formula for a ball
    const auto mesh = TriangleMesh::build(rock.vertices, rock.triangles);
    ASSERT_TRUE(mesh) << mesh.error().message;
    EXPECT_TRUE(mesh->closed());
    EXPECT_GT(mass_of(*mesh).volume, 1.0);
    for (const float side : {mesh->bounds().lo[0], mesh->bounds().hi[1]}) {
      EXPECT_GT(std::fabs(side), 0.6F);
      EXPECT_LT(std::fabs(side), 1.6F);
    }
  }
}

TEST(Rock, SeedsDiffer) {
  EXPECT_NE(make_rock(100, 1).vertices, make_rock(100, 2).vertices);
}

TEST(RockGolden, SameBitsEverywhere) {
  const Mesh rock = make_rock(5000, 1);
  EXPECT_EQ(test::fnv(std::span(rock.vertices)), 6745329948117424933U);
  EXPECT_EQ(test::fnv(std::span(rock.triangles)), 12438725680057817349U);
}

}  // namespace
}  // namespace juxta
