// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every agent once, in an order that follows from the key and from Ids alone.
#include "juxta/agents/sequential.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "agents/activation_order.h"
#include "agents/pasture.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"

namespace juxta {
namespace {

class AgentsSequential : public ::testing::Test {
 protected:
  AgentsSequential()
      : sim(Simulation::build({}, 5).value()), animals(*sim.add_population("animals").value()) {}
  std::vector<Id> turns(const RandomKey& key) {
    std::vector<Id> ids;
    const std::size_t called =
        activate_randomly(animals, key, [&](std::uint32_t row) { ids.push_back(animals.id_of(row)); });
    EXPECT_EQ(called, ids.size());
    return ids;
  }
  Simulation sim;
  Population& animals;
};

/// The definition, by comparison of whole numbers.
std::vector<Id> expected(const Population& animals, const RandomKey& key) {
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, Id>> all;
  for (std::uint32_t row = 0; row < animals.size(); ++row) {
    const Id id = animals.id_of(row);
    all.push_back({{random_u64(key, random_id(id)), random_id(id)}, id});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Id> ids;
  for (const auto& one : all) {
    ids.push_back(one.second);
  }
  return ids;
}

TEST_F(AgentsSequential, EveryoneOnceInTheOrderOfTheKey) {
  for (const std::size_t more : {0u, 1u, 1u, 60u, 3000u}) {
    ASSERT_TRUE(animals.insert(more));
    EXPECT_EQ(turns(sim.key(1)), expected(animals, sim.key(1)));
    EXPECT_EQ(turns(sim.key(2)), expected(animals, sim.key(2)));
  }
  EXPECT_NE(turns(sim.key(1)), turns(sim.key(2)));
  const auto now = turns(sim.key(1));
  ASSERT_TRUE(sim.end_step());
  EXPECT_NE(turns(sim.key(1)), now);
}

TEST_F(AgentsSequential, WhereTheyStandInMemoryDoesNotMatter) {
  ASSERT_TRUE(animals.insert(2000));
  const auto before = turns(sim.key(1));
  test::place(sim, animals, 7);
  ASSERT_TRUE(animals.sort({.radius = 1}));
  ASSERT_NE(animals.id_of(0).slot, 0u);  // they did move
  EXPECT_EQ(turns(sim.key(1)), before);
}

TEST(AgentsSequentialOrder, EqualKeysGoByIds) {
  IdTable ids;
  for (std::uint32_t i = 0; i < 64; ++i) {
    ASSERT_TRUE(ids.insert());
  }
  for (std::uint32_t i = 0; i < 64; i += 2) {
    ASSERT_TRUE(ids.remove(Id{i, 1}));
  }
  while (ids.size() < 80) {
    ASSERT_TRUE(ids.insert());
  }
  std::vector<std::uint32_t> order(80), rows(80);
  std::vector<std::uint64_t> keys(80);
  scenes::Draws draws(1);
  for (std::uint32_t i = 0; i < 80; ++i) {
    order[i] = rows[i] = i;
    keys[i] = draws.below(3);
  }
  draws.shuffle(order);
  ASSERT_TRUE(ids.reorder(order));
  std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t>> due;
  for (std::uint32_t row = 0; row < 80; ++row) {
    due.push_back({{keys[row], random_id(ids.id_of(row))}, row});
  }
  std::sort(due.begin(), due.end());
  Workspace workspace;
  agents_detail::activation_order(keys, rows, ids, workspace);
  for (std::size_t i = 0; i < due.size(); ++i) {
    EXPECT_EQ(rows[i], due[i].second);
  }
}

TEST_F(AgentsSequential, TheDyingAreWokenNoMore) {
  ASSERT_TRUE(animals.insert(3000));
  animals.changes().kill(5);
  animals.for_each([](std::uint32_t row, Changes& changes) {
    if (row == 2000) {
      changes.kill(row);
    }
  });
  std::set<std::uint32_t> dead{5, 2000}, woken;
  const std::size_t called = activate_randomly(animals, sim.key(1), [&](std::uint32_t row) {
    ASSERT_EQ(dead.count(row), 0u);
    ASSERT_TRUE(woken.insert(row).second);
    const std::uint32_t victim = (row * 7 + 1) % 3000;
    animals.changes().kill(victim);
    dead.insert(victim);
    animals.changes().spawn_like(row);  // not called in this pass
    if (row % 100 == 0) {
      animals.changes().kill(row);  // oneself
      dead.insert(row);
    }
  });
  EXPECT_EQ(called, woken.size());
  EXPECT_GT(woken.size(), 1000u);
  std::size_t met = 0;
  for (std::uint32_t row = 0; row < 3000; ++row) {
    met += dead.count(row) + woken.count(row) > 0;
  }
  EXPECT_EQ(met, 3000u);  // nobody else was left out
  const auto report = sim.end_step().value()[0];
  EXPECT_EQ(report.died, dead.size());
  EXPECT_EQ(report.born, woken.size());
  EXPECT_EQ(turns(sim.key(1)).size(), animals.size());
}

TEST(AgentsSequentialMemory, AsksForNothingTheSecondTime) {
  test::CountingResource resource;
  Simulation sim = Simulation::build({}, 5, &resource).value();
  Population& animals = *sim.add_population("animals").value();
  ASSERT_TRUE(animals.insert(20'000));
  std::size_t sum = 0, calls = 0;
  for (int i = 0; i < 6; ++i) {
    calls = i == 2 ? resource.calls() : calls;
    activate_randomly(animals, sim.key(0), [&](std::uint32_t row) { sum += row; });
  }
  EXPECT_EQ(resource.calls(), calls);
  EXPECT_EQ(sum, 6u * (20'000ull * 19'999 / 2));
}

}  // namespace
}  // namespace juxta
