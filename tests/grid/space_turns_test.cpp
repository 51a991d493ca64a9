// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// act_below() and move_below() beside a loop over all agents, each asked at its turn by counting all others.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "juxta/grid/grid_space.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "tests/grid/spaces.h"

namespace juxta {
namespace {

using Rows = std::vector<std::uint32_t>;

std::uint64_t split_mix(std::uint64_t state, std::uint64_t number) {
  std::uint64_t z = state + (number + 1) * 0x9E37'79B9'7F4A'7C15U;
  z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
  z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
  return z ^ (z >> 31);
}

/// All rows below `rows`, in the order of their turns.
Rows all_turns(const RandomKey& order, std::uint32_t rows) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> turns;
  for (std::uint32_t row = 0; row < rows; ++row) {
    turns.emplace_back(split_mix(random_u64(order, 0), row), row);
  }
  std::ranges::sort(turns);
  Rows sorted;
  for (const auto& [word, row] : turns) {
    sorted.push_back(row);
  }
  return sorted;
}

/// By looking at all rows below `rows`.
std::uint32_t alike_by_counting(const GridSpace& space, std::uint32_t row, std::uint32_t rows) {
  const GridSpaceOptions& options = space.options();
  std::uint32_t count = 0;
  for (std::uint32_t other = 0; other < rows; ++other) {
    count += other != row && space.cell_of(other) != GridSpace::kNoCell &&
                     space.kind_of(other) == space.kind_of(row) &&
                     test::is_near(options.grid, options.near, space.cell_of(row), space.cell_of(other))
                 ? 1
                 : 0;
  }
  return count;
}

/// The loop that act_below() stands for.
template <class Body>
Rows act_on_all(GridSpace& space, std::uint32_t enough, const RandomKey& order, std::uint32_t rows,
                const Body& body) {
  Rows acted;
  for (const std::uint32_t row : all_turns(order, rows)) {
    if (space.cell_of(row) != GridSpace::kNoCell && alike_by_counting(space, row, rows) < enough) {
      acted.push_back(row);
      EXPECT_TRUE(body(space, row));
    }
  }
  return acted;
}

template <class Body>
Rows act_by_space(GridSpace& space, std::uint32_t enough, const RandomKey& order, const Body& body) {
  Rows acted;
  EXPECT_TRUE(space.act_below(enough, order, [&](std::uint32_t row) -> Result<void> {
    acted.push_back(row);
    return body(space, row);
  }));
  return acted;
}

void expect_same(const GridSpace& a, const GridSpace& b, std::uint32_t rows) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.free_count(), b.free_count());
  for (std::uint32_t row = 0; row < rows; ++row) {
    ASSERT_EQ(a.cell_of(row), b.cell_of(row)) << row;
    ASSERT_EQ(a.alike(row), b.alike(row)) << row;
    ASSERT_EQ(a.unlike(row), b.unlike(row)) << row;
  }
  for (std::uint32_t cell = 0; cell < a.grid().size(); ++cell) {
    ASSERT_EQ(a.agent_in(cell), b.agent_in(cell)) << cell;
  }
}

struct Case {
  GridSpaceOptions options;
  std::uint32_t agents;
  std::uint64_t seed;
};

GridSpace fill(const Case& given) {
  GridSpace space = *GridSpace::build(given.options);
  const auto cells = static_cast<std::uint32_t>(given.options.grid.size());
  scenes::Draws draws(given.seed);
  Rows order(cells);
  random_order({given.seed, 0, 77}, order);
  for (std::uint32_t row = 0; row < given.agents; ++row) {
    const std::uint32_t cell = given.options.holds == CellHolds::kOne ? order[row] : draws.below(cells);
    EXPECT_TRUE(space.insert(row, cell, static_cast<std::uint8_t>(draws.below(given.options.kinds))));
  }
  return space;
}

/// Grids of all shapes and edges, empty to full; counts in bytes and in words, lines of 4, 8, 16 and more.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  scenes::Draws draws(5);
  std::vector<CellGrid> grids = test::all_grids();
  for (const std::array<std::uint32_t, 3> cells :
       {std::array<std::uint32_t, 3>{40, 23, 1}, {70, 5, 1}, {3, 90, 1}}) {
    grids.push_back({.cells = cells});
    grids.push_back({.cells = cells});  // with other kinds and radii
    grids.push_back({.cells = cells, .edges = {Edge::kPeriodic, Edge::kPeriodic}});
  }
  for (const CellGrid& grid : grids) {
    for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
      const auto size = static_cast<std::uint32_t>(grid.size());
      for (const std::uint32_t agents : {0U, 1U, size / 3, size * 4 / 5, size - 1, size}) {
        constexpr std::uint32_t kRadii[] = {1, 2, 3, 4, 5, 7, 8, 9};
        const Neighbourhood near{kRadii[draws.below(8)],
                                 draws.below(3) > 0 ? NearShape::kMoore : NearShape::kVonNeumann};
        cases.push_back({.options = {.grid = grid, .holds = holds, .kinds = 1 + draws.below(3), .near = near},
                         .agents = agents,
                         .seed = draws.below(1000)});
      }
    }
  }
  return cases;
}

/// Limits around the counts that there are.
std::uint32_t some_limit(scenes::Draws& draws, const GridSpace& space, std::uint32_t agents) {
  if (agents == 0 || draws.below(8) == 0) {
    constexpr std::uint32_t kSpecial[] = {0, 254, 255, 256, ~0U};
    return kSpecial[draws.below(5)];
  }
  return space.alike(draws.below(agents)) + draws.below(3);
}

/// Passes one after the other, whose bodies are made for the pass; both spaces stay the same.
template <class MakeBody>
void expect_same_passes(const MakeBody& make_body, std::uint32_t spare_rows) {
  scenes::Draws draws(9);
  std::size_t acted = 0;
  for (const Case& given : all_cases()) {
    SCOPED_TRACE(test::name_of(given.options.grid, given.options.near) + " agents " +
                 std::to_string(given.agents) + " seed " + std::to_string(given.seed));
    GridSpace fast = fill(given), slow = fill(given);
    const std::uint32_t rows = given.agents + spare_rows;
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
      const std::uint32_t enough = some_limit(draws, fast, given.agents);
      const RandomKey order{given.seed, pass, 1};
      const auto body = make_body(RandomKey{given.seed, pass, 2}, rows);
      const Rows expected = act_on_all(slow, enough, order, rows, body);
      ASSERT_EQ(act_by_space(fast, enough, order, body), expected) << "enough: " << enough;
      acted += expected.size();
      expect_same(fast, slow, rows);
      if (testing::Test::HasFailure()) {
        return;
      }
    }
  }
  EXPECT_GT(acted, 10'000U);
}

/// Stays if no cell is free.
Result<void> move_if_free(GridSpace& space, std::uint32_t row, const RandomKey& key) {
  return space.free_count() == 0 ? Result<void>() : space.move_to_free(row, key).map([](std::uint32_t) {});
}

TEST(SpaceTurns, AgentsMoveToFreeCells) {
  test::for_each_isa([](Isa) {
    expect_same_passes(
        [](const RandomKey& key, std::uint32_t) {
          return [key](GridSpace& space, std::uint32_t row) { return move_if_free(space, row, key); };
        },
        0);
  });
}

TEST(SpaceTurns, BodiesChangeOtherAgents) {
  test::for_each_isa([](Isa) {
    expect_same_passes(
        [](const RandomKey& key, std::uint32_t rows) {
          return [=](GridSpace& space, std::uint32_t row) -> Result<void> {
            const auto words = random_block(key, row);
            const std::uint32_t other = random_below(words[1], rows);
            const bool there = space.cell_of(other) != GridSpace::kNoCell, room = space.free_count() > 0;
            switch (words[0] % 6) {
              case 0:
                return there ? space.remove(other) : Result<void>();
              case 1:  // also a row that is higher than all others
                return !there && room
                           ? space.insert(other, *space.free_cell(key, other),
                                          static_cast<std::uint8_t>(words[2] % space.options().kinds))
                           : Result<void>();
              case 2:
                return there ? move_if_free(space, other, key) : Result<void>();
              case 3:
                return there && room ? space.move(other, *space.nearest_free(space.cell_of(other)))
                                     : Result<void>();
              case 4:
                return {};
              default:
                return move_if_free(space, row, key);
            }
          };
        },
        40);
  });
}

TEST(SpaceTurns, MoveBelowIsActBelowThatMoves) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(3);
    std::size_t moves = 0;
    for (const Case& given : all_cases()) {
      SCOPED_TRACE(test::name_of(given.options.grid, given.options.near) + " agents " +
                   std::to_string(given.agents) + " seed " + std::to_string(given.seed));
      GridSpace fast = fill(given), slow = fill(given);
      for (std::uint32_t pass = 0; pass < 4; ++pass) {
        const std::uint32_t enough = some_limit(draws, fast, given.agents);
        const RandomKey order{given.seed, pass, 1}, key{1ULL << 40 | given.seed, pass, 2};
        Rows expected;
        const auto acted = slow.act_below(enough, order, [&](std::uint32_t row) {
          expected.push_back(row);
          return slow.move_to_free(row, key).map([](std::uint32_t) {});
        });
        const auto moved = fast.move_below(enough, order, key);
        ASSERT_EQ(moved.has_value(), acted.has_value());
        if (moved) {
          ASSERT_EQ(Rows(moved->begin(), moved->end()), expected) << "enough: " << enough;
          moves += moved->size();
        } else {
          EXPECT_EQ(fast.free_count(), 0U);
          EXPECT_EQ(test::code_of(moved), ErrorCode::kNotFound);
        }
        expect_same(fast, slow, given.agents);
        if (testing::Test::HasFailure()) {
          return;
        }
      }
    }
    EXPECT_GT(moves, 10'000U);
  });
}

TEST(SpaceTurns, ManyDrawsFail) {  // one free cell of 8,100: a thousand draws and more
  test::for_each_isa([](Isa) {
    const Case given{
        .options = {.grid = {.cells = {90, 90, 1}}, .kinds = 2, .near = {1}}, .agents = 8099, .seed = 4};
    GridSpace fast = fill(given), slow = fill(given);
    Rows expected;
    ASSERT_TRUE(slow.act_below(3, {1, 2, 3}, [&](std::uint32_t row) {
      expected.push_back(row);
      return slow.move_to_free(row, {4, 5, 6}).map([](std::uint32_t) {});
    }));
    const auto moved = fast.move_below(3, {1, 2, 3}, {4, 5, 6});
    ASSERT_TRUE(moved);
    EXPECT_GT(expected.size(), 100U);
    EXPECT_EQ(Rows(moved->begin(), moved->end()), expected);
    expect_same(fast, slow, given.agents);
  });
}

TEST(SpaceTurns, TheOrderIsThatOfSplitMix) {
  // Its published first outputs from 1234567 on.
  EXPECT_EQ(split_mix(1234567, 0), 6457827717110365317U);
  EXPECT_EQ(split_mix(1234567, 1), 3203168211198807973U);
  GridSpace space = *GridSpace::build({.grid = {.cells = {50, 50, 1}}, .kinds = 1});
  for (std::uint32_t row = 0; row < 2500; ++row) {
    ASSERT_TRUE(space.insert(row, row));
  }
  const auto stay = [](GridSpace&, std::uint32_t) { return Result<void>(); };
  for (std::uint32_t step = 0; step < 20; ++step) {
    EXPECT_EQ(act_by_space(space, 1000, {6, step, 7}, stay), all_turns({6, step, 7}, 2500));
  }
}

TEST(SpaceTurns, AllOrdersAreAsLikely) {
  GridSpace space = *GridSpace::build({.grid = {.cells = {4, 1, 1}}, .kinds = 1});
  for (std::uint32_t row = 0; row < 4; ++row) {
    ASSERT_TRUE(space.insert(row, row));
  }
  std::map<Rows, int> orders;
  for (std::uint32_t step = 0; step < 24'000; ++step) {
    ++orders[act_by_space(space, 1000, {8, step, 0},
                          [](GridSpace&, std::uint32_t) { return Result<void>(); })];
  }
  EXPECT_EQ(orders.size(), 24U);
  double chi = 0;
  for (const auto& [order, times] : orders) {
    chi += (times - 1000.0) * (times - 1000.0) / 1000;
  }
  EXPECT_LT(chi, 49.7);  // 23 degrees of freedom, one in a thousand
}

TEST(SpaceTurns, SaysWhatIsWrong) {
  const auto stay = [](std::uint32_t) { return Result<void>(); };
  GridSpace plain = *GridSpace::build({.grid = {.cells = {5, 5, 1}}});
  EXPECT_EQ(test::code_of(plain.act_below(1, {}, stay)), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(plain.move_below(1, {}, {})), ErrorCode::kInvalidArgument);
  GridSpace space = *GridSpace::build({.grid = {.cells = {2, 2, 1}}, .kinds = 1});
  for (std::uint32_t row = 0; row < 4; ++row) {
    ASSERT_TRUE(space.insert(row, row));
  }
  // Within a body there is no other pass; the pass goes on.
  int asked = 0;
  EXPECT_TRUE(space.act_below(9, {}, [&](std::uint32_t) -> Result<void> {
    ++asked;
    EXPECT_EQ(test::code_of(space.act_below(9, {}, stay)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(space.move_below(9, {}, {})), ErrorCode::kInvalidArgument);
    return {};
  }));
  EXPECT_EQ(asked, 4);
  // An error of the body ends it, and the space can be used again.
  asked = 0;
  const auto failed = space.act_below(9, {}, [&](std::uint32_t row) -> Result<void> {
    return ++asked == 2 ? fail(ErrorCode::kCancelled, "enough", row) : Result<void>();
  });
  EXPECT_EQ(test::code_of(failed), ErrorCode::kCancelled);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(test::code_of(space.move_below(9, {}, {})), ErrorCode::kNotFound);
  EXPECT_TRUE(space.move_below(0, {}, {})->empty());
  EXPECT_TRUE(space.remove(2));
  EXPECT_EQ(space.move_below(9, {}, {})->size(), 3U);
}

TEST(SpaceTurns, ABodyMakesTheSpaceAnew) {
  GridSpace space = *GridSpace::build({.grid = {.cells = {9, 9, 1}}, .kinds = 2, .near = {1}});
  const Rows order = all_turns({3, 0, 0}, 30);
  std::vector<float> x, y;
  std::vector<std::uint8_t> kinds;
  for (std::uint32_t row = 0; row < 30; ++row) {
    x.push_back(static_cast<float>(row % 9));
    y.push_back(static_cast<float>(row / 9));
    kinds.push_back(row % 2 == 0);
  }
  const auto first = [](const auto& values) { return std::span(values).first(20); };
  ASSERT_TRUE(space.rebuild(first(x), first(y), {}, first(kinds)));
  Rows acted, expected;
  ASSERT_TRUE(space.act_below(100, {3, 0, 0}, [&](std::uint32_t row) -> Result<void> {
    acted.push_back(row);
    return acted.size() == 5 ? space.rebuild(x, y, {}, kinds) : Result<void>();
  }));
  for (const std::uint32_t row : order) {  // rows that came have a turn if it had not passed
    if (row < 20 || expected.size() >= 5) {
      expected.push_back(row);
    }
  }
  EXPECT_EQ(acted, expected);
}

}  // namespace
}  // namespace juxta
