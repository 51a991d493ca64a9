// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours among agents that move one by one, against a look at everyone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "agents/pasture.h"
#include "juxta/agents/sequential.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Point = Vec3;
using scenes::Draws;

struct Met {
  std::uint32_t row;
  float dx, dy, dz, distance2;
  friend bool operator==(const Met&, const Met&) = default;
};

/// A world with agents, and a plain copy of where they are and who lives.
struct Crowd {
  Crowd(const World& world, std::size_t count, std::uint64_t seed, const Executor* executor = nullptr,
        Arrangement arrangement = Arrangement::kAuto)
      : sim(Simulation::build(world, seed).value()),
        agents(*sim.add_population("agents").value()),
        draws(seed),
        neighbours(agents) {
    EXPECT_TRUE(agents.insert(count));
    for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
      for (float& x : agents.write(agents.position(axis))) {
        x = coordinate(axis);
      }
    }
    EXPECT_TRUE(agents.sort({.radius = 1, .arrangement = arrangement}, {.executor = executor}));
    dead.assign(count, false);
  }
  float coordinate(std::uint32_t axis) {
    return sim.world().edges[axis] == Edge::kOpen
               ? draws.uniform(-10, 10) * (draws.below(20) == 0 ? 50.0F : 1.0F)
               : draws.uniform(sim.world().lo[axis], sim.world().hi[axis]);
  }
  [[nodiscard]] Point at(std::uint32_t row) const {
    Point place{};
    for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
      place[axis] = agents.read(agents.position(axis))[row];
    }
    return place;
  }
  /// A step, a hop to anywhere, or onto another agent.
  void move_some(std::size_t moves, float step) {
    for (std::size_t i = 0; i < moves; ++i) {
      const std::uint32_t row = draws.below(static_cast<std::uint32_t>(agents.size()));
      Point to = at(row);
      const std::uint32_t kind = draws.below(8);
      for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
        to[axis] = kind == 0 ? coordinate(axis) : to[axis] + draws.uniform(-step, step);
        if (sim.world().edges[axis] == Edge::kWall) {
          to[axis] = std::clamp(to[axis], sim.world().lo[axis], sim.world().hi[axis]);
        }
      }
      to = kind == 1 ? at(draws.below(static_cast<std::uint32_t>(agents.size()))) : to;
      ASSERT_TRUE(neighbours.move(row, to));
      for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
        const float now = at(row)[axis];
        const World& world = sim.world();
        if (world.edges[axis] == Edge::kPeriodic) {
          ASSERT_GE(now, world.lo[axis]);
          ASSERT_LT(now, world.hi[axis]);
        } else {
          ASSERT_EQ(now, to[axis]);
        }
      }
    }
  }
  void kill_some(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t row = draws.below(static_cast<std::uint32_t>(agents.size()));
      neighbours.kill(row);
      dead[row] = true;
      ASSERT_TRUE(neighbours.killed(row));
    }
  }
  [[nodiscard]] std::vector<Met> brute(const Point& from, std::uint32_t self, float radius,
                                       Metric metric) const {
    std::vector<Met> met;
    const World& world = sim.world();
    for (std::uint32_t row = 0; row < agents.size(); ++row) {
      Point d{};
      bool in_box = true;
      for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
        d[axis] = at(row)[axis] - from[axis];
        if (world.edges[axis] == Edge::kPeriodic) {
          const float period = world.hi[axis] - world.lo[axis];
          d[axis] = d[axis] > period / 2    ? d[axis] - period
                    : d[axis] < -period / 2 ? d[axis] + period
                                            : d[axis];
        }
        in_box = in_box && std::abs(d[axis]) <= radius;
      }
      const float flat = d[0] * d[0] + d[1] * d[1];
      const float distance2 = world.dimensions == 2 ? flat : flat + d[2] * d[2];
      const bool near = metric == Metric::kBall ? distance2 <= radius * radius : in_box;
      if (near && row != self && !dead[row]) {
        met.push_back({row, d[0], d[1], d[2], distance2});
      }
    }
    return met;
  }

  Simulation sim;
  Population& agents;
  Draws draws;
  Neighbours neighbours;
  std::vector<bool> dead;
};

std::vector<Met> found(Crowd& crowd, std::uint32_t row, float radius) {
  std::vector<Met> met;
  const auto result =
      crowd.neighbours.visit(row, radius, [&](std::uint32_t r, float dx, float dy, float dz, float d2) {
        met.push_back({r, dx, dy, dz, d2});
      });
  EXPECT_TRUE(result);
  EXPECT_GE(result->tested, met.size());
  std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.row < b.row; });
  return met;
}

std::vector<Met> found_at(Crowd& crowd, const Point& point, float radius) {
  std::vector<Met> met;
  EXPECT_TRUE(
      crowd.neighbours.visit_at(point, radius, [&](std::uint32_t r, float dx, float dy, float dz, float d2) {
        met.push_back({r, dx, dy, dz, d2});
      }));
  std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.row < b.row; });
  return met;
}

void expect_exact(Crowd& crowd, Metric metric, std::size_t searches) {
  constexpr std::array<float, 6> kRadii = {0.01F, 0.7F, 1.0F, 3.0F, 11.0F, 40.0F};
  for (std::size_t i = 0; i < searches; ++i) {
    const float radius = kRadii[crowd.draws.below(kRadii.size())];
    const std::uint32_t row = crowd.draws.below(static_cast<std::uint32_t>(crowd.agents.size()));
    ASSERT_EQ(found(crowd, row, radius), crowd.brute(crowd.at(row), row, radius, metric)) << radius;
    Point point{};
    for (std::uint32_t axis = 0; axis < crowd.sim.world().dimensions; ++axis) {
      point[axis] = crowd.coordinate(axis);
    }
    ASSERT_EQ(found_at(crowd, point, radius), crowd.brute(point, ~0U, radius, metric)) << radius;
  }
}

/// Tables of all cells are refused where somebody stands far out.
std::vector<Arrangement> arrangements(Edge edge) {
  std::vector<Arrangement> all = {Arrangement::kAuto, Arrangement::kHashed, Arrangement::kTree};
  if (edge != Edge::kOpen) {
    all.insert(all.end(), {Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert});
  }
  return all;
}

TEST(AgentsNeighbours, RefuseARadiusWhoseSquareIsBeyondFloat) {
  Crowd crowd(test::meadow(2, Edge::kWall), 20, 12, nullptr, Arrangement::kAuto);
  ASSERT_TRUE(crowd.neighbours.begin({.radius = 1}));
  const auto visit = [](std::uint32_t, float, float, float, float) {};
  EXPECT_TRUE(crowd.neighbours.visit(0, 1.8e19F, visit));
  const auto refused = crowd.neighbours.visit(0, 1.9e19F, visit);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kInvalidArgument);
}

TEST(AgentsNeighbours, AreExactWhateverMoved) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const Edge edge : {Edge::kOpen, Edge::kWall, Edge::kPeriodic}) {
      for (const float slack : {-1.0F, 0.0F, 0.05F, 2.0F, 100.0F}) {
        for (const Metric metric : {Metric::kBall, Metric::kBox}) {
          SCOPED_TRACE(::testing::Message() << dimensions << "D, edge " << int(edge) << ", slack " << slack
                                            << ", metric " << int(metric));
          for (const Arrangement arrangement : arrangements(edge)) {
            Crowd crowd(test::meadow(dimensions, edge), 400, dimensions + 10, nullptr, arrangement);
            ASSERT_TRUE(crowd.neighbours.begin({.radius = 1, .metric = metric, .slack = slack}));
            ASSERT_NO_FATAL_FAILURE(expect_exact(crowd, metric, 20));
            EXPECT_EQ(crowd.neighbours.strays(), 0u);
            for (const std::size_t moves : {3u, 60u, 900u}) {
              ASSERT_NO_FATAL_FAILURE(crowd.move_some(moves, 0.4F));
              crowd.kill_some(moves / 20);
              ASSERT_NO_FATAL_FAILURE(expect_exact(crowd, metric, 20));
            }
            EXPECT_EQ(crowd.neighbours.strays() > 0, slack < 100 || edge == Edge::kOpen);
          }
        }
      }
    }
  }
}

TEST(AgentsNeighbours, MixedEdgesAndTinyWorlds) {
  for (const float size : {0.5F, 1.0F, 3.0F}) {
    World world = test::meadow(3, Edge::kPeriodic);
    world.hi = {-10 + size, -10 + 2 * size, -10 + size};
    world.edges[1] = Edge::kWall;
    Crowd crowd(world, 60, 3);
    ASSERT_TRUE(crowd.neighbours.begin({.radius = 1, .slack = 0.1F}));
    for (int round = 0; round < 10; ++round) {
      ASSERT_NO_FATAL_FAILURE(crowd.move_some(20, 0.3F));
      ASSERT_NO_FATAL_FAILURE(expect_exact(crowd, Metric::kBall, 20));
    }
  }
}

TEST(AgentsNeighbours, FarFromTheOrigin) {
  World world = test::meadow(2, Edge::kPeriodic);
  world.lo = {1000, 50'000, 0};
  world.hi = {1016, 50'016, 0};
  Crowd crowd(world, 400, 4);
  ASSERT_TRUE(crowd.neighbours.begin({.radius = 1, .slack = 0.3F}));
  for (int round = 0; round < 10; ++round) {
    ASSERT_NO_FATAL_FAILURE(crowd.move_some(100, 0.4F));
    ASSERT_NO_FATAL_FAILURE(expect_exact(crowd, Metric::kBall, 30));
  }
}

TEST(AgentsNeighbours, StaysExactOverManySteps) {
  Crowd crowd(test::meadow(2, Edge::kPeriodic), 500, 8);
  for (int step = 0; step < 10; ++step) {
    ASSERT_TRUE(crowd.neighbours.begin({.radius = 1}));
    EXPECT_EQ(crowd.neighbours.strays(), 0u);
    activate_randomly(crowd.agents, crowd.sim.key(1), [&](std::uint32_t row) {
      ASSERT_FALSE(crowd.dead[row]);
      Point to = crowd.at(row);
      for (const Met& met : found(crowd, row, 1)) {
        to[0] -= met.dx * 0.1F;
        to[1] -= met.dy * 0.1F;
      }
      ASSERT_TRUE(crowd.neighbours.move(row, to));
      if (row % 50 == 7) {
        const auto met = found(crowd, row, 0.5F);
        if (!met.empty()) {
          crowd.neighbours.kill(met[0].row);
          crowd.dead[met[0].row] = true;
        }
      }
      if (row % 20 == 0) {
        ASSERT_EQ(found(crowd, row, 2), crowd.brute(crowd.at(row), row, 2, Metric::kBall));
      }
    });
    ASSERT_EQ(crowd.sim.end_step().value()[0].died,
              static_cast<std::size_t>(std::count(crowd.dead.begin(), crowd.dead.end(), true)));
    crowd.dead.assign(crowd.agents.size(), false);
    ASSERT_TRUE(crowd.agents.sort({.radius = 1}));
  }
  EXPECT_LT(crowd.agents.size(), 480u);
}

TEST(AgentsNeighbours, WhoVisitsSeesTheSameOrderOnAnyExecutor) {
  std::vector<std::uint32_t> first;
  test::for_each_executor([&](const Executor* executor) {
    Crowd crowd(test::meadow(3, Edge::kPeriodic), 3000, 9, executor);
    ASSERT_TRUE(crowd.neighbours.begin({.radius = 2, .slack = 0.2F}));
    ASSERT_NO_FATAL_FAILURE(crowd.move_some(1500, 1));
    std::vector<std::uint32_t> visits;
    for (std::uint32_t row = 0; row < 3000; row += 10) {
      ASSERT_TRUE(crowd.neighbours.visit(row, 2, [&](std::uint32_t r, float, float, float, float) {
        visits.push_back(crowd.agents.id_of(r).slot);
      }));
    }
    EXPECT_GT(visits.size(), 1000u);
    first = first.empty() ? visits : first;
    EXPECT_EQ(visits, first);
  });
}

TEST(AgentsNeighbours, CostIsThatOfTheNeighbourhood) {
  for (const float slack : {0.2F, 0.0F}) {  // a part, or all of them strays
    Crowd crowd(test::meadow(2, Edge::kPeriodic), 20'000, 5);
    ASSERT_TRUE(crowd.neighbours.begin({.radius = 0.5F, .slack = slack}));
    ASSERT_NO_FATAL_FAILURE(crowd.move_some(60'000, 0.3F));
    EXPECT_GT(crowd.neighbours.strays(), 10'000u);
    std::size_t tested = 0, near = 0;
    for (std::uint32_t row = 0; row < 20'000; row += 20) {
      tested += crowd.neighbours.visit(row, 0.5F, [&](std::uint32_t, float, float, float, float) { ++near; })
                    ->tested;
    }
    EXPECT_GT(near / 1000, 20u);  // about 39 each
    EXPECT_LT(tested, near * 6);
  }
}

TEST(AgentsNeighbours, TheKilledAreSeenNoMoreEvenInTheSearch) {
  Crowd crowd(test::meadow(2, Edge::kWall), 300, 6);
  ASSERT_TRUE(crowd.neighbours.begin({.radius = 1, .slack = 0.01F}));
  ASSERT_NO_FATAL_FAILURE(crowd.move_some(200, 0.5F));
  std::size_t killed = 0;
  ASSERT_TRUE(crowd.neighbours.visit(0, 5, [&](std::uint32_t row, float, float, float, float) {
    crowd.neighbours.kill(row);
    ++killed;
  }));
  EXPECT_GT(killed, 20u);
  EXPECT_TRUE(found(crowd, 0, 5).empty());
  EXPECT_FALSE(crowd.neighbours.killed(0));
  EXPECT_FALSE(crowd.neighbours.killed(9999));
  EXPECT_EQ(crowd.sim.end_step().value()[0].died, killed);
  // Those that were dying before begin() are not seen either.
  ASSERT_TRUE(crowd.agents.sort({.radius = 1}));
  crowd.agents.changes().kill(3);
  ASSERT_TRUE(crowd.neighbours.begin({.radius = 1}));
  EXPECT_TRUE(crowd.neighbours.killed(3));
  EXPECT_EQ(found(crowd, 0, 100).size(), crowd.agents.size() - 2);
}

TEST(AgentsNeighbours, RefusesWhatMakesNoSense) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const auto nobody = [](std::uint32_t, float, float, float, float) { FAIL(); };
  Crowd crowd(test::meadow(2, Edge::kWall), 5, 6);
  Neighbours& neighbours = crowd.neighbours;
  const auto invalid = [](const auto& result) {
    return !result && result.error().code == ErrorCode::kInvalidArgument;
  };
  EXPECT_TRUE(invalid(neighbours.visit(0, 1, nobody)));  // begin() first
  EXPECT_TRUE(invalid(neighbours.move(0, {1, 1, 0})));
  for (const float radius : {0.0F, -1.0F, kNan, kInfinity}) {
    EXPECT_TRUE(invalid(neighbours.begin({.radius = radius})));
    ASSERT_TRUE(neighbours.begin({.radius = 1}));
    EXPECT_TRUE(invalid(neighbours.visit(0, radius, nobody)));
    EXPECT_TRUE(invalid(neighbours.visit_at({}, radius, nobody)));
  }
  EXPECT_TRUE(invalid(neighbours.begin({.radius = 1, .slack = kNan})));
  ASSERT_TRUE(neighbours.begin({.radius = 1}));
  EXPECT_TRUE(invalid(neighbours.visit(5, 1, nobody)));
  EXPECT_TRUE(invalid(neighbours.move(5, {})));
  const Point before = crowd.at(0);
  EXPECT_TRUE(invalid(neighbours.move(0, {11, 0, 0})));
  EXPECT_EQ(test::code_of(neighbours.move(0, {0, kNan, 0})), ErrorCode::kNotFinite);
  EXPECT_EQ(test::code_of(neighbours.move(0, {kInfinity, 0, 0})), ErrorCode::kNotFinite);
  EXPECT_EQ(test::code_of(neighbours.visit_at({kNan, 0, 0}, 1, nobody)), ErrorCode::kNotFinite);
  EXPECT_EQ(crowd.at(0), before);
  EXPECT_TRUE(neighbours.move(0, {10, -10, kNan}));  // on the walls; there is no z
  // What moves agents by other means ends it.
  (void)crowd.agents.write(crowd.agents.position(0));
  EXPECT_TRUE(invalid(neighbours.visit(0, 1, nobody)));
  EXPECT_TRUE(invalid(neighbours.begin({.radius = 1})));  // sort() first
  ASSERT_TRUE(crowd.agents.sort({.radius = 1}));
  ASSERT_TRUE(neighbours.begin({.radius = 1}));
  ASSERT_TRUE(crowd.agents.insert(1));
  EXPECT_TRUE(invalid(neighbours.move(0, {})));
  ASSERT_TRUE(crowd.agents.add_extents());
  ASSERT_TRUE(crowd.agents.sort({.radius = 1}));
  EXPECT_TRUE(invalid(neighbours.begin({.radius = 1})));
}

TEST(AgentsNeighbours, NobodyIsThere) {
  Crowd crowd(test::meadow(3, Edge::kPeriodic), 0, 6);
  ASSERT_TRUE(crowd.neighbours.begin({.radius = 1}));
  EXPECT_TRUE(found_at(crowd, {1, 2, 3}, 50).empty());
}

TEST(AgentsNeighbours, AsksForNoMemoryTheSecondTime) {
  test::CountingResource resource;
  Simulation sim = Simulation::build(test::meadow(2, Edge::kWall)).value();
  Population& agents = *sim.add_population("agents").value();
  ASSERT_TRUE(agents.insert(5000));
  test::place(sim, agents, 0);
  ASSERT_TRUE(agents.sort({.radius = 1}));
  Neighbours neighbours(agents, &resource);
  std::size_t calls = 0;
  for (int round = 0; round < 4; ++round) {
    ASSERT_TRUE(agents.sort({.radius = 1}));
    ASSERT_TRUE(neighbours.begin({.radius = 1}));
    calls = round == 1 ? resource.calls() : calls;
    for (std::uint32_t row = 0; row < 5000; ++row) {
      ASSERT_TRUE(neighbours.move(row, {static_cast<float>(row % 20) - 9.5F, 0, 0}));
    }
  }
  EXPECT_EQ(resource.calls(), calls);
}

}  // namespace
}  // namespace juxta
