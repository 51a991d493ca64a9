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

}  // namespace
}  // namespace juxta::sector
