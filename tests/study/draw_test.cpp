// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pictures of fields and agents, pixel by pixel.
#include "juxta/study/draw.h"

#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace juxta {
namespace {

constexpr Rgb kWhite{255, 255, 255};
constexpr std::uint32_t kPixels = 10;  // along a unit of the world

Rgb grey(double value) {
  return {static_cast<std::uint8_t>(100 + 10 * value), 0, 0};
}

/// What the pixel shows that holds (x, y) of a world from (1, 2) to (5, 5).
Rgb at(const Raster& image, double x, double y) {
  const auto column = static_cast<std::size_t>((x - 1) * kPixels);
  const auto row = image.height() - 1 - static_cast<std::size_t>((y - 2) * kPixels);
  return image.pixels()[row * image.width() + column];
}

World small_world(std::uint32_t dimensions) {
  World world;
  world.dimensions = dimensions;
  world.lo = {1, 2, 0};
  world.hi = {5, 5, 2};
  world.edges = {Edge::kWall, Edge::kWall, Edge::kWall};
  return world;
}

Raster picture_of(const World& world) {
  Raster image(4 * kPixels, 3 * kPixels);
  show_world(image, world);
  return image;
}

TEST(Draw, EachCellOfAFieldHasItsColour) {
  const World world = small_world(2);
  Field field = *Field::build({.world = world, .cells = {4, 3, 1}, .components = 2});
  for (std::uint32_t cell = 0; cell < 12; ++cell) {
    field.values(1)[cell] = 4 * static_cast<float>(cell);
  }
  field.values(1)[5] = std::numeric_limits<float>::quiet_NaN();
  Raster image = picture_of(world);
  draw_field(image, field, {.lo = 0, .hi = 4, .component = 1, .colour = grey});
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < 4; ++x) {
      const int cell = y * 4 + x;
      const Rgb expected = cell == 5 ? kWhite : grey(cell);
      for (const double inside : {0.05, 0.95}) {
        EXPECT_EQ(at(image, 1 + x + inside, 2 + y + inside), expected) << "cell " << cell;
      }
    }
  }
}

TEST(Draw, OfAFieldInSpaceOnePlane) {
  const World world = small_world(3);
  Field field = *Field::build({.world = world, .cells = {2, 1, 2}});
  for (std::uint32_t cell = 0; cell < 4; ++cell) {
    field.values()[cell] = static_cast<float>(cell);
  }
  Raster image = picture_of(world);
  draw_field(image, field, {.plane = 1, .colour = grey});
  EXPECT_EQ(at(image, 1.1, 3), grey(2));
  EXPECT_EQ(at(image, 4.9, 3), grey(3));
}

TEST(Draw, AComponentThatIsNotThereDrawsNothing) {
  const World world = small_world(2);
  const Field field = *Field::build({.world = world, .cells = {4, 3, 1}});
  Raster image = picture_of(world);
  draw_field(image, field, {.component = 1, .colour = grey});
  EXPECT_EQ(at(image, 3, 3), kWhite);
}

TEST(Draw, AgentsAsSquaresAndDiscsTheLastOnTop) {
  Simulation simulation = *Simulation::build(small_world(2), 1);
  Population& agents = **simulation.add_population("agents");
  ASSERT_TRUE(agents.insert(2));
  agents.write(agents.position(0))[0] = 2;
  agents.write(agents.position(1))[0] = 3;
  agents.write(agents.position(0))[1] = 2.5F;
  agents.write(agents.position(1))[1] = 3;
  const auto colour = [](std::size_t row) { return grey(static_cast<double>(row)); };

  Raster squares = picture_of(simulation.world());
  draw_squares(squares, agents, colour, 0.2);
  EXPECT_EQ(at(squares, 2.25, 3.25), grey(0));
  EXPECT_EQ(at(squares, 2.75, 3.75), grey(1));  // both cover it
  EXPECT_EQ(at(squares, 2.1, 3.5), kWhite);     // left free by the inset
  EXPECT_EQ(at(squares, 3.35, 3.5), kWhite);
  draw_squares(squares, agents, Rgb{1, 2, 3});
  EXPECT_EQ(at(squares, 2.1, 3.1), (Rgb{1, 2, 3}));

  Raster discs = picture_of(simulation.world());
  draw_agents(discs, agents, 0.45, [](std::uint32_t row) { return grey(row); });
  EXPECT_EQ(at(discs, 2, 3), grey(0));
  EXPECT_EQ(at(discs, 2.3, 3), grey(1));
  EXPECT_EQ(at(discs, 2, 3.6), kWhite);
}

}  // namespace
}  // namespace juxta
