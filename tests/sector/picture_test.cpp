// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A picture shows what the world holds, where it is.
#include "sector/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sector/tick.h"

namespace juxta::sector {
namespace {

constexpr Rgb kBeyond{0, 0, 0};

std::unique_ptr<World> world_after(std::uint32_t ticks) {
  auto world = begin_world(preset("skirmish").value());
  EXPECT_TRUE(world.has_value());
  for (std::uint32_t i = 0; i < ticks; ++i) {
    EXPECT_TRUE(tick(**world).has_value());
  }
  return std::move(*world);
}

Raster drawn(const World& world, std::uint32_t width, std::uint32_t height) {
  Raster image(width, height);
  draw(world, image);
  return image;
}

/// The pixel of an agent on a picture as wide as the world and as high, `scale` pixels a metre.
Rgb pixel_at(const World& world, const Raster& image, const Population& all, std::size_t row, double scale) {
  const double x = (double{all.read(all.position(0))[row]} + world.scenario.width / 2.0) * scale;
  const double y = (world.scenario.depth / 2.0 - double{all.read(all.position(1))[row]}) * scale;
  const auto i = std::min(static_cast<std::size_t>(x), std::size_t{image.width()} - 1);
  const auto j = std::min(static_cast<std::size_t>(y), std::size_t{image.height()} - 1);
  return image.pixels()[j * image.width() + i];
}

TEST(Picture, ShowsEveryShipInTheColoursOfItsFaction) {
  const auto world = world_after(3);
  constexpr double kScale = 4;
  const Raster image = drawn(*world, static_cast<std::uint32_t>(world->scenario.width * kScale),
                             static_cast<std::uint32_t>(world->scenario.depth * kScale));
  const Population& ships = *world->ships.all;
  const auto faction = ships.read(world->ships.faction);
  std::size_t right = 0;
  for (std::size_t row = 0; row < ships.size(); ++row) {
    const Rgb pixel = pixel_at(*world, image, ships, row, kScale);
    right += faction[row] == 0 ? pixel.b > pixel.r : pixel.r > pixel.b;
  }
  EXPECT_GT(ships.size(), 400u);
  EXPECT_GT(static_cast<double>(right), 0.9 * static_cast<double>(ships.size()));  // some are below others
}

TEST(Picture, ShowsTheMiddleOfEveryAsteroidThatNobodyCovers) {
  auto world = world_after(0);
  const auto dim = [](Rgb p) { return p.r > 40 && p.r >= p.g && p.g >= p.b; };  // a warm grey
  constexpr double kScale = 2;
  const Raster image = drawn(*world, static_cast<std::uint32_t>(world->scenario.width * kScale),
                             static_cast<std::uint32_t>(world->scenario.depth * kScale));
  std::size_t shown = 0;
  for (std::uint32_t i = 0; i < world->asteroids.size(); ++i) {
    const Vec3 at = world->asteroids.body(i).at.position;
    const double x = (double{at.x} + world->scenario.width / 2.0) * kScale;
    const double y = (world->scenario.depth / 2.0 - double{at.y}) * kScale;
    shown += dim(image.pixels()[static_cast<std::size_t>(y) * image.width() + static_cast<std::size_t>(x)]);
  }
  EXPECT_GT(2 * shown, world->asteroids.size());
}

TEST(Picture, IsTheSameTwiceAndChangesWithTheBattle) {
  const auto world = world_after(20);
  const Raster once = drawn(*world, 300, 300), again = drawn(*world, 300, 300);
  EXPECT_TRUE(std::ranges::equal(once.pixels(), again.pixels()));
  ASSERT_TRUE(tick(*world).has_value());
  EXPECT_FALSE(std::ranges::equal(once.pixels(), drawn(*world, 300, 300).pixels()));
}

TEST(Picture, FitsAnImageOfAnySize) {
  const auto world = world_after(1);
  static_cast<void>(drawn(*world, 1, 1));
  const Raster wide = drawn(*world, 400, 100);  // the world is square: black beside it
  EXPECT_EQ(world->scenario.width, world->scenario.depth);
  for (std::size_t j = 0; j < 100; ++j) {
    EXPECT_EQ(wide.pixels()[j * 400], kBeyond);
    EXPECT_EQ(wide.pixels()[j * 400 + 399], kBeyond);
    EXPECT_NE(wide.pixels()[j * 400 + 200], kBeyond);
  }
}

/// How many pixels of two pictures of one size differ.
std::size_t differing(const Raster& a, const Raster& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.pixels().size(); ++i) {
    count += a.pixels()[i] == b.pixels()[i] ? 0 : 1;
  }
  return count;
}

TEST(Picture, ShowsGunsWhereTheyAimOnceTheyAreThreePixelsLong) {
  Scenario scenario = preset("skirmish").value();
  scenario.ships = 40;
  scenario.spawn_points = scenario.asteroids = 0;
  auto world = std::move(*begin_world(scenario));
  const float length = scenario.kinds[kCruiser].length;
  const auto at_scale = [&](double pixels_of_a_gun) {
    const double scale = pixels_of_a_gun / double{kBarrel * length};
    return drawn(*world, static_cast<std::uint32_t>(scenario.width * scale),
                 static_cast<std::uint32_t>(scenario.depth * scale));
  };
  const Raster small = at_scale(2.5), large = at_scale(6);
  std::size_t turned = 0;  // the other way; nothing else of the picture depends on turrets
  const auto kind = world->ships.all->read(world->ships.kind);
  const auto nodes = world->ships.all->read(world->ships.nodes);
  for (std::size_t row = 0; row < kind.size(); ++row) {
    for (std::size_t i = 0; i < kTurrets[kind[row]]; ++i) {
      LocalTransform local = *world->hierarchy.local(nodes[row].turret[i]);
      local.rotation = {0, 0, 1, 0};
      ASSERT_TRUE(world->hierarchy.set_local(nodes[row].turret[i], local));
      turned += kind[row] == kCruiser ? 1 : 0;
    }
  }
  ASSERT_TRUE(world->hierarchy.propagate({}));
  EXPECT_EQ(differing(small, at_scale(2.5)), 0u);
  EXPECT_GT(differing(large, at_scale(6)), 2 * turned);
}

TEST(Picture, ExplosionsFade) {
  auto world = world_after(0);
  ASSERT_TRUE(world->explosions.all->insert(1));
  const auto age = world->explosions.all->write(world->explosions.age);
  world->explosions.all->write(world->explosions.radius)[0] = 40;
  std::vector<int> change;  // of a picture's brightness, the explosion getting older
  for (const float part : {0.0F, 0.5F, 0.9F, 0.999F}) {
    age[0] = part * world->scenario.explosion_time;
    const Raster with = drawn(*world, 260, 260);
    age[0] = 2 * world->scenario.explosion_time;
    const Raster without = drawn(*world, 260, 260);
    int sum = 0;
    for (std::size_t i = 0; i < with.pixels().size(); ++i) {
      sum += std::abs(with.pixels()[i].r - without.pixels()[i].r);
    }
    change.push_back(sum);
  }
  EXPECT_GT(change[0], 10'000);
  EXPECT_GT(change[1], change[2]);
  EXPECT_GT(change[2], change[3]);
  EXPECT_LT(change[3], change[1] / 20);
}

TEST(Picture, ShowsAPartOfTheWorld) {
  const auto world = world_after(2);
  const double half = world->scenario.width / 2.0;
  Raster whole(260, 260), same(260, 260), corner(260, 260);
  draw(*world, whole);
  draw(*world, same, {-half, -half, half, half});
  draw(*world, corner, {half, half, half + 10, half + 10});
  EXPECT_EQ(differing(whole, same), 0u);
  EXPECT_EQ(corner.pixels()[100], kBeyond);
}

}  // namespace
}  // namespace juxta::sector
