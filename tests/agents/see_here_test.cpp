// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rules in the program itself, compiled with flags that tempt the compiler (tests/agents/CMakeLists.txt): the
// bits of the same rules in a file of their own.
#include "juxta/agents/see_here.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "agents/see_here_oracle.h"
#include "scenes/draws.h"
#include "support/code_of.h"

namespace juxta {
namespace {

template <class F>
struct SeenMass {
  JUXTA_COLUMNS(mass);
};
template <class F>
struct Pushed {
  JUXTA_TOTALS(Sum(push_x), Sum(push_y), Sum(push_z), Sum(lengths));
};
template <class F>
struct Nearest {
  JUXTA_TOTALS(Least(nearest), ArgLeast(who));
};

struct Move {
  template <class F>
  struct Reads {
    JUXTA_COLUMNS(push_x, push_y);
  };
  template <class F>
  struct Writes {
    JUXTA_COLUMNS(vx, vy);
  };
  template <class F>
  void operator()(const Reads<F>& in, Writes<F>& agent) const {
    agent.vx += in.push_x * F(0.3F) - in.push_y * F(0.7F);
    agent.vy += in.push_y * F(0.3F) + in.push_x * F(0.7F);
  }
};

/// test::Push under another name, so that the linker cannot take the one of the file of rules.
struct PushHere : test::Push {};

/// The same as a lambda.
auto push_as_lambda() {
  return interaction<NoColumns, SeenMass, Pushed>(
      [rules = test::Push{}](const auto& pair, const auto& seer, const auto& seen, auto& found) {
        using F = std::remove_cvref_t<decltype(pair.dx)>;
        test::Push::Found<F> same{found.push_x, found.push_y, found.push_z, found.lengths};
        rules(pair, seer, test::Push::Seen<F>{seen.mass}, same);
        found = {same.push_x, same.push_y, same.push_z, same.lengths};
      });
}

Population& crowd_in(Simulation& simulation, std::size_t count) {
  scenes::Draws draws(9);
  Population& crowd = *simulation.add_population("crowd").value();
  test::fill(crowd, test::draw_crowd(draws, simulation.world(), test::Crowding::kUniform, count, 1), draws);
  test::must(crowd.add_references("who", crowd).map([](auto) {}));
  test::must(crowd.sort({.radius = 1.1F}).map([](auto) {}));
  return crowd;
}

TEST(SeeHere, HasTheBitsOfAFileOfRules) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += 4) {
      auto simulation = Simulation::build(test::make_world(dimensions, edges)).value();
      Population& crowd = crowd_in(simulation, 900);
      const std::vector<std::string> names{"push_x", "push_y", "push_z", "lengths"};
      ASSERT_TRUE(see(crowd, crowd, 1.1F, test::Push{}));
      std::vector<std::vector<float>> right;
      for (const std::string& name : names) {
        right.push_back(test::values(crowd, name));
      }
      ASSERT_TRUE(see_here(crowd, crowd, 1.1F, PushHere{}));
      for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(test::values(crowd, names[i]), right[i]) << names[i];
      }
      ASSERT_TRUE(see_here(crowd, crowd, 1.1F, push_as_lambda()));
      for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(test::values(crowd, names[i]), right[i]) << names[i] << ", as a lambda";
      }
    }
  }
}

TEST(SeeHere, FindsWhoIsNearest) {
  auto simulation = Simulation::build(test::make_world(2, 0)).value();
  Population& crowd = crowd_in(simulation, 300);
  const auto ask = interaction<NoColumns, NoColumns, Nearest>(
      [](const auto& pair, const auto& /*seer*/, const auto& /*seen*/, auto& found) {
        found.nearest.add(pair.distance2);
        found.who.add(pair.distance2);
      });
  ASSERT_TRUE(see_here(crowd, crowd, 4, ask));
  const test::Crowd all = test::crowd_of(crowd, false);
  const auto who = crowd.read(crowd.find_column<Id>("who").value());
  const std::vector<float> nearest = test::values(crowd, "nearest");
  for (std::size_t row = 0; row < all.size(); ++row) {
    const test::NearestSeen least = test::nearest_seen(simulation.world(), all, row, 4);
    ASSERT_EQ(nearest[row], least.distance2);
    ASSERT_EQ(who[row],
              std::isinf(least.distance2) ? Id{} : crowd.id_of(static_cast<std::uint32_t>(least.row)));
  }
}

TEST(SeeHere, ActsWithoutFusing) {
  auto simulation = Simulation::build(test::make_world(2, 0)).value();
  Population& crowd = crowd_in(simulation, 500);
  ASSERT_TRUE(see_here(crowd, crowd, 1.1F, PushHere{}));
  const auto x = test::values(crowd, "push_x"), y = test::values(crowd, "push_y");
  ASSERT_TRUE(act_here(crowd, Move{}));
  const auto vx = test::values(crowd, "vx"), vy = test::values(crowd, "vy");
  for (std::size_t row = 0; row < x.size(); ++row) {
    volatile float a = x[row] * 0.3F, b = y[row] * 0.7F, c = y[row] * 0.3F, d = x[row] * 0.7F;
    ASSERT_EQ(vx[row], a - b) << row;
    ASSERT_EQ(vy[row], c + d) << row;
  }
}

TEST(SeeHere, RefusesAsSeeDoes) {
  auto simulation = Simulation::build(test::make_world(2, 0)).value();
  Population& crowd = crowd_in(simulation, 20);
  const auto done = see_here(crowd, crowd, -1, push_as_lambda());
  ASSERT_FALSE(done);
  EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace juxta
