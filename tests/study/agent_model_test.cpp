// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A model of one population, as docs/models.md writes it.
#include "juxta/study/agent_model.h"
#include "juxta/study/draw.h"

#include <gtest/gtest.h>

#include "juxta/agents/random_columns.h"
#include "juxta/agents/see_here.h"
#include "juxta/study/run.h"
#include "support/code_of.h"

namespace juxta {
namespace {

JUXTA_COLUMN_STRUCT(Luck, east);
JUXTA_COLUMN_STRUCT(Walker, x, heat);

class Walk final : public AgentModel {
 public:
  static constexpr auto kAgents = "walkers";
  static constexpr auto kColumns = names("heat");
  static constexpr auto kResults = names("east");
  static World world(const Parameters& p) { return walled_plane(p.real("edge"), 3); }
  using AgentModel::AgentModel;

  Result<void> start() {
    JUXTA_TRY(agents().insert(count("walkers")));
    return place_anywhere(agents(), simulation().key(0));
  }
  Result<void> step(const Context& context) override {
    const float edge = real("edge");
    JUXTA_TRY(fill_random(agents(), simulation().key(1), {"east"}, context));
    JUXTA_TRY(act_here(agents(), action<Luck, Walker>([edge](const auto& luck, auto& walker) {
                         walker.x = clamp(walker.x + luck.east - 0.25F, 0, edge);
                         walker.heat = select(walker.x == edge, walker.heat + 1, walker.heat);
                       }),
                       context));
    return end_step();
  }
  void declare(Collector& collector) const override {
    collector.add("hot", [this] { return static_cast<double>(agents().read(column("heat"))[0]); });
  }
  void draw(Raster& image) const override {
    show_world(image, simulation().world());
    draw_agents(image, agents(), 0.1, [](std::uint32_t row) {
      return row == 0 ? Rgb{9, 8, 7} : Rgb{1, 2, 3};
    });
  }
};

ModelInfo walk() {
  return model_of<Walk>(
      {.name = "walk", .parameters = {{"walkers", 20, 0, 100, true, ""}, {"edge", 6, 1, 100, false, ""}}});
}

TEST(AgentModel, BeginsWithItsColumnsAndStepsAsWritten) {
  const ModelInfo info = walk();
  const Parameters parameters(info.parameters);
  Simulation simulation = *info.begin(parameters, 5);
  EXPECT_EQ(simulation.world(), walled_plane(6, 3));
  Population& walkers = **require_population(simulation, "walkers");
  ASSERT_EQ(walkers.size(), 20u);
  EXPECT_EQ(walkers.kind_of(walkers.find_column<float>("heat")->index), ColumnKind::kFloat);
  EXPECT_EQ(walkers.kind_of(walkers.find_column<float>("east")->index), ColumnKind::kResult);
  auto model = *info.open(parameters, simulation);
  for (int i = 0; i < 60; ++i) {
    std::vector<float> expected(20);
    for (std::uint32_t row = 0; row < 20; ++row) {
      const float luck = random_float(simulation.key(1), random_id(walkers.id_of(row)));
      const float x = walkers.read(walkers.position(0))[row] + luck - 0.25F;
      expected[row] = x < 6 ? (x > 0 ? x : 0) : 6;
    }
    ASSERT_TRUE(model->step({}));
    const auto x = walkers.read(walkers.position(0));
    EXPECT_EQ(std::vector<float>(x.begin(), x.end()), expected);
  }
  EXPECT_EQ(simulation.step(), 60u);
  EXPECT_GT(walkers.read(*walkers.find_column<float>("heat"))[0], 3.0F);
}

TEST(AgentModel, DrawsTheWholeWorldAndADiscForEachAgent) {
  const ModelInfo info = walk();
  Simulation simulation = *info.begin(Parameters(info.parameters), 5);
  Raster image(60, 30);
  (*info.open(Parameters(info.parameters), simulation))->draw(image);
  EXPECT_DOUBLE_EQ(image.scale(), 10);
  std::size_t first = 0, others = 0;
  for (const Rgb& pixel : image.pixels()) {
    first += pixel == Rgb{9, 8, 7} ? 1 : 0;
    others += pixel == Rgb{1, 2, 3} ? 1 : 0;
  }
  EXPECT_GT(first, 0u);
  EXPECT_GT(others, 15u);
}

TEST(AgentModel, RefusesASimulationThatIsNotItsOwn) {
  const ModelInfo info = walk();
  const Parameters parameters(info.parameters);
  Simulation other = *Simulation::build(walled_plane(6, 3));
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kNotFound);
  Population& walkers = **other.add_population("walkers");
  ASSERT_TRUE(walkers.add_columns({"heat"}));
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kNotFound);  // "east"
  ASSERT_TRUE(walkers.add_column<double>("east"));
  EXPECT_EQ(test::code_of(info.open(parameters, other)), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
