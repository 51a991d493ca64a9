// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Every structure of Tay against all pairs: who is seen exactly, sums against double, moves bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "classics/agents/tay.h"
#include "scenes/draws.h"
#include "support/executors.h"

namespace juxta::classics {
namespace {

struct Named {
  TayStructure structure;
  std::string name;
};
const Named kStructures[] = {{TayStructure::kGrid, "grid"},
                             {TayStructure::kKd, "kd"},
                             {TayStructure::kZ, "z"},
                             {TayStructure::kBoxes, "boxes"},
                             {TayStructure::kSimple, "simple"},
                             {TayStructure::kGridPointers, "grid, pointers"},
                             {TayStructure::kKdPointers, "kd, pointers"},
                             {TayStructure::kBoxesPointers, "boxes, pointers"}};

TayBody body(scenes::Draws& draws, float low, float high, float extent) {
  TayBody body;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    body.lo[axis] = draws.uniform(low, high - extent);
    body.hi[axis] = body.lo[axis] + extent;
    body.velocity[axis] = draws.uniform(-1, 1);
  }
  return body;
}

struct Crowd {
  std::string name;
  TayTest test;
  std::vector<TayBody> bodies;
};

std::vector<Crowd> crowds() {
  scenes::Draws draws(61);
  std::vector<Crowd> crowds;
  for (const bool boxes : {false, true}) {
    const auto crowd = [&](const std::string& name, float radius, std::size_t size, auto&& make) {
      crowds.push_back(
          {name + (boxes ? ", boxes" : ", points"), {.size = 200, .radius = radius, .boxes = boxes}, {}});
      for (std::size_t i = 0; i < size; ++i) {
        crowds.back().bodies.push_back(make(i));
      }
    };
    const auto extent = [&](float most) { return boxes ? draws.uniform(0, most) : 0; };
    crowd("none", 10, 0, [&](std::size_t) { return TayBody{}; });
    crowd("one", 10, 1, [&](std::size_t) { return body(draws, 0, 200, extent(5)); });
    crowd("two", 150, 2, [&](std::size_t) { return body(draws, 0, 200, extent(5)); });
    crowd("uniform", 20, 600, [&](std::size_t) { return body(draws, 0, 200, extent(20)); });
    crowd("small radius", 3, 500, [&](std::size_t) { return body(draws, 0, 200, extent(4)); });
    crowd("radius of the whole world", 500, 60, [&](std::size_t) { return body(draws, 0, 200, extent(20)); });
    crowd("one place", 5, 50, [&](std::size_t) { return TayBody{{7, 8, 9}, {7, 8, 9}, {1, 0, 0}}; });
    crowd("clumped", 4, 600, [&](std::size_t i) {
      return i % 5 == 0 ? body(draws, 90, 95, extent(1)) : body(draws, 0, 200, extent(30));
    });
    // Gaps of exactly the radius, and agents exactly on the cuts between partitions.
    crowd("lattice", 25, 400, [&](std::size_t) {
      TayBody at;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        at.lo[axis] = at.hi[axis] = 12.5F * static_cast<float>(draws.below(17));
        at.hi[axis] += boxes ? 12.5F : 0;
        at.velocity[axis] = 12.5F * (static_cast<float>(draws.below(3)) - 1);
      }
      return at;
    });
    // Partitions a little narrower than the radius: agents at the far edges of two that are not next to each
    // other may be near.
    crowd("either side of every cut", 10, 400, [&](std::size_t i) {
      TayBody at;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float cut = 9.9F * static_cast<float>(draws.below(9));
        const float side = draws.below(2) == 0 ? -0.02F : 0.02F;
        at.lo[axis] = at.hi[axis] = i == 0 ? 0 : i == 1 ? 79.2F : std::clamp(cut + side, 0.0F, 79.2F);
      }
      return at;
    });
    crowd("just before every cut", 1, 400, [&](std::size_t i) {
      TayBody at;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto cut = static_cast<float>(1 + draws.below(8));
        const float dust = static_cast<float>(draws.below(16)) * 0x1p-20F;
        at.lo[axis] = at.hi[axis] = i == 0 ? 0 : i == 1 ? 8 : cut - dust;
      }
      return at;
    });
    crowd("flat", 12, 300, [&](std::size_t) {
      TayBody at = body(draws, 0, 200, extent(10));
      at.lo[1] = at.hi[1] = 50;
      return at;
    });
  }
  return crowds;
}

bool near(const TayBody& a, const TayBody& b, float radius) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (b.lo[axis] - a.hi[axis] > radius || a.lo[axis] - b.hi[axis] > radius) {
      return false;
    }
  }
  return true;
}

void expect_seen(const std::vector<TayBody>& before, const std::vector<TayBody>& after, float radius) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::uint32_t seen = 0;
    std::array<double, 3> sum{}, size{};
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (j != i && near(before[i], before[j], radius)) {
        ++seen;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double d = double{before[j].lo[axis]} - double{before[i].lo[axis]};
          sum[axis] += d;
          size[axis] += std::abs(d);
        }
      }
    }
    ASSERT_EQ(after[i].seen, seen) << i;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ASSERT_NEAR(double{after[i].sum[axis]}, sum[axis], 1e-5 * size[axis] + 1e-6) << i;
    }
    ASSERT_EQ(after[i].lo, before[i].lo);
    ASSERT_EQ(after[i].hi, before[i].hi);
    ASSERT_EQ(after[i].velocity, before[i].velocity);
    ASSERT_EQ(after[i].felt, before[i].felt);
  }
}

// What act() makes of one agent.
TayBody acted(TayBody body, float size) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (body.seen > 0) {
      body.felt[axis] += body.sum[axis] / static_cast<float>(body.seen);
    }
    body.sum[axis] = 0;
    const float extent = body.hi[axis] - body.lo[axis];
    body.lo[axis] += body.velocity[axis];
    body.hi[axis] += body.velocity[axis];
    if (body.lo[axis] < 0) {
      body.lo[axis] = 0;
      body.hi[axis] = extent;
      body.velocity[axis] = -body.velocity[axis];
    } else if (body.hi[axis] > size) {
      body.hi[axis] = size;
      body.lo[axis] = size - extent;
      body.velocity[axis] = -body.velocity[axis];
    }
  }
  body.seen = 0;
  return body;
}

void expect_equal(const TayBody& got, const TayBody& want) {
  ASSERT_EQ(got.lo, want.lo);
  ASSERT_EQ(got.hi, want.hi);
  ASSERT_EQ(got.velocity, want.velocity);
  ASSERT_EQ(got.sum, want.sum);
  ASSERT_EQ(got.felt, want.felt);
  ASSERT_EQ(got.seen, want.seen);
}

void expect_steps(TayWorld& world, const Crowd& crowd, int steps) {
  std::vector<TayBody> before = crowd.bodies, after = before;
  world.set(before);
  for (int step = 0; step < steps; ++step) {
    world.sort();
    world.see();
    world.get(after);
    ASSERT_NO_FATAL_FAILURE(expect_seen(before, after, crowd.test.radius)) << "step " << step;
    world.act();
    world.get(before);
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_equal(before[i], acted(after[i], crowd.test.size))) << "step " << step;
    }
  }
}

TEST(ClassicTay, SeesWhatAllPairsSee) {
  for (const Crowd& crowd : crowds()) {
    for (const Named& named : kStructures) {
      for (int correction = 0; correction < 5; ++correction) {
        SCOPED_TRACE(named.name + ", " + crowd.name + ", " + std::to_string(correction));
        TayTest test = crowd.test;
        test.depth_correction = correction;
        const auto world = make_tay(named.structure, test);
        if (world != nullptr) {
          ASSERT_NO_FATAL_FAILURE(expect_steps(*world, crowd, 2));
        }
      }
    }
  }
}

TEST(ClassicTay, SeesTheSameForManySteps) {
  scenes::Draws draws(62);
  for (const bool boxes : {false, true}) {
    Crowd crowd{"", {.size = 120, .radius = 9, .depth_correction = 1, .boxes = boxes}, {}};
    for (int i = 0; i < 250; ++i) {
      crowd.bodies.push_back(body(draws, 0, 120, boxes ? draws.uniform(1, 15) : 0));
      for (float& velocity : crowd.bodies.back().velocity) {
        velocity *= 20;  // Many walls are met.
      }
    }
    for (const Named& named : kStructures) {
      SCOPED_TRACE(named.name);
      const auto world = make_tay(named.structure, crowd.test);
      if (world != nullptr) {
        ASSERT_NO_FATAL_FAILURE(expect_steps(*world, crowd, 60));
      }
    }
  }
}

// Agents move as they would without each other, so all structures must lead them to the same places.
TEST(ClassicTay, StructuresAgreeBitByBit) {
  scenes::Draws draws(63);
  std::vector<TayBody> start;
  for (int i = 0; i < 500; ++i) {
    start.push_back(body(draws, 0, 100, 0));
  }
  std::vector<TayBody> first(start.size()), other(start.size());
  for (const Named& named : kStructures) {
    const auto world = make_tay(named.structure, {.size = 100, .radius = 7});
    world->set(start);
    for (int step = 0; step < 150; ++step) {
      world->step();
    }
    world->get(named.structure == TayStructure::kGrid ? first : other);
    for (std::size_t i = 0; i < start.size() && named.structure != TayStructure::kGrid; ++i) {
      ASSERT_EQ(other[i].lo, first[i].lo) << named.name;
      ASSERT_EQ(other[i].velocity, first[i].velocity) << named.name;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_NEAR(double{other[i].felt[axis]}, double{first[i].felt[axis]}, 1e-3) << named.name;
      }
    }
  }
}

TEST(ClassicTay, GridsTakePointsAlone) {
  for (const Named& named : kStructures) {
    const bool points_alone = named.name.starts_with("grid") || named.name == "z";
    EXPECT_NE(make_tay(named.structure, {.size = 100, .radius = 5}), nullptr) << named.name;
    EXPECT_EQ(make_tay(named.structure, {.size = 100, .radius = 5, .boxes = true}) == nullptr, points_alone)
        << named.name;
  }
}

TEST(ClassicTay, CanBeSetAnew) {
  scenes::Draws draws(64);
  for (const Named& named : kStructures) {
    const TayTest test{.size = 100, .radius = 8};
    const auto world = make_tay(named.structure, test);
    for (const std::size_t size : {300U, 5U, 0U, 2000U}) {
      Crowd crowd{"", test, {}};
      for (std::size_t i = 0; i < size; ++i) {
        crowd.bodies.push_back(body(draws, 0, 100, 0));
      }
      SCOPED_TRACE(named.name);
      ASSERT_NO_FATAL_FAILURE(expect_steps(*world, crowd, 1));
    }
  }
}

// 400 points or boxes, a fifth of them close to each other, so that tasks have unlike work.
Crowd uneven(bool boxes) {
  scenes::Draws draws(65);
  Crowd crowd{"", {.size = 100, .radius = 8, .depth_correction = 1, .boxes = boxes}, {}};
  for (int i = 0; i < 400; ++i) {
    crowd.bodies.push_back(i % 5 == 0 ? body(draws, 30, 40, boxes ? 1 : 0)
                                      : body(draws, 0, 100, boxes ? 4 : 0));
  }
  return crowd;
}

std::vector<TayBody> after_steps(TayStructure structure, const TayTest& test,
                                 const std::vector<TayBody>& start) {
  const auto world = make_tay(structure, test);
  std::vector<TayBody> bodies(start.size());
  world->set(start);
  for (int step = 0; step < 3; ++step) {
    world->step();
  }
  world->sort();
  world->see();
  world->get(bodies);
  return bodies;
}

// However the agents are dealt, a seer adds in one order; and each agent belongs to one task.
TEST(ClassicTay, TasksAndThreadsDoNotChangeABit) {
  for (const bool boxes : {false, true}) {
    const Crowd crowd = uneven(boxes);
    for (const Named& named : kStructures) {
      if (make_tay(named.structure, crowd.test) == nullptr) {
        continue;
      }
      const std::vector<TayBody> want = after_steps(named.structure, crowd.test, crowd.bodies);
      test::for_each_executor([&](const Executor* executor) {
        for (const std::size_t tasks : {1U, 2U, 3U, 7U, 500U}) {
          SCOPED_TRACE(named.name + ", tasks: " + std::to_string(tasks));
          TayTest cut = crowd.test;
          cut.tasks = tasks;
          cut.executor = executor;
          const std::vector<TayBody> got = after_steps(named.structure, cut, crowd.bodies);
          for (std::size_t i = 0; i < want.size(); ++i) {
            ASSERT_NO_FATAL_FAILURE(expect_equal(got[i], want[i])) << i;
          }
        }
      });
    }
  }
}

TEST(ClassicTay, HeavyInteractionsComeToTheSame) {
  for (const bool boxes : {false, true}) {
    const Crowd crowd = uneven(boxes);
    for (const Named& named : kStructures) {
      TayTest heavy = crowd.test;
      heavy.heavy = true;
      if (make_tay(named.structure, heavy) != nullptr) {
        const std::vector<TayBody> want = after_steps(named.structure, crowd.test, crowd.bodies);
        const std::vector<TayBody> got = after_steps(named.structure, heavy, crowd.bodies);
        for (std::size_t i = 0; i < want.size(); ++i) {
          ASSERT_NO_FATAL_FAILURE(expect_equal(got[i], want[i])) << named.name;
        }
      }
    }
  }
}

// Pairs tested, in sum over so many tasks.
std::uint64_t tested(TayStructure structure, const Crowd& crowd, std::size_t tasks) {
  TayTest test = crowd.test;
  test.tasks = tasks;
  const auto world = make_tay(structure, test);
  world->set(crowd.bodies);
  world->sort();
  const std::vector<std::uint64_t> tested = world->tested();
  EXPECT_EQ(tested.size(), tasks);
  return std::accumulate(tested.begin(), tested.end(), std::uint64_t{0});
}

TEST(ClassicTay, CountsThePairsItTests) {
  for (const bool boxes : {false, true}) {
    const Crowd crowd = uneven(boxes);
    std::uint64_t near_pairs = 0;
    for (const TayBody& a : crowd.bodies) {
      for (const TayBody& b : crowd.bodies) {
        near_pairs += &a != &b && near(a, b, crowd.test.radius) ? 1 : 0;
      }
    }
    const std::uint64_t all = crowd.bodies.size() * (crowd.bodies.size() - 1);
    for (const Named& named : kStructures) {
      if (make_tay(named.structure, crowd.test) != nullptr) {
        const std::uint64_t alone = tested(named.structure, crowd, 1);
        EXPECT_GE(alone, near_pairs) << named.name;
        EXPECT_EQ(alone < all, named.structure != TayStructure::kSimple) << named.name;
        EXPECT_LE(alone, all) << named.name;
        EXPECT_EQ(tested(named.structure, crowd, 8), alone) << named.name;
      }
    }
    // Where partitions do not depend on who comes first, agents that stay are tested as often as copied ones.
    EXPECT_EQ(tested(TayStructure::kKd, crowd, 1), tested(TayStructure::kKdPointers, crowd, 1));
    if (!boxes) {
      EXPECT_EQ(tested(TayStructure::kGrid, crowd, 1), tested(TayStructure::kGridPointers, crowd, 1));
    }
  }
}

}  // namespace
}  // namespace juxta::classics
