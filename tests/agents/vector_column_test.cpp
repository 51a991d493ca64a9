// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/agents/vector_column.h"

#include <gtest/gtest.h>

#include <cstddef>

#include "juxta/agents/simulation.h"
#include "support/code_of.h"

namespace juxta {
namespace {

World open_world(std::uint32_t dimensions) {
  World world;
  world.dimensions = dimensions;
  return world;
}

Simulation simulation_of(std::uint32_t dimensions) {
  return Simulation::build(open_world(dimensions), 1).value();
}

TEST(VectorColumn, WhatIsSetIsReadAndStandsInTheColumns) {
  Simulation simulation = simulation_of(3);
  Population& ships = *simulation.add_population("ships").value();
  const VectorColumn<3> velocity = add_vector_column(ships, {"vx", "vy", "vz"}).value();
  ASSERT_TRUE(ships.insert(3));
  const auto v = write(ships, velocity);
  ASSERT_EQ(v.size(), 3);
  EXPECT_EQ(v[2], Vec3());
  v.set(1, {1, 2, 3});
  v.set(2, {4, 5, 6});
  EXPECT_EQ(read(ships, velocity)[1], (Vec3{1, 2, 3}));
  EXPECT_EQ(read(ships, velocity)[2], (Vec3{4, 5, 6}));
  EXPECT_EQ(ships.read(ships.find_column<float>("vy").value())[1], 2);
  EXPECT_EQ(read(ships, velocity).axis(2)[2], 6);
  EXPECT_EQ(read(ships, velocity).axis(2).size(), 3);
}

TEST(VectorColumn, TwoDimensions) {
  Simulation simulation = simulation_of(2);
  Population& birds = *simulation.add_population("birds").value();
  const VectorColumn<2> velocity = add_vector_column(birds, {"vx", "vy"}).value();
  ASSERT_TRUE(birds.insert(2));
  write(birds, velocity).set(1, {7, 8});
  EXPECT_EQ(read(birds, velocity)[0], Vec2());
  EXPECT_EQ(read(birds, velocity)[1], (Vec2{7, 8}));
}

TEST(VectorColumn, PositionsMakeTheOrderStale) {
  Simulation simulation = simulation_of(3);
  Population& ships = *simulation.add_population("ships").value();
  ASSERT_TRUE(ships.insert(2));
  ASSERT_TRUE(ships.sort({.radius = 1}));
  EXPECT_EQ(read(ships, position_column<3>(ships)).size(), 2);
  EXPECT_TRUE(ships.sorted());
  write(ships, position_column<3>(ships)).set(0, {1, 2, 3});
  EXPECT_FALSE(ships.sorted());
  EXPECT_EQ(ships.read(ships.position(2))[0], 3);
  EXPECT_EQ(read(ships, position_column<2>(ships))[0], (Vec2{1, 2}));
}

// The third column of a world in 2D is the user's first: it is no position.
TEST(VectorColumn, NoThirdCoordinateIn2D) {
  Simulation simulation = simulation_of(2);
  Population& birds = *simulation.add_population("birds").value();
  ASSERT_TRUE(birds.add_column<float>("mass"));
  ASSERT_TRUE(birds.insert(2));
  EXPECT_EQ(read(birds, position_column<3>(birds)).size(), 0);
  EXPECT_EQ(write(birds, position_column<3>(birds)).size(), 0);
  EXPECT_EQ(read(birds, position_column<2>(birds)).size(), 2);
}

TEST(VectorColumn, ColumnsThatAreNotThere) {
  Simulation simulation = simulation_of(3);
  Population& ships = *simulation.add_population("ships").value();
  ASSERT_TRUE(ships.add_column<float>("vy"));
  ASSERT_TRUE(ships.add_column<double>("vz"));
  ASSERT_TRUE(ships.insert(2));
  EXPECT_EQ(read(ships, VectorColumn<3>()).size(), 0);
  const std::size_t columns = ships.column_count();
  const auto added = add_vector_column(ships, {"vx", "vy", "wz"});
  ASSERT_FALSE(added);
  EXPECT_EQ(test::code_of(added), ErrorCode::kInvalidArgument);
  EXPECT_EQ(ships.column_count(), columns);
  const auto missing = find_vector_column(ships, {"vx", "vy"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(test::code_of(missing), ErrorCode::kNotFound);
  const auto of_another_type = find_vector_column(ships, {"vy", "vz"});
  ASSERT_FALSE(of_another_type);
  EXPECT_EQ(test::code_of(of_another_type), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
