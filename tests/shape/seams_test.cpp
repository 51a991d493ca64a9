// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Surfaces side by side: what slides over the seam does not catch.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "juxta/shape/bodies.h"
#include "scenes/draws.h"
#include "shape/contact_scenes.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::about_y;
using test::at;
using test::flat;
using test::grid;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Two surfaces that meet in x = 4, and where they stand.
struct Tiles {
  Shape left, right;
  Qvvs left_at, right_at;
};

/// Contacts of all solids on their way over the seam, and how many do not lead upwards.
struct Counts {
  int all = 0, ghosts = 0;
};
Counts slide_over(const Tiles& tiles) {
  const Compound both =
      Compound::build(std::vector<Compound::Part>{{tiles.left, tiles.left_at}, {tiles.right, tiles.right_at}})
          .value();
  Counts counts;
  test::slide(2.5F, 5.5F, [&](const Shape& solid, const Qvvs& place, float height) {
    std::array<Manifold, kMostManifolds> out;
    const QueryResult found = contacts(both, {}, solid, place, 0.01F, out);
    EXPECT_GE(found.found, 1U);
    for (std::size_t i = 0; i < found.written; ++i) {
      // The surface that was left may see less of the depth.
      const bool up = out[i].normal.y > 0.99999F && out[i].points[0].distance > height - 1e-5F;
      counts.ghosts += up ? 0 : 1;
      ++counts.all;
    }
  });
  return counts;
}

template <class Left, class Right>
void expect_no_ghosts(Left& left, const Qvvs& left_at, Right& right, const Qvvs& right_at) {
  const Tiles tiles{left, right, left_at, right_at};
  EXPECT_GT(slide_over(tiles).ghosts, 50);
  ASSERT_GT(left.adjoin(left_at, right, right_at).value_or(0), 0U);
  ASSERT_GT(right.adjoin(right_at, left, left_at).value_or(0), 0U);
  const Counts joined = slide_over(tiles);
  EXPECT_EQ(joined.ghosts, 0);
  EXPECT_GT(joined.all, 6 * 4 * 4 * 100);
  left.forget_adjoined();
  right.forget_adjoined();
  EXPECT_GT(slide_over(tiles).ghosts, 50);
}

/// Eight units long and wide, far enough for what slides not to see the other borders.
HeightField field(float cell = 1) {
  const auto side = static_cast<std::uint32_t>(8 / cell) + 1;
  return HeightField::build(side, side, cell, std::vector<float>(std::size_t{side} * side, 0.0F)).value();
}
const Qvvs kLeft = at({-4, 0, 0}), kRight = at({4, 0, 0});

TEST(ShapeSeams, MeshesSideBySide) {
  for (const bool diagonal : {false, true}) {
    TriangleMesh left = grid(8, diagonal, true, flat), right = grid(8, !diagonal, false, flat);
    expect_no_ghosts(left, kLeft, right, kRight);
  }
}

TEST(ShapeSeams, FieldsAndMeshes) {
  HeightField first = field(), second = field();
  TriangleMesh mesh = grid(8, false, true, flat);
  expect_no_ghosts(first, kLeft, second, kRight);
  expect_no_ghosts(first, kLeft, mesh, kRight);
  expect_no_ghosts(mesh, kLeft, first, kRight);
}

/// Turned by a quarter, and twice its size or stretched to that.
TEST(ShapeSeams, TilesStandAnyWay) {
  TriangleMesh left = grid(8, false, true, flat), right = grid(4, false, true, flat);
  Qvvs place = at({4, 0, 8}, about_y(1));
  place.scale = 2;
  expect_no_ghosts(left, kLeft, right, place);
  place.scale = 1;
  place.stretch = {2, 1, 2};
  expect_no_ghosts(left, kLeft, right, place);
}

/// The right one has two edges where the left one has one.
TEST(ShapeSeams, OtherCuts) {
  HeightField left = field(2), right = field(1);
  expect_no_ghosts(left, kLeft, right, kRight);
  TriangleMesh mesh = grid(8, true, true, flat);
  expect_no_ghosts(left, kLeft, mesh, kRight);
}

/// Bodies meet pair by pair.
TEST(ShapeSeams, BodiesSideBySide) {
  TriangleMesh left = grid(4, false, true, flat), right = grid(4, false, true, flat);
  ASSERT_TRUE(left.adjoin({}, right, at({4, 0, 0})));
  ASSERT_TRUE(right.adjoin(at({4, 0, 0}), left, {}));
  std::vector<Body> all{{left, {}}, {right, at({4, 0, 0})}};
  for (int i = 0; i < 12; ++i) {
    all.push_back({Box{{}, {}, {0.2F, 0.5F, 0.1F}}, at({3.65F + 0.05F * static_cast<float>(i), 0.495F,
                                                        0.25F + 0.3F * static_cast<float>(i)})});
  }
  Bodies bodies;
  ASSERT_TRUE(bodies.rebuild(all));
  std::vector<Bodies::Contact> out(64);
  const auto found = bodies.find_contacts(0.01F, out);
  ASSERT_TRUE(found);
  EXPECT_GT(found->written, 12U);
  for (std::size_t i = 0; i < found->written; ++i) {
    EXPECT_GT(std::fabs(out[i].manifold.normal.y), 0.99999F) << i;
  }
}

/// At a ridge along the seam what touches the edge still does so between the two faces, and in a valley the
/// faces alone count.
TEST(ShapeSeams, RidgesAndValleys) {
  for (const float slope : {-0.5F, 0.5F}) {
    const auto height = [&](float x) { return slope * std::fabs(x - 4); };
    TriangleMesh left = grid(4, false, true, height), right = grid(4, false, true, height, 4);
    ASSERT_EQ(left.adjoin({}, right, {}).value_or(0), 4U);
    ASSERT_EQ(right.adjoin({}, left, {}).value_or(0), 4U);
    const TriangleMesh whole = grid(8, false, true, height);
    const Compound both = Compound::build(std::vector<Compound::Part>{{left, {}}, {right, {}}}).value();
    for (int step = 0; step <= 40; ++step) {
      const float x = 3.5F + static_cast<float>(step) / 40;
      for (const float y : {0.45F, 0.5F, 0.55F}) {
        std::array<Manifold, kMostManifolds> of_whole, of_both;
        const Sphere ball{{}, 0.5F};
        const auto right_answer = contacts(whole, {}, ball, at({x, y, 2.3F}), 0.005F, of_whole);
        const auto answer = contacts(both, {}, ball, at({x, y, 2.3F}), 0.005F, of_both);
        // On the ridge both parts name the same point.
        for (std::size_t i = 0; i < answer.written; ++i) {
          bool known = false;
          for (std::size_t j = 0; j < right_answer.written; ++j) {
            known = known || dot(of_both[i].normal, of_whole[j].normal) > 0.9999F;
          }
          EXPECT_TRUE(known) << slope << " x " << x << " y " << y << " " << of_both[i].normal.x;
        }
        EXPECT_GE(answer.found, right_answer.found) << slope << " x " << x << " y " << y;
      }
    }
  }
}

/// What has fallen into the floor at the seam is still pushed out.
TEST(ShapeSeams, DeepInTheSeam) {
  HeightField left = field(), right = field();
  ASSERT_TRUE(left.adjoin(kLeft, right, kRight));
  ASSERT_TRUE(right.adjoin(kRight, left, kLeft));
  const Compound both = Compound::build(std::vector<Compound::Part>{{left, kLeft}, {right, kRight}}).value();
  test::slide(3.5F, 4.5F, [&](const Shape& solid, const Qvvs& place, float height) {
    Qvvs deep = place;
    deep.position.y += 20 * height - 0.2F;  // 0.1 to 0.4 below the floor
    std::array<Manifold, kMostManifolds> out;
    EXPECT_GE(contacts(both, {}, solid, deep, 0.01F, out).found, 1U) << deep.position.y;
  });
}

/// What touches one surface touches the same surface in two parts.
TEST(ShapeSeams, NoContactIsLost) {
  scenes::Draws draws(5);
  std::vector<float> heights(std::size_t{17} * 9);
  for (const float bumps : {0.0F, 0.3F}) {
    for (float& h : heights) {
      h = draws.uniform(-bumps, bumps);
    }
    std::vector<float> of_left, of_right;
    for (std::size_t j = 0; j < 9; ++j) {
      const auto row = heights.begin() + static_cast<std::ptrdiff_t>(17 * j);
      of_left.insert(of_left.end(), row, row + 9);
      of_right.insert(of_right.end(), row + 8, row + 17);
    }
    const HeightField whole = HeightField::build(17, 9, 1, heights).value();
    HeightField left = HeightField::build(9, 9, 1, of_left).value(),
                right = HeightField::build(9, 9, 1, of_right).value();
    const Qvvs there = at({8, 0, 0});
    ASSERT_EQ(left.adjoin({}, right, there).value_or(0), 8U);
    ASSERT_EQ(right.adjoin(there, left, {}).value_or(0), 8U);
    const Compound both = Compound::build(std::vector<Compound::Part>{{left, {}}, {right, there}}).value();
    const test::Solids solids;
    int held = 0;
    for (int i = 0; i < 20'000; ++i) {
      const Shape& solid = solids.all[draws.below(static_cast<std::uint32_t>(solids.all.size()))].second;
      const Qvvs place = at({draws.uniform(7.2F, 8.8F), draws.uniform(0.2F, 0.8F), draws.uniform(1.5F, 6.5F)},
                            normalized(Quat{draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1),
                                            draws.uniform(-1, 1)}));
      std::array<Manifold, kMostManifolds> out;
      if (contacts(whole, {}, solid, place, 0.004F, out).found != 0) {
        ++held;
        ASSERT_NE(contacts(both, {}, solid, place, 0.004F, out).found, 0U) << i;
      }
    }
    EXPECT_GT(held, 5000);
  }
}

/// A ball over the gap between two borders, and one on the rim whose neighbour has gone.
TEST(ShapeSeams, GapsAndRimsHold) {
  for (const auto& [gap, within] : {std::pair(0.02F, 0.03F), std::pair(3e-4F, 0.0F)}) {
    const auto tile = [] { return HeightField::build(2, 2, 4, std::vector<float>(4, 0.0F)).value(); };
    HeightField left = tile(), right = tile();
    const Qvvs there = at({4 + gap, 0, 0});
    ASSERT_EQ(left.adjoin({}, right, there, within).value_or(0), 1U);
    ASSERT_EQ(right.adjoin(there, left, {}, within).value_or(0), 1U);
    const Compound both = Compound::build(std::vector<Compound::Part>{{left, {}}, {right, there}}).value();
    for (const float depth : {-0.002F, 0.0F, 0.005F, 0.02F, 0.1F}) {
      std::array<Manifold, kMostManifolds> out;
      for (const Shape& scene : {Shape(both), Shape(left)}) {
        const QueryResult found =
            contacts(scene, {}, Sphere{{}, 0.1F}, at({4 + gap / 2, 0.1F - depth, 1.3F}), 0.01F, out);
        ASSERT_NE(found.found, 0U) << gap << " " << depth;
        EXPECT_GT(out[0].normal.y, 0.99999F) << gap << " " << depth;
      }
    }
  }
}

/// Where the other's border covers a part of an edge, the rest is a rim.
TEST(ShapeSeams, FreePartsStayFree) {
  HeightField ledge = HeightField::build(2, 2, 10, std::vector<float>(4, 0.0F)).value();
  const HeightField bridge = HeightField::build(2, 2, 1, std::vector<float>(4, 0.0F)).value();
  ASSERT_EQ(ledge.adjoin({}, bridge, at({10, 0, 4.5F})).value_or(0), 1U);
  const auto leans = [&](float z) {
    std::array<Manifold, kMostManifolds> out;
    const QueryResult found = contacts(ledge, {}, Sphere{{}, 0.5F}, at({10.1F, 0.49F, z}), 0.01F, out);
    EXPECT_EQ(found.found, 1U) << z;
    return out[0].normal.x > 0.1F;
  };
  EXPECT_TRUE(leans(1));
  EXPECT_FALSE(leans(4.9F));
  EXPECT_TRUE(leans(6));
  // The second half from another bridge; the first one stays.
  const HeightField wide = HeightField::build(2, 2, 4, std::vector<float>(4, 0.0F)).value();
  ASSERT_EQ(ledge.adjoin({}, wide, at({10, 0, 5.5F})).value_or(0), 1U);
  EXPECT_FALSE(leans(6));
  EXPECT_FALSE(leans(4.9F));
}

/// A mesh that fills the hole of a field, of six triangles: four of its edges are the mesh's as well.
TEST(ShapeSeams, HolesHaveBorders) {
  std::vector<float> heights(81, 0.0F);
  heights[4 * 9 + 4] = kNaN;
  HeightField around = HeightField::build(9, 9, 1, heights).value();
  TriangleMesh patch = grid(2, false, true, flat, 3);
  const Qvvs there = at({0, 0, 3});
  EXPECT_EQ(around.adjoin({}, patch, there).value_or(0), 4U);
  EXPECT_EQ(patch.adjoin(there, around, {}).value_or(0), 4U);
}

TEST(ShapeSeams, OnlyWhatLiesTogether) {
  TriangleMesh left = grid(4, false, true, flat);
  const TriangleMesh right = grid(4, false, true, flat);
  EXPECT_EQ(left.adjoin({}, right, at({4, 0, 0})).value(), 4U);
  EXPECT_EQ(left.adjoin({}, right, at({4.01F, 0, 0})).value(), 0U);
  EXPECT_EQ(left.adjoin({}, right, at({4.01F, 0, 0}), 0.02F).value(), 4U);
  EXPECT_EQ(left.adjoin({}, right, at({4, 0, 2})).value(), 2U);
  EXPECT_EQ(left.adjoin({}, right, at({4, 0, 0}), 1e6F).value(), 4U);
  EXPECT_EQ(left.adjoin({}, right, at({4, 0, 4}), 0.4F).value(), 0U);  // corner to corner
  EXPECT_EQ(left.adjoin({}, right, at({4, 1.9F, 0}), 2).value(), 0U);
  EXPECT_EQ(left.adjoin({}, right, {}).value(), 0U);  // on top of each other
  EXPECT_EQ(left.adjoin({}, right, at({40, 0, 0})).value(), 0U);
  // A mesh beside itself, far from the origin.
  EXPECT_EQ(left.adjoin(at({1e6F, 0, 0}), left, at({1e6F + 4, 0, 0})).value(), 4U);
}

TEST(ShapeSeams, RefitForgets) {
  TriangleMesh left = grid(4, false, true, flat);
  const TriangleMesh right = grid(4, false, true, flat);
  ASSERT_TRUE(left.adjoin({}, right, at({4, 0, 0})));
  const auto leans = [&] {
    std::array<Manifold, kMostManifolds> out;
    EXPECT_EQ(contacts(left, {}, Sphere{{}, 0.5F}, at({4.1F, 0.49F, 2.3F}), 0.01F, out).found, 1U);
    return out[0].normal.x > 0.1F;
  };
  EXPECT_FALSE(leans());
  std::vector<Vec3> vertices;  // where they are already
  for (int j = 0; j <= 4; ++j) {
    for (int i = 0; i <= 4; ++i) {
      vertices.push_back({static_cast<float>(i), 0, static_cast<float>(j)});
    }
  }
  ASSERT_TRUE(left.refit(vertices));
  EXPECT_TRUE(leans());
}

TEST(ShapeSeams, SaysWhatIsWrong) {
  TriangleMesh mesh = grid(2, false, true, flat);
  const TriangleMesh other = grid(2, false, true, flat);
  Qvvs bad;
  bad.scale = -1;
  for (const float within : {-1.0F, kNaN, std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(test::code_of(mesh.adjoin({}, other, {}, within)), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(test::code_of(mesh.adjoin({}, Box{{}, {}, {1, 1, 1}}, {})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(mesh.adjoin(bad, other, {})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(mesh.adjoin({}, other, bad)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(mesh.adjoin({}, other, at({kNaN, 0, 0}))), ErrorCode::kNotFinite);
}

}  // namespace
}  // namespace juxta
