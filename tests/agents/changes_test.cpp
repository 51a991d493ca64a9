// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Births and deaths, beside a plain list.
#include "juxta/agents/changes.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "juxta/agents/simulation.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Bytes3 = std::array<std::uint8_t, 3>;  // a size that no kernel knows

struct Herd {
  explicit Herd(std::pmr::memory_resource* resource = huge_page_resource())
      : sim(Simulation::build({}, 0, resource).value()), animals(*sim.add_population("animals").value()) {}
  Simulation sim;
  Population& animals;
  Column<std::uint32_t> name = animals.add_column<std::uint32_t>("name", 77).value();
  Column<double> weight = animals.add_column<double>("weight", 0.5).value();
  Column<Bytes3> marks = animals.add_column<Bytes3>("marks", {1, 2, 3}).value();
};

struct Animal {
  std::uint32_t name = 77;
  double weight = 0.5;
  Bytes3 marks = {1, 2, 3};
  float y = 0;
};

void expect_like(const Herd& herd, const std::vector<Animal>& plain) {
  const Population& animals = herd.animals;
  ASSERT_EQ(animals.size(), plain.size());
  for (std::size_t row = 0; row < plain.size(); ++row) {
    ASSERT_EQ(animals.read(herd.name)[row], plain[row].name) << row;
    ASSERT_EQ(animals.read(herd.weight)[row], plain[row].weight) << row;
    ASSERT_EQ(animals.read(herd.marks)[row], plain[row].marks) << row;
    ASSERT_EQ(animals.read(animals.position(1))[row], plain[row].y) << row;
  }
}

TEST(AgentsChanges, NewbornsHaveInitialOrParentsValues) {
  Herd herd;
  ASSERT_TRUE(herd.animals.insert(2));
  herd.animals.write(herd.name)[1] = 5;
  Changes& changes = herd.animals.changes();
  changes.spawn();
  changes.spawn().set(herd.name, 8U).set(herd.weight, 2.0).set(herd.animals.position(1), 4.0F);
  changes.spawn_like(1).set(herd.marks, {9, 9, 9});
  changes.spawn().set(Column<float>{}, 3.0F).set(Column<float>{99}, 3.0F).set(Column<double>{0}, 3.0);
  changes.spawn_like(2);                 // not there yet
  herd.animals.write(herd.name)[1] = 6;  // later than the birth was noted
  EXPECT_EQ(herd.animals.size(), 2u);
  ASSERT_TRUE(herd.sim.end_step());
  expect_like(herd, {{}, {.name = 6}, {}, {8, 2.0, {1, 2, 3}, 4.0F}, {5, 0.5, {9, 9, 9}, 0}, {}, {}});
}

TEST(AgentsChanges, AColumnThatComesBetweenIsBornToo) {
  Herd herd;
  ASSERT_TRUE(herd.animals.insert(1));
  herd.animals.changes().spawn().set(herd.name, 1U);
  herd.animals.for_each([&](std::uint32_t, Changes& changes) { changes.spawn().set(herd.name, 2U); });
  const auto late = herd.animals.add_column<std::uint8_t>("late", 200).value();
  herd.animals.changes().spawn().set(herd.name, 3U).set(late, std::uint8_t{7});
  ASSERT_TRUE(herd.sim.end_step());
  expect_like(herd, {{}, {.name = 1}, {.name = 3}, {.name = 2}});
  const auto values = herd.animals.read(late);
  EXPECT_EQ(std::vector<std::uint8_t>(values.begin(), values.end()),
            (std::vector<std::uint8_t>{200, 200, 7, 200}));
}

TEST(AgentsChanges, DyingTwiceIsDyingOnce) {
  Herd herd;
  ASSERT_TRUE(herd.animals.insert(3));
  for (std::uint32_t row = 0; row < 3; ++row) {
    herd.animals.write(herd.name)[row] = row;
  }
  herd.animals.changes().kill(1);
  herd.animals.changes().kill(1);
  herd.animals.changes().kill(3);  // not there
  herd.animals.changes().kill(~0U);
  herd.animals.for_each([&](std::uint32_t, Changes& changes) { changes.kill(1); });
  EXPECT_EQ(herd.sim.end_step().value()[0].died, 1u);
  expect_like(herd, {{.name = 0}, {.name = 2}});
}

TEST(AgentsChanges, TheDyingBearChildrenAndAllMayDie) {
  Herd herd;
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(herd.animals.insert(2000));
    const Id old = herd.animals.id_of(7);
    herd.animals.for_each([&](std::uint32_t row, Changes& changes) { changes.kill(row); });
    EXPECT_EQ(herd.sim.end_step().value()[0].died, 2000u);
    EXPECT_EQ(herd.animals.size(), 0u);
    EXPECT_TRUE(herd.animals.read(herd.name).empty());
    EXPECT_FALSE(herd.animals.alive(old));
    EXPECT_EQ(herd.sim.end_step().value()[0].died, 0u);
    herd.animals.changes().spawn().set(herd.name, 4U);  // and come back
    EXPECT_EQ(herd.sim.end_step().value()[0].born, 1u);
    expect_like(herd, {{.name = 4}});
    EXPECT_FALSE(herd.animals.alive(old));
    herd.animals.changes().spawn_like(0);
    herd.animals.changes().kill(0);
    ASSERT_TRUE(herd.sim.end_step());
    expect_like(herd, {{.name = 4}});
    herd.animals.changes().kill(0);
    ASSERT_TRUE(herd.sim.end_step());
  }
}

TEST(AgentsChanges, FewOrManyMayDieAndTheOthersKeepTheirOrder) {
  for (const std::uint32_t every : {2U, 3U, 23U, 24U, 25U, 400U}) {
    for (const bool others : {false, true}) {
      Herd herd;
      const auto byte = herd.animals.add_column<std::uint8_t>("byte").value();
      ASSERT_TRUE(herd.animals.insert(1000));
      std::vector<Animal> plain;
      for (std::uint32_t row = 0; row < 1000; ++row) {
        const Animal animal{
            row, row * 0.5, {1, static_cast<std::uint8_t>(row % 251), 3}, static_cast<float>(row)};
        herd.animals.write(herd.name)[row] = animal.name;
        herd.animals.write(herd.weight)[row] = animal.weight;
        herd.animals.write(herd.marks)[row] = animal.marks;
        herd.animals.write(herd.animals.position(1))[row] = animal.y;
        herd.animals.write(byte)[row] = animal.marks[1];
        if ((row % every == 1) != others) {
          herd.animals.changes().kill(row);
        } else {
          plain.push_back(animal);
        }
      }
      ASSERT_TRUE(herd.sim.end_step());
      expect_like(herd, plain);
      for (std::uint32_t row = 0; row < plain.size(); ++row) {
        ASSERT_EQ(herd.animals.read(byte)[row], plain[row].marks[1]);
        ASSERT_EQ(herd.animals.id_of(row).slot, plain[row].name);
      }
    }
  }
}

/// What a rule does to one animal, and to the plain list: a function of its name alone.
bool dies(std::uint32_t name, std::uint32_t step) {
  return (name * 2654435761U + step * 40503U) % 7 < 2;
}
std::uint32_t litter(std::uint32_t name, std::uint32_t step) {
  return (name * 2246822519U + step * 97U) % 5 < 3 ? name % 3 : 0;
}

void step_plain(std::vector<Animal>& plain, std::uint32_t step) {
  std::vector<Animal> next, born;
  for (int first = 0; first < 2; ++first) {
    born.push_back({.name = step * 2 + static_cast<std::uint32_t>(first)});
  }
  for (Animal& animal : plain) {
    animal.weight += 1;
    for (std::uint32_t i = 0; i < litter(animal.name, step); ++i) {
      born.push_back(animal);
      born.back().name = animal.name * 31 + i;
      born.back().y = static_cast<float>(i);
    }
    if (!dies(animal.name, step)) {
      next.push_back(animal);
    }
  }
  plain = std::move(next);
  plain.insert(plain.end(), born.begin(), born.end());
}

void step_herd(Herd& herd, std::uint32_t step, const Executor* executor) {
  const auto names = herd.animals.read(herd.name);
  const auto weights = herd.animals.write(herd.weight);
  herd.animals.for_each(
      [&](std::uint32_t row, Changes& changes) {
        weights[row] += 1;
        for (std::uint32_t i = 0; i < litter(names[row], step); ++i) {
          changes.spawn_like(row)
              .set(herd.name, names[row] * 31 + i)
              .set(herd.animals.position(1), static_cast<float>(i));
        }
        if (dies(names[row], step)) {
          changes.kill(row);
        }
      },
      {.executor = executor});
  for (int first = 0; first < 2; ++first) {  // before those of the ranges, though noted later
    herd.animals.changes().spawn().set(herd.name, step * 2 + static_cast<std::uint32_t>(first));
  }
}

TEST(AgentsChanges, LongHistoriesAreThoseOfAPlainListOnAnyExecutor) {
  test::for_each_executor([](const Executor* executor) {
    Herd herd;
    std::vector<Animal> plain(3000);
    ASSERT_TRUE(herd.animals.insert(plain.size()));
    for (std::uint32_t row = 0; row < plain.size(); ++row) {
      herd.animals.write(herd.name)[row] = plain[row].name = row;
    }
    std::map<std::uint64_t, std::uint32_t> names;  // whose Id it is, for life
    for (std::uint32_t step = 0; step < 12; ++step) {
      step_herd(herd, step, executor);
      const std::size_t before = plain.size();
      step_plain(plain, step);
      const auto reports = herd.sim.end_step().value();
      EXPECT_EQ(before + reports[0].born - reports[0].died, plain.size());
      ASSERT_NO_FATAL_FAILURE(expect_like(herd, plain));
      for (std::uint32_t row = 0; row < plain.size(); ++row) {
        const Id id = herd.animals.id_of(row);
        ASSERT_EQ(herd.animals.row_of(id).value(), row);
        ASSERT_EQ(names.try_emplace(random_id(id), plain[row].name).first->second, plain[row].name);
      }
    }
    EXPECT_GT(plain.size(), 3000u);
  });
}

TEST(AgentsChanges, TwoPassesOfAStepCountOneAfterTheOther) {
  Herd herd;
  ASSERT_TRUE(herd.animals.insert(1030));
  for (std::uint32_t pass = 0; pass < 2; ++pass) {
    herd.animals.for_each([&](std::uint32_t row, Changes& changes) {
      if (row == 0 || row == 1029) {
        changes.spawn().set(herd.name, pass * 10'000 + row);
      }
    });
  }
  ASSERT_TRUE(herd.sim.end_step());
  ASSERT_EQ(herd.animals.size(), 1034u);
  const auto names = herd.animals.read(herd.name);
  EXPECT_EQ(names[1030], 0u);
  EXPECT_EQ(names[1031], 1029u);
  EXPECT_EQ(names[1032], 10'000u);
  EXPECT_EQ(names[1033], 11'029u);
}

TEST(AgentsChanges, EveryRowOnceInRangesOf1024) {
  Herd herd;
  for (const std::size_t more : {0u, 1u, 1023u, 1u, 4000u}) {
    ASSERT_TRUE(herd.animals.insert(more));
    std::vector<std::atomic<int>> met(herd.animals.size());
    std::vector<std::atomic<Changes*>> given(herd.animals.size() / 1024 + 1);
    std::atomic<bool> shared{false};
    test::for_each_executor([&](const Executor* executor) {
      for (auto& changes : given) {
        changes = nullptr;
      }
      herd.animals.for_each(
          [&](std::uint32_t row, Changes& changes) {
            ++met[row];
            Changes* before = nullptr;
            shared = shared ||
                     (!given[row / 1024].compare_exchange_strong(before, &changes) && before != &changes);
          },
          {.executor = executor});
      for (auto& times : met) {
        ASSERT_EQ(times.exchange(0), 1);
      }
    });
    EXPECT_FALSE(shared);
    ASSERT_TRUE(herd.sim.end_step());
  }
}

TEST(AgentsChanges, ASteadyHerdAsksForNoMemory) {
  test::CountingResource resource;
  Herd herd(&resource);
  ASSERT_TRUE(herd.animals.insert(20'000));
  std::size_t calls = 0;
  for (std::uint32_t step = 0; step < 20; ++step) {
    calls = step == 2 ? resource.calls() : calls;
    for (std::uint32_t row = 0; row < 500; ++row) {
      herd.animals.changes().kill(row * 7);
      herd.animals.changes().spawn_like(row);
    }
    ASSERT_TRUE(herd.sim.end_step());
    ASSERT_EQ(herd.animals.size(), 20'000u);
  }
  EXPECT_EQ(resource.calls(), calls);
}

}  // namespace
}  // namespace juxta
