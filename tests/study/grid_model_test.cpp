// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A model on a grid: its members say what it consists of, in a new simulation and in one that was there.
#include "juxta/study/grid_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "juxta/study/columns.h"
#include "juxta/study/draw.h"
#include "support/code_of.h"

namespace juxta {
namespace {

enum Purpose : std::uint32_t { kPlace, kWalk };

/// Walkers trample the cells where they are. A strip with two ends that meet.
struct Meadow final : GridModel {
  using GridModel::GridModel;
  static CellGrid grid_of(const Parameters& p) {
    return {.cells = {static_cast<std::uint32_t>(p.count("length")), 3, 1}, .edges = {Edge::kPeriodic}};
  }
  Result<void> start() {
    if (count("walkers") == 13) {
      return fail(ErrorCode::kTooLarge, "an unlucky number");
    }
    fill_column(*grass, height, [&](std::uint32_t cell) { return number("grass") + cell; });
    return insert_at_random(*walkers, count("walkers"), grid(), key(kPlace));
  }
  Result<void> prepare() {
    ++prepared;
    return who.rebuild(read_xy(*walkers).x, read_xy(*walkers).y);
  }
  Result<void> step(const Context&) override {
    const auto heights = grass->write(height);
    for (std::uint32_t row = 0; row < walkers->size(); ++row) {
      heights[who.cell_of(row)] -= 1;
    }
    return end_step();
  }
  void declare(Collector& collector) const override {
    collector.add("low", [this] { return count_if(*grass, height, [](float at) { return at < 10; }); });
  }
  void draw(Raster& image) const override { show_world(image, simulation().world()); }

  int prepared = 0;
  Population* grass = cells("grass");
  Column<float> height = column<float>("grass", "height");
  Population* walkers = agents("walkers");
  Column<std::uint8_t> mood = column<std::uint8_t>("walkers", "mood");
  GridSpace who = space({.holds = CellHolds::kMany});
};

ModelInfo meadow() {
  return model_of<Meadow>({.name = "meadow",
                           .parameters = {{"length", 8, 1, 100, true, ""},
                                          {"walkers", 20, 0, 100, true, ""},
                                          {"grass", 9, 0, 100, false, ""}}});
}

Parameters with(const char* name, double value) {
  Parameters parameters(meadow().parameters);
  EXPECT_TRUE(parameters.set(name, value));
  return parameters;
}

TEST(GridModel, BeginsWithWhatItsMembersSayAndStepsAsWritten) {
  const ModelInfo info = meadow();
  const Parameters parameters(info.parameters);
  Simulation simulation = *info.begin(parameters, 5);
  EXPECT_EQ(simulation.world(), Meadow::grid_of(parameters).world());
  EXPECT_EQ(simulation.world().edges[0], Edge::kPeriodic);
  ASSERT_EQ(simulation.population_count(), 2U);
  const Population &grass = *simulation.find_population("grass"),
                   &walkers = *simulation.find_population("walkers");
  ASSERT_EQ(grass.size(), 24U);
  ASSERT_EQ(walkers.size(), 20U);
  ASSERT_TRUE(walkers.find_column<std::uint8_t>("mood"));
  std::vector<float> expected(24);
  for (std::uint32_t cell = 0; cell < 24; ++cell) {
    expected[cell] = 9 + static_cast<float>(cell);
    EXPECT_EQ(read_xy(grass).x[cell], static_cast<float>(cell % 8));
  }
  auto model = *info.open(parameters, simulation);
  EXPECT_EQ(simulation.population_count(), 2U) << "opening adds nothing";
  EXPECT_EQ(static_cast<const Meadow&>(*model).prepared, 1);
  Collector collector;
  model->declare(collector);
  for (std::uint32_t step = 0; step < 3; ++step) {
    EXPECT_EQ(simulation.step(), step);
    ASSERT_TRUE(model->step({}));
    for (std::uint32_t row = 0; row < 20; ++row) {
      const auto words = random_block({5, 0, kPlace}, row);
      expected[random_below(words[0], 8) + 8 * random_below(words[1], 3)] -= 1;
    }
    const auto heights = grass.read(*grass.find_column<float>("height"));
    EXPECT_EQ(std::vector<float>(heights.begin(), heights.end()), expected);
  }
  collector.collect(3);
  EXPECT_EQ(collector.steps().column("low").back(),
            static_cast<double>(std::ranges::count_if(expected, [](float at) { return at < 10; })));
}

TEST(GridModel, ErrorsOfStartAndOfMembersAreThoseOfBegin) {
  EXPECT_EQ(test::code_of(meadow().begin(with("walkers", 13), 1)), ErrorCode::kTooLarge);
  struct Twice final : GridModel {
    using GridModel::GridModel;
    static CellGrid grid_of(const Parameters&) { return square_grid(3); }
    Result<void> start() { return fail(ErrorCode::kTooLarge, "is not called"); }
    Result<void> step(const Context&) override { return end_step(); }
    void declare(Collector&) const override {}
    void draw(Raster&) const override {}
    Population* first = agents("first");
    Column<float> a = column<float>("first", "a");
    Column<double> again = column<double>("first", "a");
    Population* after = agents("after");
    Column<double> of_none = column<double>("nobody", "b");
    GridSpace none = space({});
  };
  const auto begun = model_of<Twice>({.name = "twice"}).begin({}, 1);
  ASSERT_EQ(test::code_of(begun), ErrorCode::kInvalidArgument);
  EXPECT_NE(begun.error().message.find("\"a\""), std::string::npos) << begun.error().message;
  Simulation simulation = *Simulation::build(square_grid(3).world());
  const Twice twice({Parameters(), simulation, square_grid(3), true});
  EXPECT_FALSE(twice.complete());
  EXPECT_EQ(twice.after, nullptr);
  EXPECT_EQ(simulation.population_count(), 1U) << "nothing is added after an error";
}

TEST(GridModel, RefusesASimulationThatIsNotItsOwn) {
  const ModelInfo info = meadow();
  const Parameters parameters(info.parameters);
  Simulation mine = *info.begin(parameters, 5);
  EXPECT_TRUE(info.open(parameters, mine));
  EXPECT_EQ(test::code_of(info.open(with("length", 9), mine)), ErrorCode::kNotFound);  // more cells
  Simulation turned = *Simulation::build(CellGrid{.cells = {3, 8, 1}}.world());
  ASSERT_TRUE((*turned.add_population("grass"))->insert(24));
  EXPECT_EQ(test::code_of(info.open(parameters, turned)), ErrorCode::kInvalidArgument);  // as many
  Simulation other = *Simulation::build(Meadow::grid_of(parameters).world());
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kNotFound);  // no grass
  Population& grass = **other.add_population("grass");
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kNotFound);  // not in each cell
  ASSERT_TRUE(grass.insert(24));
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kInvalidArgument);  // all in cell 0
  std::vector<std::uint32_t> each(24);
  std::iota(each.begin(), each.end(), 0U);
  place_in_cells(grass, Meadow::grid_of(parameters), each);
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kNotFound);  // no height
  ASSERT_TRUE(grass.add_column<float>("height"));
  Population& walkers = **other.add_population("walkers");
  ASSERT_TRUE(walkers.insert(3));
  ASSERT_TRUE(walkers.add_column<double>("mood"));
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kInvalidArgument);  // of another type
  EXPECT_EQ(walkers.column_count(), 3U) << "opening adds no column";
}

TEST(GridModel, RefusesCellsInAnotherOrder) {
  const ModelInfo info = meadow();
  const Parameters parameters(info.parameters);
  Simulation simulation = *info.begin(parameters, 5);
  Population& grass = **require_population(simulation, "grass");
  const auto [x, y] = write_xy(grass);
  std::swap(x[3], x[4]);
  EXPECT_EQ(test::code_of(info.open(parameters, simulation)), ErrorCode::kInvalidArgument);
  std::swap(x[3], x[4]);
  EXPECT_TRUE(info.open(parameters, simulation));
}

TEST(GridModel, RefusesAGridWhoseCellsAreNotFloats) {
  struct Wide final : GridModel {
    using GridModel::GridModel;
    static CellGrid grid_of(const Parameters&) { return {.cells = {(1U << 24) + 1, 1, 1}}; }
    Result<void> step(const Context&) override { return end_step(); }
    void declare(Collector&) const override {}
    void draw(Raster&) const override {}
  };
  EXPECT_EQ(test::code_of(model_of<Wide>({.name = "wide"}).begin({}, 1)), ErrorCode::kInvalidArgument);
}

TEST(GridModel, RefusesAgentsOutsideOfTheGrid) {
  const ModelInfo info = meadow();
  const Parameters parameters(info.parameters);
  Simulation mine = *info.begin(parameters, 5);
  Population& walkers = *mine.find_population("walkers");
  for (const float at :
       {-1.0F, -1e-30F, 3.0F, 1e30F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const float before = std::exchange(walkers.write(walkers.position(1))[7], at);
    const auto opened = info.open(parameters, mine);
    ASSERT_EQ(test::code_of(opened), ErrorCode::kInvalidArgument) << at;
    EXPECT_EQ(opened.error().index, 7U);
    walkers.write(walkers.position(1))[7] = before;
  }
  walkers.write(walkers.position(1))[7] = 2.5F;
  EXPECT_TRUE(info.open(parameters, mine));
}

TEST(GridModel, RefusesAgentsOfAnotherWorld) {
  struct Town final : GridModel {
    using GridModel::GridModel;
    Result<void> step(const Context&) override { return end_step(); }
    void declare(Collector&) const override {}
    void draw(Raster&) const override {}
    Population* people = agents("people");
  };
  const ModelInfo info = model_of<Town>({.name = "town", .parameters = {{"size", 4, 1, 9, true, ""}}});
  const Parameters parameters(info.parameters);
  Simulation simulation = *info.begin(parameters, 1);
  EXPECT_TRUE(info.open(parameters, simulation));
  Simulation larger = *Simulation::build(square_grid(5).world());
  EXPECT_EQ(test::code_of(info.open(parameters, larger)), ErrorCode::kNotFound);
  ASSERT_TRUE(larger.add_population("people"));
  EXPECT_EQ(test::code_of(info.open(parameters, larger)), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
