// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What holds for each of the published models: the same bytes on any number of threads and every instruction
// set, stopped and resumed or not; ranges that hold; pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

constexpr std::uint64_t kSeed = 11;
constexpr std::uint32_t kSteps = 12;

/// The preset "small", or as declared.
Parameters small(const ModelInfo& info) {
  auto parameters = parameters_of(info, "small");
  return parameters ? *parameters : *parameters_of(info);
}

/// Steps a new run. Empty when a step failed.
std::optional<Run> flown(const ModelInfo& info, std::uint32_t steps, const Executor* executor = nullptr) {
  auto run = Run::begin(info, small(info), kSeed, {.agents_every = 5});
  EXPECT_TRUE(run) << run.error().message;
  for (std::uint32_t step = 0; run && step < steps; ++step) {
    const auto done = run->step({.executor = executor});
    EXPECT_TRUE(done) << done.error().message;
  }
  return run ? std::optional<Run>(std::move(*run)) : std::nullopt;
}

class EveryModel : public testing::TestWithParam<std::string> {
 protected:
  const ModelInfo& info() const { return **find_model(models::published(), GetParam()); }
};

TEST_P(EveryModel, HasTheSameBytesOnAnyNumberOfThreads) {
  const auto serial = flown(info(), kSteps);
  ASSERT_TRUE(serial);
  test::for_each_executor([&](const Executor* executor) {
    const auto run = flown(info(), kSteps, executor);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->state_hash(), serial->state_hash());
    EXPECT_EQ(run->collected().steps().csv(), serial->collected().steps().csv());
    EXPECT_EQ(run->collected().agents(0).csv(), serial->collected().agents(0).csv());
  });
}

TEST_P(EveryModel, HasTheSameBytesOnEveryInstructionSet) {
  const auto first = flown(info(), kSteps);
  ASSERT_TRUE(first);
  test::for_each_isa([&](Isa) { EXPECT_EQ(flown(info(), kSteps)->state_hash(), first->state_hash()); });
}

TEST_P(EveryModel, StoppedAndResumedEqualsOneNeverStopped) {
  const auto whole = flown(info(), kSteps);
  ASSERT_TRUE(whole);
  const auto path = std::filesystem::path(testing::TempDir()) / (GetParam() + "_resume.jxr");
  for (const std::uint32_t stop : {0u, 1u, 7u}) {
    SCOPED_TRACE(stop);
    ASSERT_TRUE(flown(info(), stop)->save(path.string()));
    auto resumed = Run::resume(path.string(), models::published());
    ASSERT_TRUE(resumed) << resumed.error().message;
    while (resumed->simulation().step() < kSteps) {
      const auto done = resumed->step();
      ASSERT_TRUE(done) << done.error().message;
    }
    EXPECT_EQ(resumed->state_hash(), whole->state_hash());
    EXPECT_EQ(resumed->collected().steps().csv(), whole->collected().steps().csv());
    EXPECT_EQ(resumed->collected().agents(0).csv(), whole->collected().agents(0).csv());
  }
  std::filesystem::remove(path);
}

TEST_P(EveryModel, DependsOnItsSeed) {
  auto a = Run::begin(info(), small(info()), 1), b = Run::begin(info(), small(info()), 2);
  ASSERT_TRUE(a && b);
  ASSERT_TRUE(a->step() && b->step());
  EXPECT_NE(a->collected().steps().csv() + std::to_string(a->state_hash()),
            b->collected().steps().csv() + std::to_string(b->state_hash()));
}

TEST_P(EveryModel, DeclaresRangesThatItsDefaultsAndPresetsKeep) {
  std::set<std::string> names;
  for (const Parameter& p : info().parameters) {
    EXPECT_TRUE(names.insert(p.name).second) << p.name;
    EXPECT_LE(p.lo, p.value) << p.name;
    EXPECT_LE(p.value, p.hi) << p.name;
    EXPECT_FALSE(p.what.empty()) << p.name;
    Parameters parameters = *parameters_of(info());
    for (const double outside : {p.lo - 1, p.hi + 1 + std::abs(p.hi) * 1e-3}) {
      const auto set = parameters.set(p.name, outside);
      ASSERT_FALSE(set) << p.name;
      EXPECT_NE(set.error().message.find(p.name), std::string::npos);
      EXPECT_NE(set.error().message.find(number_text(p.hi)), std::string::npos);
    }
  }
  for (const Preset& preset : info().presets) {
    EXPECT_TRUE(parameters_of(info(), preset.name)) << preset.name;
  }
  EXPECT_FALSE(info().what.empty());
}

TEST_P(EveryModel, DrawsMoreThanOneColour) {
  const auto run = flown(info(), 2);
  ASSERT_TRUE(run);
  Raster image(200, 150);
  run->model().draw(image);
  const auto pixels = image.pixels();
  EXPECT_FALSE(std::ranges::all_of(pixels, [&](const Rgb& pixel) { return pixel == pixels.front(); }));
}

TEST_P(EveryModel, RefusesAWorldWithoutItsAgents) {
  auto empty = *Simulation::build({.dimensions = 2});
  const auto opened = info().open(small(info()), empty);
  ASSERT_FALSE(opened);
  EXPECT_EQ(test::code_of(opened), ErrorCode::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         testing::Values("flocking", "flock_3d", "schelling", "wolf_sheep", "forest_fire",
                                         "dam_break", "lennard_jones", "ants", "tissue"),
                         [](const auto& of) { return of.param; });

TEST(PublishedModels, AreThoseThatAreTested) {
  EXPECT_EQ(models::published().size(), 9);
  EXPECT_FALSE(find_model(models::published(), "tetris"));
}

}  // namespace
}  // namespace juxta
