// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Spaces from C do what those of C++ do, and C++ is compared with plain lists in tests/grid.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "juxta/grid/grid_space.h"
#include "scenes/draws.h"

namespace juxta {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t kRows = 90;

juxta_random_key c_key(const RandomKey& key) {
  return {key.seed, key.step, key.purpose};
}

/// The same space twice.
struct Both {
  explicit Both(const GridSpaceOptions& from) : cpp(GridSpace::build(from).value()) {
    juxta_grid_space_options options = juxta_default_grid_space_options();
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      options.cells[axis] = from.grid.cells[axis];
      options.edges[axis] = static_cast<std::uint32_t>(from.grid.edges[axis]);
    }
    options.holds = static_cast<std::uint32_t>(from.holds);
    options.kinds = from.kinds;
    options.near = {from.near.radius, static_cast<std::uint32_t>(from.near.shape)};
    juxta_error error;
    EXPECT_EQ(juxta_grid_space_build(&options, &c, &error), JUXTA_OK) << error.message;
  }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() { juxta_grid_space_free(c); }

  /// The same outcome of a call, the same place of its error, and the same answer.
  void expect_same(juxta_status status, const juxta_error& error, const Result<void>& result) const {
    ASSERT_EQ(status == JUXTA_OK, result.has_value());
    if (!result) {
      ASSERT_EQ(static_cast<std::uint32_t>(status), static_cast<std::uint32_t>(result.error().code) + 1);
      ASSERT_EQ(std::string(error.message).substr(0, 40), result.error().message.substr(0, 40));
      ASSERT_EQ(error.index, result.error().index);
    }
  }
  void expect_same() const {
    ASSERT_EQ(juxta_grid_space_size(c), cpp.size());
    ASSERT_EQ(juxta_grid_space_free_count(c), cpp.free_count());
    ASSERT_EQ(juxta_grid_space_memory_bytes(c), cpp.memory_bytes());
    for (std::uint32_t row = 0; row < kRows + 2; ++row) {
      ASSERT_EQ(juxta_grid_space_cell_of(c, row), cpp.cell_of(row));
      ASSERT_EQ(juxta_grid_space_kind_of(c, row), cpp.kind_of(row));
      ASSERT_EQ(juxta_grid_space_alike(c, row), cpp.alike(row));
      ASSERT_EQ(juxta_grid_space_unlike(c, row), cpp.unlike(row));
    }
    for (std::uint32_t cell = 0; cell < cpp.grid().size() + 2; ++cell) {
      expect_same_in(cell);
    }
  }
  void expect_same_in(std::uint32_t cell) const {
    for (std::uint32_t after = 0; after < 3; ++after) {
      ASSERT_EQ(juxta_grid_space_agent_in(c, cell, after), cpp.agent_in(cell, after));
    }
    ASSERT_EQ(juxta_grid_space_count_in(c, cell), cpp.count_in(cell));
    for (std::uint8_t kind = 0; kind < 3; ++kind) {
      ASSERT_EQ(juxta_grid_space_count_near(c, cell, kind), cpp.count_near(cell, kind));
    }
    std::vector<std::uint32_t> near;
    cpp.visit_near(cell, {.radius = 2, .shape = NearShape::kVonNeumann},
                   [&](std::uint32_t row) { near.push_back(row); });
    for (const std::size_t capacity : {near.size() + 1, near.size(), near.size() / 2, std::size_t{0}}) {
      std::vector<std::uint32_t> out(capacity + 1, 7777);
      ASSERT_EQ(juxta_grid_space_agents_near(c, cell, {2, JUXTA_NEAR_VON_NEUMANN}, out.data(), capacity),
                near.size());
      std::vector<std::uint32_t> want = near;
      want.resize(std::min(capacity, near.size()));
      want.resize(capacity + 1, 7777);
      ASSERT_EQ(out, want) << "no more than fits is written";
    }
    ASSERT_EQ(juxta_grid_space_agents_near(c, cell, {2, JUXTA_NEAR_VON_NEUMANN}, nullptr, 9), near.size());
    std::uint32_t free = 7777;
    juxta_error error;
    const Result<std::uint32_t> nearest = cpp.nearest_free(cell);
    const juxta_status status = juxta_grid_space_nearest_free(c, cell, &free, &error);
    expect_same(status, error, nearest.map([](std::uint32_t) {}));
    ASSERT_EQ(free, nearest.value_or(7777));
  }

  GridSpace cpp;
  juxta_grid_space* c = nullptr;
};

std::vector<GridSpaceOptions> all_options() {
  const CellGrid plane{.cells = {9, 8, 1}, .edges = {Edge::kPeriodic, Edge::kWall, Edge::kWall}};
  const CellGrid walls{.cells = {12, 7, 1}};
  const CellGrid space{.cells = {4, 5, 4}, .edges = {Edge::kWall, Edge::kPeriodic, Edge::kOpen}};
  std::vector<GridSpaceOptions> all;
  for (const CellGrid& grid : {plane, walls, space}) {
    for (const CellHolds holds : {CellHolds::kOne, CellHolds::kMany}) {
      for (const std::uint32_t kinds : {0U, 2U}) {
        all.push_back({.grid = grid, .holds = holds, .kinds = kinds, .near = {.radius = 1}});
      }
    }
  }
  all.back().near = {.radius = 2, .shape = NearShape::kVonNeumann};
  return all;
}

/// One random call, which may be refused.
void call_both(Both& both, scenes::Draws& draws, std::uint32_t step) {
  const std::uint32_t row = draws.below(kRows);
  const std::uint32_t cell = draws.below(static_cast<std::uint32_t>(both.cpp.grid().size()) + 1);
  const auto kind = static_cast<std::uint8_t>(draws.below(3));
  const RandomKey key{.seed = 5, .step = step, .purpose = 2};
  juxta_error error;
  switch (draws.below(5)) {
    case 0:
    case 1: {
      const juxta_status status = juxta_grid_space_insert(both.c, row, cell, kind, &error);
      both.expect_same(status, error, both.cpp.insert(row, cell, kind));
      break;
    }
    case 2: {
      const juxta_status status = juxta_grid_space_remove(both.c, row, &error);
      both.expect_same(status, error, both.cpp.remove(row));
      break;
    }
    case 3: {
      const juxta_status status = juxta_grid_space_move(both.c, row, cell, &error);
      both.expect_same(status, error, both.cpp.move(row, cell));
      break;
    }
    default: {
      std::uint32_t drawn = 7777, to = 7777;
      const Result<std::uint32_t> free = both.cpp.free_cell(key, row);
      juxta_status status = juxta_grid_space_free_cell(both.c, c_key(key), row, &drawn, &error);
      both.expect_same(status, error, free.map([](std::uint32_t) {}));
      ASSERT_EQ(drawn, free.value_or(7777));
      const Result<std::uint32_t> moved = both.cpp.move_to_free(row, key);
      status = juxta_grid_space_move_to_free(both.c, row, c_key(key), &to, &error);
      both.expect_same(status, error, moved.map([](std::uint32_t) {}));
      ASSERT_EQ(to, moved.value_or(7777));
    }
  }
}

TEST(CGridSpace, DoesWhatCppDoes) {
  scenes::Draws draws(3);
  for (const GridSpaceOptions& options : all_options()) {
    Both both(options);
    const juxta_grid_space_options told = juxta_grid_space_get_options(both.c);
    juxta_grid_space* again = nullptr;
    ASSERT_EQ(juxta_grid_space_build(&told, &again, nullptr), JUXTA_OK) << "what it tells builds another";
    const juxta_grid_space_options same = juxta_grid_space_get_options(again);
    ASSERT_EQ(std::memcmp(&told, &same, sizeof(told)), 0);
    ASSERT_EQ(told.kinds, options.kinds);
    ASSERT_EQ(told.near.radius, options.near.radius);
    ASSERT_EQ(told.near.shape, static_cast<std::uint32_t>(options.near.shape));
    ASSERT_EQ(told.holds, static_cast<std::uint32_t>(options.holds));
    juxta_grid_space_free(again);
    for (std::uint32_t step = 0; step < 300; ++step) {
      call_both(both, draws, step);
      if (step % 20 == 0) {
        both.expect_same();
      }
      ASSERT_FALSE(HasFatalFailure());
    }
    both.expect_same();
    EXPECT_GT(both.cpp.size(), 10U) << "else little was compared";
  }
}

/// An agent, as a program of C may hold it.
struct Person {
  float x, y, z;
  std::uint8_t age, kind;
};

TEST(CGridSpace, RebuildReadsStructsAndPackedColumns) {
  scenes::Draws draws(4);
  for (const GridSpaceOptions& options : all_options()) {
    Both both(options);
    std::vector<std::uint32_t> cells(options.grid.size());
    for (std::uint32_t cell = 0; cell < cells.size(); ++cell) {
      cells[cell] = cell;
    }
    draws.shuffle(cells);
    std::vector<Person> people(50);
    std::vector<float> x, y, z;
    std::vector<std::uint8_t> kinds;
    for (std::size_t i = 0; i < people.size(); ++i) {
      const auto at = options.grid.place_of(cells[i]);
      people[i] = {static_cast<float>(at[0]) + draws.unit(), static_cast<float>(at[1]) + draws.unit(),
                   static_cast<float>(at[2]) + draws.unit() * 0.99F, 99,
                   static_cast<std::uint8_t>(draws.below(2))};
      x.push_back(people[i].x);
      y.push_back(people[i].y);
      z.push_back(people[i].z);
      kinds.push_back(people[i].kind);
    }
    const bool flat = options.grid.cells[2] == 1;
    ASSERT_TRUE(both.cpp.rebuild(x, y, flat ? std::span<const float>() : z,
                                 options.kinds == 0 ? std::span<const std::uint8_t>() : kinds));
    juxta_error error;
    const test::LastPage<float> xs(x), ys(y), zs(z);
    const test::LastPage<std::uint8_t> ks(kinds);
    ASSERT_EQ(
        juxta_grid_space_rebuild(both.c, xs.as<float>(), ys.as<float>(), flat ? nullptr : zs.as<float>(), 0,
                                 options.kinds == 0 ? nullptr : ks.as<std::uint8_t>(), 0, x.size(), &error),
        JUXTA_OK)
        << error.message;
    both.expect_same();
    const test::LastPage<Person> given(people);
    const auto* const first = given.as<Person>();
    ASSERT_EQ(juxta_grid_space_rebuild(both.c, &first->x, &first->y, &first->z, sizeof(Person), &first->kind,
                                       sizeof(Person), people.size(), &error),
              JUXTA_OK)
        << error.message;
    both.expect_same();
    ASSERT_EQ(juxta_grid_space_rebuild(both.c, nullptr, nullptr, nullptr, 0, nullptr, 0, 0, &error),
              JUXTA_OK);
    EXPECT_EQ(juxta_grid_space_size(both.c), 0U);
  }
}

TEST(CGridSpace, MovesThoseWhoHaveTooFewOfTheirKind) {
  for (GridSpaceOptions options : all_options()) {
    options.kinds = 2;
    Both both(options);
    scenes::Draws draws(6);
    for (std::uint32_t row = 0; row < 60; ++row) {
      const auto kind = static_cast<std::uint8_t>(draws.below(2));
      const std::uint32_t cell = both.cpp.free_cell({.seed = 1}, row).value();
      ASSERT_TRUE(both.cpp.insert(row, cell, kind));
      ASSERT_EQ(juxta_grid_space_insert(both.c, row, cell, kind, nullptr), JUXTA_OK);
    }
    std::size_t all = 0;
    for (std::uint32_t step = 0; step < 5; ++step) {
      const std::uint32_t enough = 3 + 2 * step;
      const RandomKey order{.seed = 7, .step = step, .purpose = 1},
          place{.seed = 7, .step = step, .purpose = 2};
      const std::span<const std::uint32_t> want = both.cpp.move_below(enough, order, place).value();
      const std::uint32_t* rows = nullptr;
      std::size_t count = 0;
      juxta_error error;
      ASSERT_EQ(
          juxta_grid_space_move_below(both.c, enough, c_key(order), c_key(place), &rows, &count, &error),
          JUXTA_OK)
          << error.message;
      ASSERT_EQ(std::vector(rows, rows + count), std::vector(want.begin(), want.end()));
      both.expect_same();
      all += count;
    }
    EXPECT_GT(all, 10U);
  }
}

TEST(CGridSpace, MistakesInOptionsHaveAReason) {
  juxta_grid_space* space = nullptr;
  juxta_error error;
  const juxta_grid_space_options fine = juxta_default_grid_space_options();
  const auto build = [&](const juxta_grid_space_options& options) {
    return juxta_grid_space_build(&options, &space, &error);
  };
  juxta_grid_space_options options = fine;
  options.cells[1] = 0;
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  options = fine;
  options.edges[2] = 3;
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  options = fine;
  options.holds = 256;  // 0 in a byte
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  options = fine;
  options.near.shape = 256;
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  options = fine;
  options.kinds = 65;
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  options = fine;
  options.cells[0] = options.cells[1] = 1U << 16;
  EXPECT_EQ(build(options), JUXTA_TOO_LARGE);
  options = fine;
  options.cookie = 7;
  EXPECT_EQ(build(options), JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("juxta_grid_space_options"), std::string::npos);
  EXPECT_EQ(space, nullptr);
  ASSERT_EQ(juxta_grid_space_build(nullptr, &space, &error), JUXTA_OK) << "NULL: the defaults";
  const juxta_grid_space_options told = juxta_grid_space_get_options(space);
  EXPECT_EQ(std::memcmp(&told, &fine, sizeof(fine)), 0);
  juxta_grid_space_free(space);
  juxta_grid_space_free(nullptr);
}

TEST(CGridSpace, MistakesInCallsHaveAReason) {
  Both both({.grid = {.cells = {4, 4, 1}}, .kinds = 2});
  juxta_error error;
  const float x[3] = {0, 1, 2}, y[3] = {3, 3, 3}, off[3] = {0, 4, 0}, nan[3] = {0, 0, kNan};
  const std::uint8_t kinds[3] = {0, 1, 0}, wrong[3] = {0, 1, 2};
  const auto rebuild = [&](const float* xs, const float* ys, std::size_t stride, const std::uint8_t* of) {
    return juxta_grid_space_rebuild(both.c, xs, ys, nullptr, stride, of, 0, 3, &error);
  };
  ASSERT_EQ(rebuild(x, y, 0, kinds), JUXTA_OK) << error.message;
  EXPECT_EQ(rebuild(x, nullptr, 0, kinds), JUXTA_INVALID_ARGUMENT) << "no y";
  EXPECT_EQ(error.index, JUXTA_NOWHERE);
  EXPECT_EQ(rebuild(x, y, 3, kinds), JUXTA_INVALID_ARGUMENT) << "strides are in bytes";
  EXPECT_EQ(rebuild(x, y, 0, nullptr), JUXTA_INVALID_ARGUMENT) << "no kinds";
  EXPECT_EQ(juxta_grid_space_size(both.c), 3U) << "nothing was changed";
  EXPECT_EQ(rebuild(off, y, 0, kinds), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 1U);
  EXPECT_EQ(juxta_grid_space_size(both.c), 0U) << "it is empty then";
  EXPECT_EQ(rebuild(x, nan, 0, kinds), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 2U);
  EXPECT_EQ(rebuild(x, y, 0, wrong), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 2U);
  ASSERT_EQ(rebuild(x, y, 0, kinds), JUXTA_OK);
  EXPECT_EQ(juxta_grid_space_insert(both.c, JUXTA_NO_ROW, 0, 0, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_grid_space_agents_near(both.c, 13, {1, 2}, nullptr, 0), 0U) << "no such shape";
  EXPECT_EQ(juxta_grid_space_agents_near(both.c, 13, {1, JUXTA_NEAR_MOORE}, nullptr, 0), 2U);
  EXPECT_EQ(juxta_grid_space_agents_near(both.c, JUXTA_NO_CELL, {1, JUXTA_NEAR_MOORE}, nullptr, 0), 0U);

  const Both plain({.grid = {.cells = {1, 1, 1}}});
  const std::uint32_t* rows = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(juxta_grid_space_move_below(plain.c, 1, {}, {}, &rows, &count, &error), JUXTA_INVALID_ARGUMENT)
      << "no kinds";
  ASSERT_EQ(juxta_grid_space_insert(plain.c, 0, 0, 0, &error), JUXTA_OK);
  EXPECT_EQ(juxta_grid_space_move_to_free(plain.c, 0, {}, nullptr, &error), JUXTA_NOT_FOUND);
  const Both full({.grid = {.cells = {1, 1, 1}}, .kinds = 1});
  ASSERT_EQ(juxta_grid_space_insert(full.c, 0, 0, 0, &error), JUXTA_OK);
  EXPECT_EQ(juxta_grid_space_move_below(full.c, 1, {}, {}, &rows, &count, &error), JUXTA_NOT_FOUND);
  EXPECT_EQ(rows, nullptr);
}

}  // namespace
}  // namespace juxta
