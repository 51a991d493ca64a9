// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ants keep every piece of food, and follow trails of scent.
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "juxta/agents/fields.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"

namespace juxta {
namespace {

Parameters with(std::initializer_list<std::pair<const char*, double>> settings) {
  const ModelInfo info = models::ants();
  Parameters parameters(info.parameters);
  for (const auto& [name, value] : settings) {
    EXPECT_TRUE(parameters.set(name, value));
  }
  return parameters;
}

/// Steps until half of the food is in the nest.
juxta::Run half_done(const Parameters& parameters, std::uint64_t seed) {
  juxta::Run run = juxta::Run::begin(models::ants(), parameters, seed).value();
  const double all = run.collected().steps().column("food")[0];
  EXPECT_GT(all, 300);
  while (run.steps_done() < 2000) {
    EXPECT_TRUE(run.step());
    const auto& steps = run.collected().steps();
    const auto last = [&](const char* name) { return steps.column(name).back(); };
    EXPECT_EQ(last("food") + last("carried") + last("brought"), all);
    if (last("brought") * 2 >= all) {
      return run;
    }
  }
  ADD_FAILURE() << "the ants bring nothing home";
  return run;
}

/// The share of the ants that look for food where there is some scent of this run.
double share_on(const Field& scent, const Simulation& of) {
  const Population& ants = *of.find_population("ants");
  const auto carries = ants.read(ants.find_column<std::uint8_t>("carries").value());
  std::vector<float> smelt(ants.size());
  EXPECT_TRUE(sample(ants, scent, smelt, {.method = FieldMethod::kNearest}));
  double looking = 0, on = 0;
  for (std::size_t row = 0; row < smelt.size(); ++row) {
    looking += carries[row] == 0;
    on += carries[row] == 0 && smelt[row] >= 0.05F;
  }
  return on / looking;
}

/// Ants stay on trails; those that leave none are anywhere.
TEST(Ants, FollowTrails) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const juxta::Run trails = half_done(with({}), seed), none = half_done(with({{"fade", 1}}), seed);
    const Field& scent = *trails.simulation().find_field("scent");
    EXPECT_GT(share_on(scent, trails.simulation()), 0.7) << seed;
    EXPECT_LT(share_on(scent, none.simulation()), 0.5) << seed;
    EXPECT_EQ(none.collected().steps().column("scent").back(), 0);
  }
}

TEST(Ants, LeaveTheNestOneAfterTheOther) {
  const ModelInfo info = models::ants();
  juxta::Run run = juxta::Run::begin(info, with({}), 5).value();
  for (int step = 0; step < 7; ++step) {
    ASSERT_TRUE(run.step());
  }
  const Population& ants = *run.simulation().find_population("ants");
  const auto x = ants.read(ants.position(0)), y = ants.read(ants.position(1));
  for (std::size_t row = 0; row < x.size(); ++row) {
    EXPECT_EQ(x[row] != 0 || y[row] != 0, row < 6) << row;  // in step 0 none may leave
  }
}

TEST(Ants, RefuseAStateThatIsNotTheirs) {
  const ModelInfo info = models::ants();
  const Parameters parameters = with({});
  const auto opens = [&](auto&& change) {
    Simulation simulation = info.begin(parameters, 1).value();
    Population& ants = *simulation.find_population("ants");
    change(ants);
    return info.open(parameters, simulation).has_value();
  };
  EXPECT_TRUE(opens([](Population&) {}));
  for (const std::int32_t heading : {-1, 360, -100'000, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_FALSE(opens([=](Population& ants) {
      ants.write(ants.find_column<std::int32_t>("heading").value())[3] = heading;
    })) << heading;
  }
  for (const float place : {35.5F, -1e6F, std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_FALSE(opens([=](Population& ants) { ants.write(ants.position(1))[3] = place; })) << place;
  }
}

TEST(Ants, FewestAndMost) {
  const ModelInfo info = models::ants();
  for (const double count : {0.0, 1.0, 3000.0}) {
    juxta::Run run = juxta::Run::begin(info, with({{"ants", count}, {"size", 20}}), 1).value();
    for (int step = 0; step < 40; ++step) {
      ASSERT_TRUE(run.step()) << count;
    }
  }
}

}  // namespace
}  // namespace juxta
