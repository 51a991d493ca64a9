// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/agents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenes/flocks.h"
#include "support/fnv.h"

namespace juxta::scenes {
namespace {

template <class Scene>
std::uint64_t hash(const Scene& scene) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const auto* columns : {&scene.position, &scene.velocity}) {
    for (const std::vector<float>& column : *columns) {
      h = test::fnv(std::span<const float>(column), h);
    }
  }
  return h;
}

template <class Scene>
float speed(const Scene& scene, std::size_t i) {
  float squared = 0;
  for (std::uint32_t axis = 0; axis < scene.dimensions; ++axis) {
    squared += scene.velocity[axis][i] * scene.velocity[axis][i];
  }
  return std::sqrt(squared);
}

// Of those `away` from every wall.
template <class Scene>
double neighbours(const Scene& scene, float radius, float lo, float hi, float away) {
  double found = 0, seers = 0;
  for (std::size_t i = 0; i < scene.size(); ++i) {
    bool inside = true;
    for (std::uint32_t axis = 0; axis < scene.dimensions; ++axis) {
      inside &= scene.position[axis][i] >= lo + away && scene.position[axis][i] <= hi - away;
    }
    seers += inside ? 1 : 0;
    for (std::size_t j = 0; inside && j < scene.size(); ++j) {
      float squared = 0;
      for (std::uint32_t axis = 0; axis < scene.dimensions; ++axis) {
        const float d = scene.position[axis][j] - scene.position[axis][i];
        squared += d * d;
      }
      found += j != i && squared <= radius * radius ? 1 : 0;
    }
  }
  return found / seers;
}

TEST(Flocks, AreTheSameEverywhere) {
  EXPECT_EQ(hash(make_flock(5000, flock_half_size(5000), 3)), 10792841810651079187U);
  EXPECT_EQ(hash(make_flock(5000, flock_half_size(5000, 3), 3, 3)), 3607105425353254054U);
}

TEST(Flocks, BeginAsPublished) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    const FlockScene scene = make_flock(20'000, 10.5F, 1, dimensions);
    ASSERT_EQ(scene.size(), 20'000U);
    EXPECT_EQ(scene.position[2].size(), dimensions == 3 ? 20'000U : 0U);
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      const auto [low, high] = std::minmax_element(scene.position[axis].begin(), scene.position[axis].end());
      EXPECT_GE(*low, -9.45F);
      EXPECT_LE(*high, 9.45F);
      EXPECT_LT(*low, -9.4F);
      EXPECT_GT(*high, 9.4F);
    }
    for (std::size_t i = 0; i < scene.size(); ++i) {
      ASSERT_GE(speed(scene, i), 0.5F * 1.088F * 0.99999F);
      ASSERT_LE(speed(scene, i), 0.5F * 1.55F * 1.00001F);
    }
  }
}

TEST(Flocks, GoByNumber) {
  const FlockScene few = make_flock(100, 10.5F, 1), many = make_flock(1000, 10.5F, 1);
  for (std::uint32_t axis = 0; axis < 2; ++axis) {
    EXPECT_TRUE(
        std::equal(few.position[axis].begin(), few.position[axis].end(), many.position[axis].begin()));
    EXPECT_TRUE(
        std::equal(few.velocity[axis].begin(), few.velocity[axis].end(), many.velocity[axis].begin()));
  }
  EXPECT_NE(hash(few), hash(make_flock(100, 10.5F, 2)));
}

TEST(Flocks, SeeAsManyAtAnySize) {
  const float radius = std::sqrt(0.138F);
  for (const std::size_t count : {2000U, 6000U}) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      const float half = flock_half_size(count, dimensions), edge = 0.9F * half;
      EXPECT_NEAR(neighbours(make_flock(count, half, 1, dimensions), radius, -edge, edge, radius), 24, 2)
          << count << " in " << dimensions << "D";
    }
  }
}

TEST(Agents, AreTheSameEverywhere) {
  EXPECT_EQ(hash(make_visits(5000, 2, 3)), 7203846543862221040U);
  EXPECT_EQ(hash(make_visits(5000, 3, 3)), 958246880821281520U);
  EXPECT_EQ(hash(make_tay_boxes(5000, 10, 3)), 14991904389216010285U);
  EXPECT_EQ(hash(make_clumped(5000, 10, 3)), 9462874088318558556U);
}

TEST(Agents, StandInTheirWorldsAndMove) {
  for (const AgentScene& scene : {make_visits(3000, 2, 1), make_visits(3000, 3, 1),
                                  make_tay_points(3000, 50, 1), make_clumped(3000, 10, 1)}) {
    for (std::size_t i = 0; i < scene.size(); ++i) {
      ASSERT_NEAR(speed(scene, i), scene.hi == 1000 ? 1 : 0.05, scene.hi == 1000 ? 0.03 : 1e-5);
      for (std::uint32_t axis = 0; axis < scene.dimensions; ++axis) {
        ASSERT_GE(scene.position[axis][i], scene.lo);
        ASSERT_LE(scene.position[axis][i], scene.hi);
      }
    }
  }
}

TEST(Agents, OfTayStandOnAGridInside) {
  for (const AgentScene& scene :
       {make_tay_points(3000, 50, 1), make_tay_boxes(3000, 50, 1), make_clumped(3000, 10, 1)}) {
    for (const auto* columns : {&scene.position, &scene.velocity}) {
      for (const std::vector<float>& column : *columns) {
        for (const float value : column) {
          ASSERT_EQ(value * 64, std::floor(value * 64));
        }
      }
    }
    for (const std::vector<float>& column : scene.position) {
      const auto [low, high] = std::minmax_element(column.begin(), column.end());
      EXPECT_GE(*low, scene.half_edge);
      EXPECT_LE(*high, 1000 - scene.half_edge);
    }
  }
}

TEST(Agents, OfVisitsHaveThirtyNeighbours) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    const AgentScene scene = make_visits(6000, dimensions, 1);
    EXPECT_EQ(scene.radius, 1);
    EXPECT_NEAR(neighbours(scene, 1, scene.lo, scene.hi, 1), kVisitNeighbours, 1.5) << dimensions << "D";
  }
}

TEST(Agents, AreClumped) {
  const AgentScene scene = make_clumped(20'000, 10, 1);
  std::size_t inside = 0;
  for (std::size_t i = 0; i < scene.size(); ++i) {
    bool in = true;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      in &= scene.position[axis][i] >= 300 && scene.position[axis][i] <= 346.42F;
    }
    inside += in ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(inside), 4000 + 1.6, 8);  // and who stands there by chance
}

TEST(Agents, AreReflected) {
  const auto moved = [](float p, float v) {
    move_reflected(p, v, 0, 10);
    return std::pair(p, v);
  };
  EXPECT_EQ(moved(5, 1), std::pair(6.0F, 1.0F));
  EXPECT_EQ(moved(9, 1), std::pair(10.0F, 1.0F));
  EXPECT_EQ(moved(9.5F, 1), std::pair(10.0F, -1.0F));
  EXPECT_EQ(moved(0.25F, -1), std::pair(0.0F, 1.0F));
}

}  // namespace
}  // namespace juxta::scenes
