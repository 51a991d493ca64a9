// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns, Ids and what is refused.
#include "juxta/agents/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "agents/store.h"
#include "juxta/agents/simulation.h"
#include "support/code_of.h"
#include "support/counting_resource.h"

namespace juxta {
namespace {

struct Mood {
  double anger = 0.25;
  std::uint8_t level = 3;
  friend bool operator==(const Mood&, const Mood&) = default;
};

class AgentsPopulation : public ::testing::Test {
 protected:
  AgentsPopulation() : sim(Simulation::build({}).value()), sheep(*sim.add_population("sheep").value()) {}
  Simulation sim;
  Population& sheep;
};

TEST_F(AgentsPopulation, BeginsWithPositions) {
  EXPECT_EQ(sheep.name(), "sheep");
  EXPECT_EQ(sheep.size(), 0u);
  ASSERT_EQ(sheep.column_count(), 3u);
  EXPECT_EQ(sheep.column_name(2), "z");
  EXPECT_EQ(sheep.kind_of(2), ColumnKind::kFloat);
  EXPECT_EQ(sheep.find_column<float>("y").value().index, sheep.position(1).index);
  Simulation flat = Simulation::build({.dimensions = 2}).value();
  Population& other = *flat.add_population("sheep").value();
  EXPECT_EQ(other.column_count(), 2u);
  EXPECT_TRUE(other.add_column<float>("z"));  // free in 2D
}

TEST_F(AgentsPopulation, EveryTypeKeepsItsValuesWhenItGrows) {
  const auto age = sheep.add_column<std::int32_t>("age", -7).value();
  const auto mood = sheep.add_column<Mood>("mood", {.anger = 2}).value();
  const auto flag = sheep.add_column<std::uint8_t>("flag").value();
  std::size_t rows = 0;
  for (const std::size_t more : {1u, 0u, 16u, 1u, 5000u, 3u}) {
    ASSERT_EQ(sheep.insert(more).value(), rows);
    for (std::size_t row = rows; row < rows + more; ++row) {
      ASSERT_EQ(sheep.read(age)[row], -7);
      ASSERT_EQ(sheep.read(mood)[row], Mood{.anger = 2});
      ASSERT_EQ(sheep.read(flag)[row], 0);
      ASSERT_EQ(sheep.read(sheep.position(2))[row], 0.0F);
      sheep.write(age)[row] = static_cast<std::int32_t>(row);
      sheep.write(mood)[row].level = static_cast<std::uint8_t>(row);
      sheep.write(flag)[row] = static_cast<std::uint8_t>(row * 3);
    }
    rows += more;
    ASSERT_EQ(sheep.size(), rows);
    ASSERT_EQ(sheep.read(age).size(), rows);
    for (std::size_t row = 0; row < rows; ++row) {
      ASSERT_EQ(sheep.read(age)[row], static_cast<std::int32_t>(row));
      ASSERT_EQ(sheep.read(mood)[row], (Mood{2, static_cast<std::uint8_t>(row)}));
      ASSERT_EQ(sheep.read(flag)[row], static_cast<std::uint8_t>(row * 3));
    }
  }
  // A late column is there for all.
  const auto late = sheep.add_column<double>("late", 1.5).value();
  EXPECT_EQ(std::count(sheep.read(late).begin(), sheep.read(late).end(), 1.5),
            static_cast<std::ptrdiff_t>(rows));
}

TEST_F(AgentsPopulation, ColumnsAreAlignedAndPadded) {
  const auto mood = sheep.add_column<Mood>("mood").value();
  for (const std::size_t more : {0u, 1u, 100u, 70'000u}) {
    ASSERT_TRUE(sheep.insert(more));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(sheep.read(mood).data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(sheep.read(sheep.position(0)).data()) % 64, 0u);
    const auto& columns = agents_detail::PopulationStore::of(sheep).columns;
    EXPECT_GE(columns[0].data.size(), (sheep.size() + kArrayPadding) * sizeof(float));
    EXPECT_GE(columns[3].data.size(), (sheep.size() + kArrayPadding) * sizeof(Mood));
  }
}

TEST_F(AgentsPopulation, ForeignHandlesGiveNothing) {
  ASSERT_TRUE(sheep.insert(10));
  EXPECT_TRUE(sheep.read(Column<float>{}).empty());
  EXPECT_TRUE(sheep.read(Column<float>{3}).empty());
  EXPECT_TRUE(sheep.write(Column<double>{0}).empty());
  EXPECT_EQ(sheep.write(Column<float>{0}).size(), 10u);
}

TEST_F(AgentsPopulation, NamesAreTakenOnce) {
  ASSERT_TRUE(sheep.add_column<float>("vx"));
  for (const char* name : {"", "x", "z", "vx"}) {
    const auto refused = sheep.add_column<std::uint8_t>(name);
    ASSERT_FALSE(refused) << name;
    EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
  }
  EXPECT_FALSE(sheep.add_columns({"vy", "vz", "vy"}));
  EXPECT_FALSE(sheep.add_columns({"vy", "vx"}));
  EXPECT_FALSE(sheep.add_columns({"vy", ""}));
  EXPECT_EQ(sheep.column_count(), 4u);  // all or none
  ASSERT_TRUE(sheep.add_columns({"vy", "vz"}));
  EXPECT_EQ(sheep.column_count(), 6u);
  EXPECT_EQ(sheep.kind_of(5), ColumnKind::kFloat);
}

TEST_F(AgentsPopulation, ResultsStayWhereTheyAreWhenAllElseIsSorted) {
  ASSERT_TRUE(sheep.add_columns({"own"}));
  ASSERT_TRUE(sheep.add_results({"found"}));
  EXPECT_EQ(sheep.kind_of(4), ColumnKind::kResult);
  const auto own = sheep.find_column<float>("own").value(), found = sheep.find_column<float>("found").value();
  EXPECT_FALSE(sheep.find_column<double>("found"));
  ASSERT_TRUE(sheep.insert(100));
  for (std::uint32_t i = 0; i < 100; ++i) {
    sheep.write(sheep.position(0))[i] = static_cast<float>(100 - i);
    sheep.write(own)[i] = sheep.write(found)[i] = static_cast<float>(i);
  }
  ASSERT_TRUE(sheep.sort({.radius = 1}));
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(sheep.read(own)[i], static_cast<float>(99 - i));
    EXPECT_EQ(sheep.read(found)[i], static_cast<float>(i));
  }
}

TEST_F(AgentsPopulation, FindingAsksForTheRightType) {
  const auto age = sheep.add_column<std::int32_t>("age").value();
  const auto mother = sheep.add_references("mother", sheep).value();
  EXPECT_EQ(sheep.find_column<std::int32_t>("age").value().index, age.index);
  EXPECT_EQ(sheep.find_column<Id>("mother").value().index, mother.index);
  EXPECT_EQ(sheep.kind_of(mother.index), ColumnKind::kReference);
  EXPECT_EQ(test::code_of(sheep.find_column<std::uint32_t>("age")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(sheep.find_column<float>("age")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(sheep.find_column<Mood>("mother")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(sheep.find_column<float>("wool")), ErrorCode::kNotFound);
  EXPECT_NE(sheep.find_column<float>("wool").error().message.find("wool"), std::string::npos);
}

TEST_F(AgentsPopulation, ExtentsAreColumns) {
  EXPECT_FALSE(sheep.has_extents());
  ASSERT_TRUE(sheep.insert(3));
  ASSERT_TRUE(sheep.add_extents());
  EXPECT_TRUE(sheep.has_extents());
  EXPECT_EQ(sheep.read(sheep.find_column<float>("ez").value()).size(), 3u);
  EXPECT_FALSE(sheep.add_extents());
  Population& wolves = *sim.add_population("wolves").value();
  ASSERT_TRUE(wolves.add_column<float>("ey"));
  EXPECT_EQ(test::code_of(wolves.add_extents()), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(wolves.has_extents());
  EXPECT_EQ(wolves.column_count(), 4u);
}

TEST_F(AgentsPopulation, WritingPlacesMakesTheOrderStale) {
  auto& store = agents_detail::PopulationStore::of(sheep);
  const auto touched = [&](auto&& act) {
    store.sorted_at = store.changed;
    act();
    return store.sorted_at != store.changed;
  };
  const auto speed = sheep.add_column<float>("speed").value();
  EXPECT_TRUE(touched([&] { ASSERT_TRUE(sheep.insert(2)); }));
  EXPECT_FALSE(touched([&] { ASSERT_TRUE(sheep.insert(0)); }));
  EXPECT_FALSE(touched([&] { (void)sheep.write(speed); }));
  EXPECT_FALSE(touched([&] { (void)sheep.read(sheep.position(0)); }));
  EXPECT_TRUE(touched([&] { (void)sheep.write(sheep.position(0)); }));
  EXPECT_TRUE(touched([&] { (void)sheep.write(sheep.position(2)); }));
  EXPECT_TRUE(touched([&] { ASSERT_TRUE(sheep.add_extents()); }));
  EXPECT_TRUE(touched([&] { (void)sheep.write(sheep.find_column<float>("ex").value()); }));
  EXPECT_TRUE(touched([&] { (void)sheep.write(sheep.find_column<float>("ez").value()); }));
  EXPECT_FALSE(touched([&] { (void)sheep.add_column<float>("more").value(); }));
  EXPECT_FALSE(touched([&] { ASSERT_TRUE(sim.end_step()); }));
  sheep.changes().kill(0);
  EXPECT_TRUE(touched([&] { ASSERT_TRUE(sim.end_step()); }));
  sheep.changes().spawn();
  EXPECT_TRUE(touched([&] { ASSERT_TRUE(sim.end_step()); }));
}

TEST_F(AgentsPopulation, IdsLeadToRows) {
  ASSERT_TRUE(sheep.insert(50));
  std::vector<Id> ids;
  for (std::uint32_t row = 0; row < 50; ++row) {
    ids.push_back(sheep.id_of(row));
    EXPECT_EQ(sheep.row_of(ids.back()).value(), row);
  }
  sheep.changes().kill(0);
  ASSERT_TRUE(sim.end_step());
  EXPECT_FALSE(sheep.alive(ids[0]));
  EXPECT_EQ(test::code_of(sheep.row_of(ids[0])), ErrorCode::kNotFound);
  EXPECT_EQ(sheep.row_of(ids[9]).value(), 8u);
  const std::array<Id, 4> asked = {ids[49], Id{}, ids[0], ids[1]};
  std::array<std::uint32_t, 4> rows{};
  sheep.rows_of(asked, rows);
  EXPECT_EQ(rows, (std::array<std::uint32_t, 4>{48, Population::kNoRow, Population::kNoRow, 0}));
}

TEST_F(AgentsPopulation, TooManyAreRefused) {
  ASSERT_TRUE(sheep.insert(5));
  EXPECT_EQ(test::code_of(sheep.insert(0xFFFF'FFFE)), ErrorCode::kTooLarge);
  EXPECT_EQ(test::code_of(sheep.insert(~std::size_t{0})), ErrorCode::kTooLarge);
  EXPECT_EQ(sheep.size(), 5u);
}

TEST(AgentsPopulationMemory, ColumnsTakeTheGivenMemoryAndSayHowMuch) {
  test::CountingResource resource;
  {
    Simulation sim = Simulation::build({}, 0, &resource).value();
    Population& sheep = *sim.add_population("sheep").value();
    ASSERT_TRUE(sheep.add_columns({"vx", "vy", "vz"}));
    ASSERT_TRUE(sheep.insert(100'000));
    EXPECT_GE(resource.held(), 100'000u * 6 * 4);
    EXPECT_LE(sheep.memory_bytes(), resource.held());
    EXPECT_GE(sheep.memory_bytes() * 10, resource.held() * 8);
  }
  EXPECT_EQ(resource.held(), 0u);
}

}  // namespace
}  // namespace juxta
