// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spaces after random insertions, moves and removals, beside a list of who is where.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "juxta/grid/grid_space.h"
#include "scenes/draws.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "tests/grid/spaces.h"

namespace juxta {
namespace {

constexpr std::uint32_t kNowhere = GridSpace::kNoCell;

/// Who is where, as a list.
struct Plain {
  std::vector<std::uint32_t> cell;  // of each row
  std::vector<std::uint8_t> kind;
  std::vector<std::vector<std::uint32_t>> in;  // of each cell, first to last

  Plain(std::size_t rows, std::size_t cells) : cell(rows, kNowhere), kind(rows), in(cells) {}
  void leave(std::uint32_t row) {
    std::erase(in[cell[row]], row);
    cell[row] = kNowhere;
  }
  void enter(std::uint32_t row, std::uint32_t to) {
    in[to].insert(in[to].begin(), row);
    cell[row] = to;
  }
};

std::vector<std::uint32_t> rows_in(const GridSpace& space, std::uint32_t cell) {
  std::vector<std::uint32_t> rows;
  space.visit_in(cell, [&](std::uint32_t row) { rows.push_back(row); });
  return rows;
}

void expect_same(const GridSpace& space, const Plain& plain) {
  const GridSpaceOptions& options = space.options();
  std::size_t agents = 0, free = 0;
  for (std::uint32_t cell = 0; cell < plain.in.size(); ++cell) {
    agents += plain.in[cell].size();
    free += plain.in[cell].empty();
    ASSERT_EQ(rows_in(space, cell), plain.in[cell]);
    ASSERT_EQ(space.is_free(cell), plain.in[cell].empty());
    ASSERT_EQ(space.count_in(cell), plain.in[cell].size());
    for (std::uint32_t after = 0; after <= plain.in[cell].size(); ++after) {
      ASSERT_EQ(space.agent_in(cell, after),
                after < plain.in[cell].size() ? plain.in[cell][after] : GridSpace::kNoRow);
    }
    for (std::uint32_t kind = 0; kind < options.kinds; ++kind) {
      std::uint32_t near = 0;
      for (std::uint32_t other = 0; other < plain.in.size(); ++other) {
        if (test::is_near(options.grid, options.near, cell, other)) {
          near += static_cast<std::uint32_t>(
              std::ranges::count_if(plain.in[other], [&](auto row) { return plain.kind[row] == kind; }));
        }
      }
      ASSERT_EQ(space.count_near(cell, static_cast<std::uint8_t>(kind)), near)
          << "cell " << cell << " kind " << kind;
    }
  }
  ASSERT_EQ(space.size(), agents);
  ASSERT_EQ(space.free_count(), free);
  for (std::uint32_t row = 0; row < plain.cell.size(); ++row) {
    ASSERT_EQ(space.cell_of(row), plain.cell[row]);
    std::uint32_t alike = 0, unlike = 0;
    for (std::uint32_t kind = 0; kind < options.kinds && plain.cell[row] != kNowhere; ++kind) {
      const std::uint32_t near = space.count_near(plain.cell[row], static_cast<std::uint8_t>(kind));
      (kind == plain.kind[row] ? alike : unlike) += kind == plain.kind[row] ? near - 1 : near;
    }
    ASSERT_EQ(space.alike(row), alike) << row;
    ASSERT_EQ(space.unlike(row), unlike) << row;
    ASSERT_EQ(space.kind_of(row), plain.cell[row] != kNowhere && options.kinds > 0 ? plain.kind[row] : 0);
  }
}

/// One change of both; refusals must leave the space as it was.
void change(GridSpace& space, Plain& plain, scenes::Draws& draws) {
  const auto row = draws.below(static_cast<std::uint32_t>(plain.cell.size()));
  const auto to = draws.below(static_cast<std::uint32_t>(plain.in.size()) + 1);
  const bool there = plain.cell[row] != kNowhere, outside = to == plain.in.size();
  const bool taken =
      space.options().holds == CellHolds::kOne && !outside && !plain.in[to].empty() && plain.in[to][0] != row;
  switch (draws.below(4)) {
    case 0: {
      const auto kind = static_cast<std::uint8_t>(draws.below(space.options().kinds + 1));
      const bool good = !there && !outside && !taken && kind < std::max(space.options().kinds, 1U);
      ASSERT_EQ(space.insert(row, to, kind).has_value(), good);
      if (good) {
        plain.kind[row] = kind;
        plain.enter(row, to);
      }
      return;
    }
    case 1:
      ASSERT_EQ(space.remove(row).has_value(), there);
      return there ? plain.leave(row) : void();
    case 2: {
      const bool good = there && !outside && !taken;
      const auto moved = space.move(row, to);
      ASSERT_EQ(moved.has_value(), good);
      if (good) {
        plain.leave(row);
        plain.enter(row, to);
      } else {
        EXPECT_EQ(test::code_of(moved), ErrorCode::kInvalidArgument);
        EXPECT_EQ(moved.error().index, row);
      }
      return;
    }
    default: {
      const RandomKey key{7, draws.below(1000), 3};
      const bool good = there && space.free_count() > 0;
      const auto moved = space.move_to_free(row, key);
      ASSERT_EQ(moved.has_value(), good);
      if (moved) {
        ASSERT_TRUE(plain.in[*moved].empty());
        plain.leave(row);
        plain.enter(row, *moved);
      }
      return;
    }
  }
}

TEST(GridSpace, ChangesBesideAList) {
  scenes::Draws draws(1);
  for (const CellGrid& grid : test::all_grids()) {
    for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
      for (const std::uint32_t kinds : {0U, 1U, 3U}) {
        const auto shape = draws.below(2) == 0 ? NearShape::kMoore : NearShape::kVonNeumann;
        constexpr std::uint32_t kRadii[] = {0, 1, 2, 3, 7, 9, 40};
        const Neighbourhood near{kRadii[draws.below(7)], shape};
        SCOPED_TRACE(test::name_of(grid, near));
        GridSpace space = *GridSpace::build({.grid = grid, .holds = holds, .kinds = kinds, .near = near});
        Plain plain(grid.size() + 3, grid.size());
        for (int round = 0; round < 3 && !testing::Test::HasFatalFailure(); ++round) {
          for (int i = 0; i < 200 && !testing::Test::HasFatalFailure(); ++i) {
            change(space, plain, draws);
          }
          expect_same(space, plain);
        }
        if (testing::Test::HasFatalFailure()) {
          return;
        }
      }
    }
  }
}

TEST(GridSpace, IsRebuiltFromPositions) {
  scenes::Draws draws(2);
  for (const CellGrid& grid : test::all_grids()) {
    for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
      for (const std::uint32_t kinds : {0U, 2U}) {
        GridSpace space = *GridSpace::build({.grid = grid, .holds = holds, .kinds = kinds, .near = {2}});
        for (std::uint32_t count : {0U, 1U, 40U, 3U}) {  // also fewer than before
          count = holds == CellHolds::kOne ? std::min(count, static_cast<std::uint32_t>(grid.size())) : count;
          std::vector<std::uint32_t> order(grid.size());
          random_order({3, count, 0}, order);
          Plain plain(count, grid.size());
          std::vector<float> x, y, z;
          for (std::uint32_t row = 0; row < count; ++row) {
            const std::uint32_t cell =
                holds == CellHolds::kOne ? order[row] : draws.below(static_cast<std::uint32_t>(grid.size()));
            plain.cell[row] = cell;
            plain.kind[row] = static_cast<std::uint8_t>(draws.below(std::max(kinds, 1U)));
            plain.in[cell].push_back(row);
            x.push_back(static_cast<float>(grid.x_of(cell)) + 0.99F * draws.unit());
            y.push_back(static_cast<float>(grid.y_of(cell)));
            z.push_back(static_cast<float>(grid.z_of(cell)) + 0.5F);
          }
          if (kinds > 0 && holds == CellHolds::kMany) {  // one after the other: who comes last is first
            for (auto& rows : plain.in) {
              std::ranges::sort(rows);
            }
          }
          const std::vector<std::uint8_t> no_kinds;
          const auto built =
              space.rebuild(x, y, grid.cells[2] > 1 ? std::span<const float>(z) : std::span<const float>{},
                            kinds > 0 ? plain.kind : no_kinds);
          ASSERT_TRUE(built) << built.error().message;
          expect_same(space, plain);
          if (testing::Test::HasFatalFailure()) {
            return;
          }
        }
      }
    }
  }
}

/// As the header says which cell is drawn.
std::uint32_t drawn(const GridSpace& space, const RandomKey& key, std::uint32_t id) {
  const auto cells = static_cast<std::uint32_t>(space.grid().size());
  for (std::uint64_t i = 0; i < 256; ++i) {
    for (const std::uint32_t word : random_block(key, i << 32 | id)) {
      if (const std::uint32_t cell = random_below(word, cells); space.is_free(cell)) {
        return cell;
      }
    }
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    if (space.is_free(cell)) {
      free.push_back(cell);
    }
  }
  return free[random_below(random_block(key, std::uint64_t{256} << 32 | id)[0], free.size())];
}

TEST(GridSpace, DrawsFreeCellsAsItSays) {
  test::for_each_isa([](Isa) {
    for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
      for (const std::uint32_t free : {1U, 2U, 20U, 300U, 5000U}) {
        GridSpace space = *GridSpace::build({.grid = {.cells = {100, 50, 1}}, .holds = holds});
        std::vector<std::uint32_t> order(5000);
        random_order({11, free, 0}, order);
        for (std::uint32_t row = 0; row < 5000 - free; ++row) {
          ASSERT_TRUE(space.insert(row, order[row]));
        }
        for (std::uint32_t id = 0; id < 200; ++id) {
          const RandomKey key{1ULL << 40 | 5, id % 3, 9};
          ASSERT_EQ(*space.free_cell(key, id * 77'777'777), drawn(space, key, id * 77'777'777)) << free;
        }
      }
    }
  });
}

TEST(GridSpace, AllFreeCellsAreAsLikely) {
  GridSpace space = *GridSpace::build({.grid = {.cells = {10, 10, 1}}});
  for (std::uint32_t cell = 0; cell < 100; ++cell) {
    if (cell % 4 != 0) {
      ASSERT_TRUE(space.insert(cell, cell));
    }
  }
  std::vector<int> drawn(100);
  for (std::uint32_t id = 0; id < 25'000; ++id) {
    ++drawn[*space.free_cell({1, 2, 3}, id)];
  }
  for (std::uint32_t cell = 0; cell < 100; ++cell) {  // 1000 each, within five standard deviations
    EXPECT_NEAR(drawn[cell], cell % 4 == 0 ? 1000 : 0, cell % 4 == 0 ? 160 : 0) << cell;
  }
}

TEST(GridSpace, NearestFreeCell) {
  scenes::Draws draws(4);
  for (const CellGrid& grid : test::all_grids()) {
    GridSpace space = *GridSpace::build({.grid = grid});
    std::vector<std::uint32_t> order(grid.size());
    random_order({5, 0, 0}, order);
    for (std::uint32_t row = 0; row < order.size(); ++row) {
      const auto distance = [&](std::uint32_t a, std::uint32_t b) {
        return std::ranges::max(test::apart(grid, a, b));
      };
      for (std::uint32_t cell = 0; cell < grid.size(); cell += 1 + draws.below(5)) {
        std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();
        for (std::uint32_t other = 0; other < grid.size(); ++other) {
          nearest = space.is_free(other) ? std::min(nearest, distance(cell, other)) : nearest;
        }
        const std::uint32_t found = *space.nearest_free(cell);
        ASSERT_TRUE(space.is_free(found));
        ASSERT_EQ(distance(cell, found), nearest);
        std::uint32_t first = space.is_free(cell) ? cell : GridSpace::kNoCell;  // of those as near
        grid.visit_near(cell, {std::max(nearest, 1U)}, [&](std::uint32_t other) {
          const bool as_near = space.is_free(other) && distance(cell, other) == nearest;
          first = first == GridSpace::kNoCell && as_near ? other : first;
        });
        ASSERT_EQ(found, first);
      }
      ASSERT_TRUE(space.insert(row, order[row]));
    }
    EXPECT_EQ(test::code_of(space.nearest_free(0)), ErrorCode::kNotFound);
    EXPECT_EQ(test::code_of(space.free_cell({}, 0)), ErrorCode::kNotFound);
    EXPECT_EQ(test::code_of(space.move_to_free(0, {})), ErrorCode::kNotFound);
    EXPECT_EQ(test::code_of(space.nearest_free(static_cast<std::uint32_t>(grid.size()))),
              ErrorCode::kInvalidArgument);
  }
}

TEST(GridSpace, VisitsAgentsNear) {
  GridSpace space = *GridSpace::build({.grid = {.cells = {5, 5, 1}}, .holds = CellHolds::kMany});
  ASSERT_TRUE(space.rebuild(std::vector<float>{2, 1, 1, 4, 2}, std::vector<float>{2, 1, 1, 4, 2}));
  std::vector<std::uint32_t> rows;
  space.visit_near(space.grid().cell_at(2, 2), {1}, [&](std::uint32_t row) { rows.push_back(row); });
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{1, 2}));
  space.visit_in(space.grid().cell_at(1, 1), [&](std::uint32_t row) { EXPECT_TRUE(space.remove(row)); });
  EXPECT_EQ(space.count_in(space.grid().cell_at(1, 1)), 0U);
  space.visit_near(99, {1}, [](std::uint32_t) { FAIL(); });
}

TEST(GridSpace, RandomAgentInACell) {
  GridSpace space = *GridSpace::build({.grid = {.cells = {2, 2, 1}}, .holds = CellHolds::kMany});
  ASSERT_TRUE(space.rebuild(std::vector<float>{0, 1, 0, 0, 0}, std::vector<float>{0, 1, 0, 0, 0}));
  ASSERT_TRUE(space.move(2, 0));
  std::vector<std::uint32_t> rows;
  space.visit_in(0, [&](std::uint32_t row) { rows.push_back(row); });
  std::array<std::uint32_t, 5> often{};
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t word = random_u32({.seed = 1}, i);
    const std::uint32_t row = space.random_agent_in(0, word);
    ASSERT_EQ(row, rows[random_below(word, rows.size())]);
    ++often[row];
    EXPECT_EQ(space.random_agent_in(3, word), 1U);
    EXPECT_EQ(space.random_agent_in(1, word), GridSpace::kNoRow);
    EXPECT_EQ(space.random_agent_in(4, word), GridSpace::kNoRow);
  }
  EXPECT_EQ(often[1], 0U);
  for (const std::uint32_t row : rows) {
    EXPECT_NEAR(often[row], 100, 35);  // four standard deviations
  }
}

void expect_refused(const Result<void>& result, std::uint64_t index, const char* word) {
  ASSERT_FALSE(result);
  EXPECT_EQ(test::code_of(result), ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().index, index);
  EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
}

TEST(GridSpace, SaysWhatIsWrong) {
  EXPECT_EQ(GridSpace::build({.grid = {.cells = {5, 0, 1}}}).error().index, 1U);
  EXPECT_EQ(test::code_of(GridSpace::build({.kinds = 65})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(GridSpace::build({.grid = {.cells = {1 << 16, 1 << 16, 1}}})),
            ErrorCode::kTooLarge);
  EXPECT_EQ(test::code_of(GridSpace::build({.grid = {.cells = {1 << 15, 1 << 15, 1}}, .kinds = 2})),
            ErrorCode::kTooLarge);
  GridSpace space = *GridSpace::build({.grid = {.cells = {4, 3, 1}}, .kinds = 2});
  ASSERT_TRUE(space.insert(7, 5, 1));
  expect_refused(space.insert(7, 6, 1), 7, "already");
  expect_refused(space.insert(8, 5, 1), 8, "row 7 is in cell 5 (1, 1, 0)");
  expect_refused(space.insert(8, 12, 1), 8, "12 cells");
  expect_refused(space.insert(8, 4, 2), 8, "kind 2");
  expect_refused(space.insert(GridSpace::kNoRow, 4), GridSpace::kNoRow, "no row");
  expect_refused(space.move(8, 4), 8, "in no cell");
  expect_refused(space.remove(3), 3, "in no cell");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::uint8_t> kinds = {0, 1}, unknown = {0, 2};
  expect_refused(space.rebuild(std::vector<float>{1, nan}, std::vector<float>{1, 1}, {}, kinds), 1, "row 1");
  EXPECT_EQ(space.size(), 0U);
  expect_refused(space.rebuild(std::vector<float>{1, 4}, std::vector<float>{1, 1}, {}, kinds), 1,
                 "none of the cells");
  expect_refused(space.rebuild(std::vector<float>{-0.5F, 3}, std::vector<float>{1, 1}, {}, kinds), 0,
                 "none of the cells");
  expect_refused(space.rebuild(std::vector<float>{1, 1.5F}, std::vector<float>{1, 1}, {}, kinds), 1,
                 "row 0 is in cell 5");
  EXPECT_EQ(space.size(), 0U);
  EXPECT_EQ(space.count_near(5, 0), 0U);
  expect_refused(space.rebuild(std::vector<float>{1, 2}, std::vector<float>{1, 1}, {}, unknown), 1, "kind 2");
  expect_refused(space.rebuild(std::vector<float>{1, 2}, std::vector<float>{1}, {}, kinds), Error::kNowhere,
                 "each row");
  ASSERT_TRUE(space.rebuild(std::vector<float>{1, 2}, std::vector<float>{1, 1}, {}, kinds));
  EXPECT_EQ(space.unlike(0), 1U);
}

}  // namespace
}  // namespace juxta
