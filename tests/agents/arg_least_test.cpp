// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Totals that say which agent: against brute force, in all kinds of worlds, on every instruction set, on any
// executor; and what is refused.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "agents/arg_least_rules.h"
#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/see.h"
#include "juxta/agents/simulation.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kHeavy = 5;

struct Case {
  World world;
  Crowding crowding = Crowding::kUniform;
  std::size_t count = 300, others = 0;
  float radius = 1;
  Metric metric = Metric::kBall;
  bool extents = false, radii = false;
};

/// The first row with the least value.
struct First {
  void add(std::size_t row, float value) {
    if (value < least) {
      least = value;
      who = row;
    }
  }
  float least = kInfinity;
  std::size_t who = ~std::size_t{0};
};

class Scene {
 public:
  explicit Scene(const Case& c) : case_(c), simulation_(Simulation::build(c.world).value()) {
    seers_ = simulation_.add_population("seers").value();
    seen_ = c.others > 0 ? simulation_.add_population("seen").value() : seers_;
    fill(*seers_, c.count);
    if (c.others > 0) {
      fill(*seen_, c.others);
    }
    for (const char* name : {"who_nearest", "who_heavy", "who_heaviest"}) {
      columns_.push_back(seers_->add_references(name, *seen_).value());
    }
    // Some die and some are born: slots of Ids are then no row numbers.
    for (Population* population : {seers_, seen_}) {
      for (std::uint32_t row = 0; row < population->size(); row += 7) {
        population->changes().kill(row);
      }
      EXPECT_TRUE(simulation_.end_step());
      EXPECT_TRUE(population->insert(population->size() / 9));
      EXPECT_TRUE(population->sort({.radius = c.radius}));
    }
  }

  Result<QueryResult> see(const Executor* executor = nullptr) {
    SeeOptions options;
    options.metric = case_.metric;
    if (case_.radii) {
      options.radii = test::column(*seers_, "sight");
    }
    return juxta::see(*seers_, *seen_, case_.radius, test::WhoIsIt{kHeavy}, options, {.executor = executor});
  }

  /// "" when the columns are what all pairs say.
  [[nodiscard]] std::string compare() const {
    const Crowd seers = test::crowd_of(*seers_, case_.radii), seen = test::crowd_of(*seen_, false);
    const auto mass = test::values(*seen_, "mass"), distance2 = test::values(*seers_, "nearest");
    for (std::size_t row = 0; row < seers.size(); ++row) {
      First nearest, heavy, heaviest;
      test::for_each_seen(case_.world, case_.metric, seers, row, seen, seers_ == seen_, case_.radius,
                          [&](std::size_t other, const test::Sight& sight) {
                            nearest.add(other, sight.distance2);
                            if (mass[other] >= kHeavy) {
                              heavy.add(other, sight.distance2);
                            }
                            heaviest.add(other, -mass[other]);
                          });
      if (!(is(0, row, nearest) && is(1, row, heavy) && is(2, row, heaviest) &&
            distance2[row] == nearest.least)) {
        return "row " + std::to_string(row);
      }
    }
    return "";
  }
  [[nodiscard]] std::vector<Id> found() const {
    std::vector<Id> all;
    for (const Column<Id> column : columns_) {
      const auto ids = seers_->read(column);
      all.insert(all.end(), ids.begin(), ids.end());
    }
    return all;
  }
  /// Whatever was found is forgotten.
  void clear() {
    for (const Column<Id> column : columns_) {
      for (Id& id : seers_->write(column)) {
        id = {77, 77};
      }
    }
  }

 private:
  void fill(Population& population, std::size_t count) {
    Crowd crowd = test::draw_crowd(draws_, case_.world, case_.crowding, count, case_.radius);
    if (case_.extents) {
      test::draw_extents(draws_, case_.world, crowd);
    }
    if (case_.radii) {
      test::draw_radii(draws_, case_.radius, crowd);
    }
    test::fill(population, crowd, draws_);
    for (float& mass : population.write(test::column(population, "mass"))) {
      mass = static_cast<float>(draws_.below(8));  // many are equal
    }
  }
  [[nodiscard]] bool is(std::size_t column, std::size_t row, const First& first) const {
    const Id right = first.least < kInfinity ? seen_->id_of(static_cast<std::uint32_t>(first.who)) : Id{};
    return seers_->read(columns_[column])[row] == right;
  }

  Case case_;
  Draws draws_{3};
  Simulation simulation_;
  Population *seers_ = nullptr, *seen_ = nullptr;
  std::vector<Column<Id>> columns_;
};

void expect_right(const Case& c) {
  SCOPED_TRACE(test::name(c.world) + ", " + std::string(test::name(c.crowding)));
  Scene scene(c);
  std::vector<Id> first;
  test::for_each_isa([&](Isa) {
    scene.clear();
    ASSERT_TRUE(scene.see());
    ASSERT_EQ(scene.compare(), "");
    first = first.empty() ? scene.found() : first;
    ASSERT_EQ(first, scene.found());
  });
}

TEST(ArgLeast, WorldsAndCrowds) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += dimensions == 2 ? 1 : 5) {
      for (const Crowding crowding : test::kCrowdings) {
        expect_right({.world = test::make_world(dimensions, edges), .crowding = crowding});
      }
    }
  }
}

TEST(ArgLeast, OtherPopulationsMetricsSizesAndRadii) {
  for (const std::uint32_t edges : {4U, 8U}) {  // walls, periodic
    const World world = test::make_world(2, edges);
    expect_right({.world = world, .others = 200});
    expect_right({.world = world, .others = 1});
    expect_right({.world = world, .metric = Metric::kBox});
    expect_right({.world = world, .extents = true});
    expect_right({.world = world, .radii = true});
    expect_right({.world = world, .others = 200, .metric = Metric::kBox, .extents = true, .radii = true});
  }
}

// More candidates than one call of the sweep holds: totals are put aside and taken up again.
TEST(ArgLeast, ManyNeighbours) {
  expect_right({.world = test::make_world(2, 8), .count = 1500, .radius = 4});
  expect_right({.world = test::make_world(3, 26), .crowding = Crowding::kPoint, .count = 1200});
}

TEST(ArgLeast, AnyExecutor) {
  Scene scene({.world = test::make_world(2, 8), .count = 3000, .radius = 0.5F});
  ASSERT_TRUE(scene.see());
  ASSERT_EQ(scene.compare(), "");
  const std::vector<Id> alone = scene.found();
  test::for_each_executor([&](const Executor* executor) {
    scene.clear();
    ASSERT_TRUE(scene.see(executor));
    EXPECT_EQ(scene.found(), alone);
  });
}

TEST(ArgLeast, NobodyIsAnEmptyId) {
  Scene scene({.world = test::make_world(2, 4),
               .count = 8,
               .radius = 1e-6F});  // too few for the newborn, who share a place
  scene.clear();
  ASSERT_TRUE(scene.see());
  for (const Id id : scene.found()) {
    EXPECT_EQ(id, Id{});
  }
}

TEST(ArgLeast, ColumnsThatDoNotFit) {
  auto simulation = Simulation::build({.dimensions = 2}).value();
  Population& seers = *simulation.add_population("seers").value();
  Population& others = *simulation.add_population("others").value();
  ASSERT_TRUE(seers.add_columns({"mass", "nearest", "count"}));
  ASSERT_TRUE(seers.insert(3));
  ASSERT_TRUE(seers.sort({.radius = 1}));
  const auto see = [&] { return juxta::see(seers, seers, 1, test::WhoIsIt{}); };
  EXPECT_EQ(test::code_of(see()), ErrorCode::kNotFound);
  ASSERT_TRUE(seers.add_references("who_nearest", seers));
  ASSERT_TRUE(seers.add_references("who_heavy", others));
  ASSERT_TRUE(seers.add_columns({"who_heaviest"}));
  EXPECT_EQ(test::code_of(see()), ErrorCode::kInvalidArgument);  // of others
  EXPECT_NE(see().error().message.find("'who_heavy' of references to 'seers'"), std::string::npos)
      << see().error().message;
}

// A pass may find agents that are about to die: the reference is emptied with them, at the end of the step.
TEST(ArgLeast, TheDeadAreForgotten) {
  auto simulation = Simulation::build({.dimensions = 2}).value();
  Population& seers = *simulation.add_population("seers").value();
  ASSERT_TRUE(seers.add_columns({"mass", "nearest", "count"}));
  const Column<Id> who = seers.add_references("who_nearest", seers).value();
  ASSERT_TRUE(seers.add_references("who_heavy", seers));
  ASSERT_TRUE(seers.add_references("who_heaviest", seers));
  ASSERT_TRUE(seers.insert(2));
  ASSERT_TRUE(seers.sort({.radius = 1}));
  seers.changes().kill(1);
  ASSERT_TRUE(juxta::see(seers, seers, 1, test::WhoIsIt{}));
  EXPECT_EQ(seers.read(who)[0], seers.id_of(1));
  ASSERT_TRUE(simulation.end_step());
  EXPECT_EQ(seers.read(who)[0], Id{});
}

}  // namespace
}  // namespace juxta
