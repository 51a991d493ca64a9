// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One set of bits for agents that act one after the other: the same on every compiler, level and executor,
// and whatever order they stand in.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "agents/pasture.h"
#include "juxta/agents/sequential.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

struct Nearest {
  float distance2, dx, dy, dz;
  std::uint64_t id;
};

/// Everyone goes a tenth of the way to the nearest other one, hops away at random, dies where it is crowded,
/// and has children where it is not.
void wander(Simulation& sim, Population& agents, Neighbours& neighbours, float radius, std::size_t most,
            const SortOptions& options, const Context& context) {
  ASSERT_TRUE(agents.sort(options, context));
  ASSERT_TRUE(neighbours.begin({.radius = radius}));
  activate_randomly(agents, sim.key(1), [&](std::uint32_t row) {
    std::size_t crowd = 0;
    Nearest nearest{1e30F, 0, 0, 0, 0};
    ASSERT_TRUE(
        neighbours.visit(row, radius, [&](std::uint32_t other, float dx, float dy, float dz, float d2) {
          const std::uint64_t id = random_id(agents.id_of(other));
          if (d2 < nearest.distance2 || (d2 == nearest.distance2 && id < nearest.id)) {
            nearest = {d2, dx, dy, dz, id};
          }
          ++crowd;
        }));
    const auto lot = random_block(sim.key(2), random_id(agents.id_of(row)));
    Vec3 to{};
    const Vec3 way = {nearest.dx, nearest.dy, nearest.dz};
    for (std::uint32_t axis = 0; axis < sim.world().dimensions; ++axis) {
      to[axis] = lot[0] % 8 == 0 ? static_cast<float>(lot[axis + 1] >> 8) * 0x1p-24F * 20 - 10
                                 : agents.read(agents.position(axis))[row] + 0.1F * way[axis];
    }
    ASSERT_TRUE(neighbours.move(row, to));
    if (crowd > most) {
      neighbours.kill(row);
    } else if (crowd < 3) {
      agents.changes().spawn_like(row);
    }
  });
  ASSERT_TRUE(sim.end_step());
}

std::uint64_t hash_of(const Population& agents) {
  std::vector<std::array<std::uint32_t, 2>> ids;
  for (std::uint32_t row = 0; row < agents.size(); ++row) {
    ids.push_back({agents.id_of(row).slot, row});
  }
  std::sort(ids.begin(), ids.end());
  std::uint64_t hash = test::fnv(std::span<const std::uint32_t>());
  for (const auto& [slot, row] : ids) {
    const std::array<std::uint32_t, 2> id = {slot, agents.id_of(row).generation};
    hash = test::fnv(std::span<const std::uint32_t>(id), hash);
    for (std::uint32_t axis = 0; axis < agents.world().dimensions; ++axis) {
      hash = test::fnv(agents.read(agents.position(axis)).subspan(row, 1), hash);
    }
  }
  return hash;
}

std::uint64_t run(std::uint32_t dimensions, Edge edge, float radius, std::size_t most,
                  const SortOptions& options = {.radius = 1}, const Context& context = {}) {
  Simulation sim = Simulation::build(test::meadow(dimensions, edge), 3).value();
  Population& agents = *sim.add_population("agents").value();
  EXPECT_TRUE(agents.insert(800));
  test::place(sim, agents, 5);
  Neighbours neighbours(agents);
  for (int step = 0; step < 8; ++step) {
    wander(sim, agents, neighbours, radius, most, options, context);
  }
  EXPECT_GT(agents.size(), 300u);
  return hash_of(agents);
}

TEST(AgentsSequentialGolden, Town) {
  EXPECT_EQ(run(2, Edge::kPeriodic, 1, 12), 14731140726648584251u);
  EXPECT_EQ(run(3, Edge::kWall, 2, 12), 13031247671681233194u);
  EXPECT_EQ(run(3, Edge::kPeriodic, 11, 2000),
            8017382566541063536u);  // a radius over half the world
}

TEST(AgentsSequentialGolden, TheOrderOfMemoryDoesNotShow) {
  const std::uint64_t first = run(2, Edge::kPeriodic, 1, 12);
  for (const float sort_radius : {0.3F, 4.0F, 50.0F}) {
    EXPECT_EQ(run(2, Edge::kPeriodic, 1, 12, {.radius = sort_radius}), first);
  }
  for (std::uint32_t a = 0; a < 6; ++a) {
    const SortOptions options{.radius = 1, .arrangement = static_cast<Arrangement>(a)};
    EXPECT_EQ(run(2, Edge::kPeriodic, 1, 12, options), first) << a;
  }
}

TEST(AgentsSequentialGolden, OnAnyExecutor) {
  const std::uint64_t first = run(2, Edge::kPeriodic, 1, 12);
  test::for_each_executor([&](const Executor* executor) {
    EXPECT_EQ(run(2, Edge::kPeriodic, 1, 12, {.radius = 1}, {.executor = executor}), first);
  });
}

}  // namespace
}  // namespace juxta
