// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Models over ranks: the tables and the state of one machine, or a reason why not.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "support/thread_ranks.h"

namespace juxta {
namespace {

using Settings = std::vector<std::pair<std::string, double>>;

/// What a run leaves: its table, and all bytes of its state.
struct Left {
  std::string table;
  std::uint64_t state = 0;
  friend bool operator==(const Left&, const Left&) = default;
};

Parameters parameters_with(const ModelInfo& model, const Settings& settings) {
  Parameters parameters = parameters_of(model).value();
  for (const auto& [name, value] : settings) {
    EXPECT_TRUE(parameters.set(name, value));
  }
  return parameters;
}

Left finish(Result<Run> run, int steps) {
  EXPECT_TRUE(run) << run.error().message;
  for (int i = 0; run && i < steps; ++i) {
    const Result<void> done = run->step();
    EXPECT_TRUE(done) << done.error().message;
  }
  return {run->collected().steps().csv(), run->state_hash()};
}

void expect_same(const char* name, const Settings& settings, int steps) {
  SCOPED_TRACE(name);
  const ModelInfo& model = *find_model(models::published(), name).value();
  const Parameters parameters = parameters_with(model, settings);
  const Left expected = finish(Run::begin(model, parameters, 7), steps);
  EXPECT_GT(expected.table.size(), 100U);
  for (const std::uint32_t size : {1U, 2U, 4U}) {
    SCOPED_TRACE(std::to_string(size) + " ranks");
    test::run_ranks(size, [&](Ranks& ranks) {
      const Left found = finish(Run::begin(ranks, model, parameters, 7), steps);
      if (ranks.rank() == 0) {
        EXPECT_EQ(found.table, expected.table);
        EXPECT_EQ(found.state, expected.state);
      }
    });
  }
}

TEST(ModelsOverRanks, HaveTheBytesOfOneMachine) {
  expect_same("flock_3d", {{"birds", 2000}, {"start", 120}}, 12);
  expect_same("dam_break", {{"across", 12}}, 40);
  expect_same("dam_break", {{"dimensions", 3}, {"across", 10}, {"depth", 8}, {"smoothing", 1.3}}, 12);
  expect_same("lennard_jones", {{"cells", 5}}, 25);
}

TEST(ModelsOverRanks, OrSayWhyNot) {
  test::run_ranks(2, [&](Ranks& ranks) {
    for (const char* name : {"schelling", "wolf_sheep", "forest_fire", "flocking"}) {
      const ModelInfo& model = *find_model(models::published(), name).value();
      const auto run = Run::begin(ranks, model, parameters_of(model).value(), 1);
      ASSERT_FALSE(run) << name;
      EXPECT_EQ(run.error().code, ErrorCode::kInvalidArgument);
      EXPECT_NE(run.error().message.find(model.one_machine), std::string::npos);
    }
    const ModelInfo& melt = *find_model(models::published(), "lennard_jones").value();
    const auto run = Run::begin(ranks, melt, parameters_with(melt, {{"cells", 5}, {"hold", 100}}), 1);
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().message.find("hold=0"), std::string::npos);
  });
}

}  // namespace
}  // namespace juxta
