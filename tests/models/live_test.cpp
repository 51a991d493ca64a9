// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Parameters that change on the way: what a model keeps beside its simulation it must make anew from it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "juxta/study/collector.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "study/scratch.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using ModelRun = juxta::Run;  // testing::Test has a Run of its own

/// Small, so that all models take a second together.
Parameters small(const ModelInfo& model) {
  Parameters parameters = parameters_of(model).value();
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"birds", 200}, {"cells", 4}, {"across", 10}, {"agents", 500}, {"size", 25}}) {
    static_cast<void>(parameters.set(name, value));  // those that it has
  }
  return parameters;
}

std::vector<std::uint64_t> hashes(ModelRun& run, int steps) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(run.step());
    all.push_back(run.state_hash());
  }
  return all;
}

TEST(LiveParameters, NewRulesWithTheSameNumbersGoOnWhereTheOldOnesWere) {
  for (const ModelInfo& model : models::published()) {
    SCOPED_TRACE(model.name);
    ModelRun as_it_is = ModelRun::begin(model, small(model), 3).value();
    ModelRun changed = ModelRun::begin(model, small(model), 3).value();
    ASSERT_EQ(hashes(as_it_is, 3), hashes(changed, 3));
    const Parameters parameters = small(model);
    for (const Parameter& parameter : parameters.declared()) {
      const auto done = changed.set(parameter.name, parameter.value);
      EXPECT_EQ(done.has_value(), parameter.live) << parameter.name;
      ASSERT_EQ(hashes(as_it_is, 1), hashes(changed, 1)) << parameter.name;
    }
    EXPECT_EQ(as_it_is.collected().steps().csv(), changed.collected().steps().csv());
  }
}

TEST(LiveParameters, ActAtTheNextStepAndAreSaved) {
  const test::ScratchFolder folder;
  const std::string path = (folder / "flocking.jxr").string();
  const ModelInfo model = models::flocking();
  ModelRun run = ModelRun::begin(model, small(model), 3).value();
  ASSERT_TRUE(run.step());
  ASSERT_TRUE(run.set("speed", 0));
  const Population& birds = run.simulation().population(0);
  const auto now = birds.read(birds.position(0));
  const std::vector<float> before(now.begin(), now.end());
  ASSERT_TRUE(run.step());
  EXPECT_TRUE(std::ranges::equal(before, birds.read(birds.position(0))));
  ASSERT_TRUE(run.set("speed", 2));
  ASSERT_TRUE(run.save(path));
  ModelRun resumed = ModelRun::resume(path, models::published()).value();
  EXPECT_EQ(resumed.parameters()["speed"], 2);
  EXPECT_EQ(hashes(run, 3), hashes(resumed, 3));
}

TEST(LiveParameters, WhatIsRefusedChangesNothing) {
  const ModelInfo model = models::flocking();
  ModelRun run = ModelRun::begin(model, small(model), 3).value();
  EXPECT_EQ(test::code_of(run.set("nose", 1)), ErrorCode::kNotFound);
  EXPECT_EQ(test::code_of(run.set("birds", 100)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(run.set("radius", -1)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(run.set("radius", std::nan(""))), ErrorCode::kInvalidArgument);
  EXPECT_EQ(run.parameters()["radius"], 5);
  EXPECT_EQ(run.parameters()["birds"], 200);
}

}  // namespace
}  // namespace juxta
