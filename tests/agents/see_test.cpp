// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Passes against brute force: the same neighbours, whatever the world, the arrangement, the radius, the
// metric and the crowd.
#include "juxta/agents/see.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

using scenes::Draws;
using test::Crowd;
using test::Crowding;
using test::kCrowdings;

constexpr std::array kArrangements{Arrangement::kAuto,    Arrangement::kRows,   Arrangement::kMorton,
                                   Arrangement::kHilbert, Arrangement::kHashed, Arrangement::kTree};
constexpr std::array<std::string_view, 6> kArrangementNames{"auto",    "rows",   "morton",
                                                            "hilbert", "hashed", "tree"};

struct Case {
  World world;
  Crowding crowding = Crowding::kUniform;
  Arrangement arrangement = Arrangement::kAuto;
  std::size_t count = 300;
  float radius = 1;
  float sorted_radius = 0;  // 0: the same
  Metric metric = Metric::kBall;
  bool extents = false, radii = false;
  std::size_t others = 0;  // of a second population, which is seen instead
  bool unsorted = false;   // the seers, then
  std::uint64_t seed = 1;
};

std::string words(const Case& c) {
  return test::name(c.world) + ", " + std::string(test::name(c.crowding)) + ", " +
         std::string(kArrangementNames[static_cast<std::size_t>(c.arrangement)]) + ", " +
         std::to_string(c.count) + " agents, radius " + std::to_string(c.radius) +
         (c.metric == Metric::kBox ? ", box" : "") + (c.extents ? ", extents" : "") +
         (c.radii ? ", radii" : "") + (c.others > 0 ? ", others" : "");
}

Crowd draw_crowd(Draws& draws, const Case& c, std::size_t count) {
  Crowd crowd = test::draw_crowd(draws, c.world, c.crowding, count, c.radius);
  if (c.extents) {
    test::draw_extents(draws, c.world, crowd);
  }
  if (c.radii) {
    test::draw_radii(draws, c.radius, crowd);
  }
  return crowd;
}

/// A table of cells may be refused where it would be absurdly large; nothing else may.
bool may_refuse(const Case& c) {
  return c.arrangement == Arrangement::kRows || c.arrangement == Arrangement::kMorton ||
         c.arrangement == Arrangement::kHilbert;
}

/// "" when the pass is right; nothing when the arrangement was refused.
std::optional<std::string> run(const Case& c) {
  Draws draws(c.seed);
  auto simulation = Simulation::build(c.world).value();
  Population& seers = *simulation.add_population("seers").value();
  const Crowd crowd = draw_crowd(draws, c, c.count), other_crowd = draw_crowd(draws, c, c.others);
  test::fill(seers, crowd, draws);
  Population* seen = &seers;
  if (c.others > 0) {
    seen = simulation.add_population("seen").value();
    test::fill(*seen, other_crowd, draws);
  }
  SortOptions sort;
  sort.radius = c.sorted_radius > 0 ? c.sorted_radius : c.radius;
  sort.arrangement = c.arrangement;
  for (Population* population : {&seers, seen}) {
    const auto done = population->sort(sort);
    if (!done && may_refuse(c) && done.error().code == ErrorCode::kInvalidArgument) {
      return std::nullopt;
    }
    if (!done) {
      return "sort: " + done.error().message;
    }
    if (c.arrangement != Arrangement::kAuto && done->arrangement != c.arrangement) {
      return "sort: another arrangement was taken";
    }
    if (!population->sorted()) {
      return "sort: not sorted";
    }
  }
  std::string found = test::compare_sorted(seers, crowd);
  if (c.unsorted) {
    for (std::uint32_t axis = 0; axis < c.world.dimensions; ++axis) {
      const auto column = seers.write(seers.position(axis));
      std::rotate(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(column.size() / 3),
                  column.end());
      std::reverse(column.begin() + static_cast<std::ptrdiff_t>(column.size() / 2), column.end());
    }
  }
  found = found.empty() && c.others > 0 ? test::compare_sorted(*seen, other_crowd) : found;
  SeeOptions see;
  see.metric = c.metric;
  if (c.radii) {
    see.radii = test::column(seers, "sight");
  }
  return found.empty() ? test::compare_pass(seers, *seen, c.radius, see) : found;
}

void expect_right(const Case& c) {
  EXPECT_EQ(run(c).value_or("refused"), "") << words(c);
}

template <class Body>
void for_each_world(Body&& body) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (std::uint32_t edges = 0; edges < test::world_count(dimensions); ++edges) {
      body(test::make_world(dimensions, edges));
    }
  }
}

TEST(See, EveryWorldAndArrangement) {
  for_each_world([](const World& world) {
    for (const Arrangement arrangement : kArrangements) {
      for (const Metric metric : {Metric::kBall, Metric::kBox}) {
        expect_right({.world = world, .arrangement = arrangement, .radius = 1.3F, .metric = metric});
      }
    }
  });
}

TEST(See, EveryCrowd) {
  std::size_t refused = 0, taken = 0;
  for (const Crowding crowding : kCrowdings) {
    for (const std::uint32_t edges : {0U, 4U, 8U, 5U}) {
      for (const Arrangement arrangement : kArrangements) {
        for (const std::uint32_t dimensions : {2U, 3U}) {
          const Case c{.world = test::make_world(dimensions, edges),
                       .crowding = crowding,
                       .arrangement = arrangement,
                       .radius = 0.75F};
          const auto found = run(c);
          EXPECT_EQ(found.value_or(""), "") << words(c);
          ++(found ? taken : refused);
          EXPECT_TRUE(found || crowding == Crowding::kLonely) << words(c);
        }
      }
    }
  }
  EXPECT_GT(taken, 10 * refused);
}

// From less than the distance of any two to more than the world; in periodic worlds more than half of it.
TEST(See, EveryRadius) {
  for_each_world([](const World& world) {
    for (const float radius : {1e-4F, 0.03F, 0.4F, 3.0F, 5.6F, 9.1F, 40.0F, 1000.0F}) {
      for (const Arrangement arrangement : {Arrangement::kAuto, Arrangement::kTree}) {
        const Case c{.world = world, .arrangement = arrangement, .count = 130, .radius = radius};
        expect_right(c);
      }
    }
  });
}

TEST(See, PairsThatAreExactlyARadiusApart) {
  for (const float radius : {0.5F, 0.3F, 1.1F, 2.75F}) {
    for (const std::uint32_t edges : {0U, 4U, 8U, 26U}) {
      for (const Arrangement arrangement : kArrangements) {
        for (const Metric metric : {Metric::kBall, Metric::kBox}) {
          const std::uint32_t dimensions = edges == 26 ? 3 : 2;
          expect_right({.world = test::make_world(dimensions, edges),
                        .crowding = Crowding::kBorders,
                        .arrangement = arrangement,
                        .radius = radius,
                        .metric = metric});
        }
      }
    }
  }
}

TEST(See, AnotherRadiusThanTheSortedOne) {
  for (const float sorted : {0.2F, 1.0F, 7.0F}) {
    for (const float radius : {0.1F, 0.9F, 2.5F, 30.0F}) {
      for (const std::uint32_t edges : {0U, 4U, 8U}) {
        for (const Arrangement arrangement : kArrangements) {
          expect_right({.world = test::make_world(2, edges),
                        .arrangement = arrangement,
                        .radius = radius,
                        .sorted_radius = sorted});
        }
      }
    }
  }
}

TEST(See, AFewAgents) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 15U, 16U, 17U, 31U, 33U}) {
    for (const std::size_t others : {0U, 1U, 4U, 17U}) {
      for (const Arrangement arrangement : kArrangements) {
        for (const std::uint32_t edges : {0U, 8U}) {
          for (const bool extents : {false, true}) {
            expect_right({.world = test::make_world(2, edges),
                          .arrangement = arrangement,
                          .count = count,
                          .radius = 4,
                          .extents = extents,
                          .others = others});
          }
        }
      }
    }
  }
}

TEST(See, AnotherPopulation) {
  for_each_world([](const World& world) {
    for (const Arrangement arrangement : kArrangements) {
      expect_right({.world = world, .arrangement = arrangement, .count = 120, .radius = 1.5F, .others = 250});
    }
  });
}

// Of many seers, only those look who stand near one of the few: a way of its own.
TEST(See, AFewThatAreSeen) {
  for_each_world([](const World& world) {
    for (const Arrangement arrangement : kArrangements) {
      for (const std::size_t others : {1, 5, 18}) {
        const bool sized = others == 5;
        expect_right({.world = world,
                      .crowding = others == 18 ? Crowding::kClusters : Crowding::kUniform,
                      .arrangement = arrangement,
                      .count = 600,
                      .radius = others == 1 ? 2.5F : 0.4F,
                      .metric = sized ? Metric::kBox : Metric::kBall,
                      .extents = sized,
                      .radii = others == 18,
                      .others = others,
                      .seed = others});
      }
    }
  });
}

TEST(See, SeersThatAreNotSorted) {
  for_each_world([](const World& world) {
    for (const bool extents : {false, true}) {
      expect_right({.world = world,
                    .count = 200,
                    .radius = 1.5F,
                    .extents = extents,
                    .others = 150,
                    .unsorted = true});
    }
  });
}

// Where floats are coarse, and where they are fine.
TEST(See, WorldsOfEverySizeAndPlace) {
  struct Place {
    float lo, size, radius;
  };
  for (const Place& place : {Place{1e6F, 32, 1}, Place{-1e6F, 32, 0.3F}, Place{16'777'216, 500, 7},
                             Place{0, 1e-3F, 1e-4F}, Place{-1e5F, 2e5F, 3e3F}, Place{0, 1e18F, 1e17F},
                             Place{5e-20F, 1e-18F, 1e-19F}, Place{-1, 3, 1.5F}}) {
    for (const Edge edge : {Edge::kWall, Edge::kPeriodic}) {
      for (const Arrangement arrangement : kArrangements) {
        for (const std::uint32_t dimensions : {2U, 3U}) {
          World world;
          world.dimensions = dimensions;
          world.edges.fill(edge);
          world.lo = Vec3::all(place.lo);
          world.hi = Vec3::all(place.lo + place.size);
          for (const Crowding crowding : {Crowding::kUniform, Crowding::kBorders, Crowding::kRing}) {
            expect_right({.world = world,
                          .crowding = crowding,
                          .arrangement = arrangement,
                          .count = 120,
                          .radius = place.radius});
          }
        }
      }
    }
  }
}

TEST(See, AgentsWithSizeAndWithRadiiOfTheirOwn) {
  for_each_world([](const World& world) {
    for (const Arrangement arrangement : kArrangements) {
      for (const int kind : {0, 1, 2, 3, 4}) {
        expect_right({.world = world,
                      .arrangement = arrangement,
                      .count = 150,
                      .radius = 1.25F,
                      .metric = kind % 2 == 0 ? Metric::kBall : Metric::kBox,
                      .extents = kind != 1,
                      .radii = kind != 2,
                      .others = kind == 4 ? 90U : 0U});
      }
    }
  });
}

// Rows of cells are as high as a square of sixteen agents, whatever the radius: from rows of one agent to
// dozens of neighbours in each.
TEST(See, EveryDensity) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    for (const std::uint32_t edges : {dimensions == 2 ? 4U : 13U, dimensions == 2 ? 8U : 26U, 2U}) {
      for (const std::size_t count : {5U, 40U, 700U, 1500U}) {
        for (const double neighbours : {0.1, 1.0, 8.0, 100.0}) {
          const double share = neighbours / static_cast<double>(count);
          const double radius =
              dimensions == 2 ? std::sqrt(160 * share / 3.14) : std::cbrt(1760 * share / 4.19);
          expect_right({.world = test::make_world(dimensions, edges),
                        .arrangement = Arrangement::kRows,
                        .count = count,
                        .radius = static_cast<float>(radius),
                        .seed = count});
        }
      }
    }
  }
}

// More than fits into one piece of any list, and seers by the thousand in one cell.
TEST(See, ThousandsInOneCell) {
  for (const Crowding crowding : {Crowding::kPoint, Crowding::kClusters}) {
    for (const Arrangement arrangement : kArrangements) {
      for (const std::uint32_t edges : {0U, 8U}) {
        expect_right({.world = test::make_world(2, edges),
                      .crowding = crowding,
                      .arrangement = arrangement,
                      .count = 2500,
                      .radius = 0.5F});
      }
    }
  }
}

TEST(See, LargerCrowds) {
  for (const Arrangement arrangement : kArrangements) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      expect_right({.world = test::make_world(dimensions, 8),
                    .arrangement = arrangement,
                    .count = 3000,
                    .radius = 0.8F});
    }
  }
}

}  // namespace
}  // namespace juxta
