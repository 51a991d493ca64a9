// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Passes that see only some of a population: the same neighbours as by brute force.
#include "agents/marked_rows.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "agents/arg_least_rules.h"
#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/reduce.h"
#include "juxta/agents/see.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;

TEST(MarkedRows, NumbersThemInOrder) {
  Draws draws(3);
  for (std::size_t size = 0; size < 200; ++size) {
    for (const std::uint32_t every : {1U, 2U, 40U, 1000U}) {
      std::vector<std::uint8_t> marks(size);
      for (std::uint8_t& mark : marks) {
        mark = draws.below(every) == 0 ? static_cast<std::uint8_t>(1 + draws.below(255)) : 0;
      }
      Workspace scratch;
      const agents_detail::MarkedRows marked(marks, scratch);
      std::uint32_t before = 0;
      for (std::uint32_t row = 0; row < size; ++row) {
        ASSERT_EQ(marked.before(row), before);
        ASSERT_EQ(marked.number(row), marks[row] != 0 ? before : agents_detail::MarkedRows::kUnmarked);
        if (marks[row] != 0) {
          ASSERT_EQ(marked.rows()[before], row);
          ++before;
        }
      }
      ASSERT_EQ(marked.before(static_cast<std::uint32_t>(size)), before);
      ASSERT_EQ(marked.rows().size(), before);
    }
  }
}

struct Case {
  World world;
  std::size_t seers = 500;
  std::uint32_t every = 3;  // one in so many is marked; 0: nobody
  bool others = false;      // a second population is seen
  bool extents = false, radii = false, far = false;
  Crowding crowding = Crowding::kUniform;
  Arrangement arrangement = Arrangement::kAuto;
  Metric metric = Metric::kBall;
  float radius = 2.5F;
};

class Passes {
 public:
  explicit Passes(const Case& c)
      : case_(c),
        simulation_(Simulation::build(c.world).value()),
        seers_(*simulation_.add_population("seers").value()) {
    fill(seers_, c.seers);
    if (c.others) {
      seen_ = simulation_.add_population("seen").value();
      fill(*seen_, 300);
    }
    options_.metric = c.metric;
    options_.among = seen_->find_column<std::uint8_t>("mark").value();
    if (c.radii || c.far) {
      options_.radii = test::column(seers_, "sight");
    }
  }
  [[nodiscard]] std::string compare() { return test::compare_pass(seers_, *seen_, case_.radius, options_); }

  Population& seers() { return seers_; }
  Population& seen() { return *seen_; }
  [[nodiscard]] const SeeOptions& options() const { return options_; }

 private:
  void fill(Population& population, std::size_t count) {
    Crowd crowd = test::draw_crowd(draws_, case_.world, case_.crowding, count, 1.3F);
    if (case_.radii) {
      test::draw_radii(draws_, case_.radius, crowd);
    } else if (case_.far) {
      for (std::size_t i = 0; i < crowd.size(); ++i) {
        crowd.radii.push_back(i % 37 == 0 ? case_.radius : 0.1F * case_.radius * test::draw_unit(draws_));
      }
    }
    if (case_.extents) {
      test::draw_extents(draws_, case_.world, crowd);
    }
    test::fill(population, crowd, draws_);
    const auto marks = population.add_column<std::uint8_t>("mark").value();
    for (std::uint8_t& mark : population.write(marks)) {
      mark = case_.every != 0 && draws_.below(case_.every) == 0
                 ? static_cast<std::uint8_t>(1 + draws_.below(9))
                 : 0;
    }
    test::must(population.sort({.radius = case_.radius, .arrangement = case_.arrangement}).map([](auto) {}));
  }

  Case case_;
  Draws draws_{11};
  Simulation simulation_;
  Population& seers_;
  Population* seen_ = &seers_;
  SeeOptions options_;
};

std::string run(const Case& c) {
  return Passes(c).compare();
}

TEST(MarkedPasses, EveryWorld) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      const World world = test::make_world(dimensions, edges);
      for (const bool others : {false, true}) {
        EXPECT_EQ(run({.world = world, .others = others}), "") << test::name(world);
        EXPECT_EQ(
            run({.world = world, .others = others, .extents = true, .radii = true, .metric = Metric::kBox}),
            "")
            << test::name(world);
      }
    }
  }
}

TEST(MarkedPasses, NobodySomeAndAll) {
  const World world = test::make_world(2, 2);
  test::for_each_isa([&](Isa) {
    for (const std::uint32_t every : {0U, 1U, 2U, 16U, 200U}) {
      for (const std::size_t seers :
           {std::size_t{1}, std::size_t{15}, std::size_t{16}, std::size_t{33}, std::size_t{900}}) {
        for (const bool others : {false, true}) {
          EXPECT_EQ(run({.world = world, .seers = seers, .every = every, .others = others}), "")
              << every << ' ' << seers << ' ' << others;
        }
      }
    }
  });
}

// So few are marked that the pass starts from them (sparse_pass.h), also within one population.
TEST(MarkedPasses, AFewOfMany) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); edges += 2) {
      const World world = test::make_world(dimensions, edges);
      for (const bool others : {false, true}) {
        const std::uint32_t every = others ? 30 : 300;
        EXPECT_EQ(run({.world = world, .seers = 3000, .every = every, .others = others, .radius = 1}), "")
            << test::name(world);
        EXPECT_EQ(run({.world = world,
                       .seers = 3000,
                       .every = every,
                       .others = others,
                       .extents = true,
                       .radii = true,
                       .radius = 1}),
                  "")
            << test::name(world);
      }
    }
  }
}

TEST(MarkedPasses, EveryCrowdAndArrangement) {
  for (const Crowding crowding : test::kCrowdings) {
    for (const Arrangement arrangement : {Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert,
                                          Arrangement::kHashed, Arrangement::kTree}) {
      const World world = test::make_world(3, arrangement == Arrangement::kTree ? 0 : 14);
      EXPECT_EQ(
          run({.world = world, .seers = 300, .every = 2, .crowding = crowding, .arrangement = arrangement}),
          "")
          << test::name(crowding);
    }
  }
}

TEST(MarkedPasses, WithSeersThatSeeFar) {
  for (const std::uint32_t edges : {0U, 4U, 8U}) {
    for (const std::uint32_t every : {1U, 3U, 50U}) {
      EXPECT_EQ(run({.world = test::make_world(2, edges), .seers = 1100, .every = every, .far = true}), "");
      EXPECT_EQ(run({.world = test::make_world(2, edges),
                     .seers = 1100,
                     .every = every,
                     .others = true,
                     .far = true}),
                "");
    }
  }
}

TEST(MarkedPasses, ReductionsToo) {
  Passes passes({.world = test::make_world(2, 8)});
  ASSERT_EQ(passes.compare(), "");
  const std::vector<float> count = test::values(passes.seers(), "count"),
                           masses = test::values(passes.seers(), "masses");
  ASSERT_TRUE(
      reduce(passes.seers(), passes.seen(), 2.5F, Reduction::kSum, "mass", "inner", passes.options()));
  EXPECT_EQ(test::values(passes.seers(), "inner"), masses);
  ASSERT_TRUE(reduce(passes.seers(), passes.seen(), 2.5F, Reduction::kCount, {}, "inner", passes.options()));
  EXPECT_EQ(test::values(passes.seers(), "inner"), count);
}

TEST(MarkedPasses, SayWhoIsNearest) {
  for (const std::size_t seers : {std::size_t{400}, std::size_t{3000}}) {
    for (const bool others : {false, true}) {
      Passes passes(
          {.world = test::make_world(2, 8), .seers = seers, .every = others ? 20U : 200U, .others = others});
      for (const char* name : {"who_nearest", "who_heavy", "who_heaviest"}) {
        test::must(passes.seers().add_references(name, passes.seen()).map([](auto) {}));
      }
      ASSERT_TRUE(see(passes.seers(), passes.seen(), 2.5F, test::WhoIsIt{}, passes.options()));
      const Crowd a = test::crowd_of(passes.seers(), false),
                  b = test::seen_of(passes.seen(), passes.options());
      const auto who = passes.seers().read(passes.seers().find_column<Id>("who_nearest").value());
      for (std::size_t row = 0; row < a.size(); ++row) {
        float least = std::numeric_limits<float>::infinity();
        Id nearest{};
        test::for_each_seen(passes.seers().world(), Metric::kBall, a, row, b, !others, 2.5F,
                            [&](std::size_t other, const test::Sight& sight) {
                              if (sight.distance2 < least) {
                                least = sight.distance2;
                                nearest = passes.seen().id_of(static_cast<std::uint32_t>(other));
                              }
                            });
        ASSERT_EQ(who[row], nearest) << row;
      }
    }
  }
}

TEST(MarkedPasses, RefuseAColumnThatIsNone) {
  Passes passes({.world = test::make_world(2, 0)});
  SeeOptions options;
  for (const std::uint32_t column : {0U, 1234U}) {
    options.among = {column};
    const auto done = see(passes.seers(), passes.seen(), 1, test::Census{1}, options);
    ASSERT_FALSE(done);
    EXPECT_EQ(test::code_of(done), ErrorCode::kInvalidArgument);
    EXPECT_NE(done.error().message.find("among is no column of bytes of 'seers'"), std::string::npos)
        << done.error().message;
  }
}

}  // namespace
}  // namespace juxta
