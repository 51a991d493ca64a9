// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Simulations from C: the same columns, orders, births and answers as from C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "c/some_threads.h"
#include "juxta/agents/find_near.h"
#include "juxta/agents/nearest.h"
#include "juxta/agents/reduce.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"
#include "tests/support/saved_bytes.h"

namespace juxta {
namespace {

constexpr std::uint32_t kAgents = 2000;
constexpr float kRadius = 0.1F;

/// The same world in both languages: "birds" with velocities, a food column and a friend each; periodic in x.
struct Pair {
  explicit Pair(std::uint32_t dims) : dimensions(dims) {
    juxta_world world = juxta_default_world();
    world.dimensions = dims;
    World twin{.dimensions = dims, .edges = {}, .lo = {0, 0, 0}, .hi = {1, 1, 1}};
    const Edge edges[3] = {Edge::kPeriodic, Edge::kWall, Edge::kOpen};
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      world.edges[axis] = static_cast<std::uint32_t>(edges[axis]);
      world.hi[axis] = 1;
      twin.edges[axis] = edges[axis];
    }
    EXPECT_EQ(juxta_simulation_build(&world, 5, &c, nullptr), JUXTA_OK);
    EXPECT_EQ(juxta_simulation_add_population(c, "birds", &birds, nullptr), JUXTA_OK);
    cpp = Simulation::build(twin, 5).value();
    flock = cpp.add_population("birds").value();
    add_columns();
    fill();
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() { juxta_simulation_free(c); }

  void add_columns() {
    for (const char* name : {"vx", "vy", "vz"}) {
      EXPECT_EQ(juxta_population_add_column(birds, name, JUXTA_COLUMN_FLOAT, nullptr, nullptr, nullptr),
                JUXTA_OK);
    }
    EXPECT_TRUE(flock->add_columns({"vx", "vy", "vz"}));
    EXPECT_EQ(juxta_population_add_column(birds, "found", JUXTA_COLUMN_RESULT, nullptr, &found, nullptr),
              JUXTA_OK);
    EXPECT_TRUE(flock->add_results({"found"}));
    const double hunger = 0.25;
    EXPECT_EQ(juxta_population_add_column(birds, "hunger", JUXTA_COLUMN_DOUBLE, &hunger, &hungry, nullptr),
              JUXTA_OK);
    EXPECT_TRUE(flock->add_column<double>("hunger", hunger));
    EXPECT_EQ(juxta_population_add_references(birds, "friend", birds, &friends, nullptr), JUXTA_OK);
    EXPECT_TRUE(flock->add_references("friend", *flock));
    EXPECT_EQ(juxta_population_add_column(birds, "mark", JUXTA_COLUMN_UINT8, nullptr, &mark, nullptr),
              JUXTA_OK);
    EXPECT_TRUE(flock->add_column<std::uint8_t>("mark"));
  }
  void fill() {
    std::uint32_t first = 1;
    EXPECT_EQ(juxta_population_insert(birds, kAgents, &first, nullptr), JUXTA_OK);
    EXPECT_EQ(first, 0U);
    EXPECT_EQ(flock->insert(kAgents).value(), 0U);
    for (std::uint32_t column = 0; column < dimensions + 3; ++column) {
      auto* const values = static_cast<float*>(juxta_population_write(birds, column, JUXTA_COLUMN_FLOAT));
      const std::span<float> twins = flock->write(Column<float>{column});
      for (std::uint32_t i = 0; i < kAgents; ++i) {
        values[i] = twins[i] = random_float({1, 0, column}, i);
      }
    }
    auto* const ids = static_cast<juxta_id*>(juxta_population_write(birds, friends, JUXTA_COLUMN_REFERENCE));
    const std::span<Id> twins = flock->write(Column<Id>{friends});
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      ids[i] = juxta_population_id(birds, (i + 7) % kAgents);
      twins[i] = flock->id_of((i + 7) % kAgents);
    }
    auto* const marks = static_cast<std::uint8_t*>(juxta_population_write(birds, mark, JUXTA_COLUMN_UINT8));
    const std::span<std::uint8_t> twin_marks = flock->write(Column<std::uint8_t>{mark});
    for (std::uint32_t i = 0; i < kAgents; ++i) {
      marks[i] = twin_marks[i] = i % 3 == 0;
    }
  }
  void sort(const juxta_context* context = nullptr) {
    juxta_sort_options options = juxta_default_sort_options();
    options.radius = kRadius;
    juxta_sort_report report;
    ASSERT_EQ(juxta_population_sort(birds, &options, context, &report, nullptr), JUXTA_OK);
    const SortReport twin = flock->sort({.radius = kRadius}).value();
    EXPECT_EQ(static_cast<int>(report.arrangement), static_cast<int>(twin.arrangement));
    EXPECT_EQ(report.cells, twin.cells);
    EXPECT_EQ(report.sorted, twin.sorted);
    EXPECT_TRUE(juxta_population_sorted(birds));
  }
  /// Every column but references has the same bytes; and every row the same agent.
  void expect_same() const {
    ASSERT_EQ(juxta_population_size(birds), flock->size());
    ASSERT_EQ(juxta_population_column_count(birds), flock->column_count());
    for (std::uint32_t column = 0; column < flock->column_count(); ++column) {
      EXPECT_EQ(juxta_population_column_name(birds, column), flock->column_name(column));
      if (flock->kind_of(column) == ColumnKind::kFloat || flock->kind_of(column) == ColumnKind::kResult) {
        const void* const values = juxta_population_read(birds, column, JUXTA_COLUMN_FLOAT);
        ASSERT_NE(values, nullptr);
        EXPECT_EQ(
            std::memcmp(values, flock->read(Column<float>{column}).data(), flock->size() * sizeof(float)), 0)
            << flock->column_name(column);
      }
    }
    const auto* const ids =
        static_cast<const juxta_id*>(juxta_population_read(birds, friends, JUXTA_COLUMN_REFERENCE));
    for (std::uint32_t row = 0; row < flock->size(); ++row) {
      const juxta_id id = juxta_population_id(birds, row);
      EXPECT_EQ((Id{id.slot, id.generation}), flock->id_of(row));
      EXPECT_EQ((Id{ids[row].slot, ids[row].generation}), flock->read(Column<Id>{friends})[row]);
      EXPECT_EQ(juxta_population_row(birds, id), row);
    }
  }

  std::uint32_t dimensions;
  juxta_simulation* c = nullptr;
  juxta_population* birds = nullptr;
  std::uint32_t found = 0, hungry = 0, friends = 0, mark = 0;
  Simulation cpp = Simulation::build({}).value();
  Population* flock = nullptr;
};

TEST(CAgents, PassesHaveTheBitsOfCpp) {
  const test::SomeThreads threads(2);
  juxta_context context = juxta_default_context();
  context.executor = threads.executor();
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Pair both(dimensions);
    both.sort(&context);
    both.expect_same();
    for (const auto kind : {JUXTA_REDUCE_COUNT, JUXTA_REDUCE_SUM, JUXTA_REDUCE_MEAN, JUXTA_REDUCE_LEAST,
                            JUXTA_REDUCE_GREATEST}) {
      for (const std::uint32_t metric : {JUXTA_METRIC_BALL, JUXTA_METRIC_BOX}) {
        juxta_see_options options = juxta_default_see_options();
        options.metric = metric;
        options.among = metric == JUXTA_METRIC_BOX ? both.mark : JUXTA_NO_COLUMN;
        juxta_query_result cost{};
        ASSERT_EQ(juxta_population_reduce(both.birds, both.birds, kRadius, kind, "vx", "found", &options,
                                          &context, &cost, nullptr),
                  JUXTA_OK);
        const QueryResult twin =
            reduce(*both.flock, *both.flock, kRadius, static_cast<Reduction>(kind), "vx", "found",
                   {.metric = static_cast<Metric>(metric), .radii = {}, .among = {options.among}})
                .value();
        EXPECT_EQ(cost.tested, twin.tested);
        EXPECT_GT(cost.tested, 0U);
        both.expect_same();
      }
    }
    juxta_see_options blind = juxta_default_see_options();
    blind.among = 0;  // x, a column of floats
    EXPECT_EQ(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_COUNT, "vx", "found",
                                      &blind, &context, nullptr, nullptr),
              JUXTA_INVALID_ARGUMENT);
    juxta_boid_rules rules = juxta_default_boid_rules();
    rules.see_radius = kRadius;
    rules.avoid_radius = kRadius / 2;
    ASSERT_EQ(juxta_population_steer_boids(both.birds, &rules, &context, nullptr, nullptr), JUXTA_OK);
    ASSERT_TRUE(steer_boids(*both.flock, {.see_radius = kRadius, .avoid_radius = kRadius / 2}));
    both.expect_same();
  }
}

TEST(CAgents, NeighboursAreThoseOfCpp) {
  Pair both(3);
  both.sort();
  constexpr std::uint32_t kNeighbours = 5;
  std::vector<std::uint32_t> rows(kAgents * kNeighbours), counts(kAgents), twin_rows(rows),
      twin_counts(counts);
  std::vector<float> distance2(rows.size()), twin_distance2(rows.size());
  juxta_query_result cost{};
  ASSERT_EQ(juxta_population_nearest(both.birds, both.birds, kNeighbours, INFINITY, rows.data(),
                                     distance2.data(), counts.data(), nullptr, &cost, nullptr),
            JUXTA_OK);
  const QueryResult twin =
      nearest(*both.flock, *both.flock, kNeighbours, INFINITY, twin_rows, twin_distance2, twin_counts)
          .value();
  EXPECT_EQ(cost.found, twin.found);
  EXPECT_EQ(rows, twin_rows);
  EXPECT_EQ(distance2, twin_distance2);
  EXPECT_EQ(counts, twin_counts);
  const std::vector<float> point{0.99F, 0.5F, 0.5F};
  const test::LastPage<float> at(point);
  const juxta_query_result near =
      juxta_population_find_near(both.birds, at.as<float>(), 0.2F, rows.data(), rows.size());
  const QueryResult near_twin = find_near(*both.flock, {0.99F, 0.5F, 0.5F}, 0.2F, twin_rows);
  EXPECT_GT(near.found, 10U);
  EXPECT_EQ(near.found, near_twin.found);
  EXPECT_EQ(rows, twin_rows);
  EXPECT_EQ(juxta_population_find_near(both.birds, at.as<float>(), 0.2F, nullptr, 0).found, near.found);
}

TEST(CAgents, BirthsAndDeathsAreThoseOfCpp) {
  Pair both(2);
  both.sort();
  std::vector<std::uint32_t> dead, parents;
  for (std::uint32_t row = 0; row < kAgents; row += 3) {
    dead.push_back(row);
    dead.push_back(row);  // twice is once
    parents.push_back(row % 2 == 0 ? kAgents - 1 - row : JUXTA_NO_ROW);
  }
  const test::LastPage<std::uint32_t> killed(dead), born(parents);
  ASSERT_EQ(juxta_population_kill(both.birds, killed.as<std::uint32_t>(), dead.size(), nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_population_spawn(both.birds, born.as<std::uint32_t>(), parents.size(), nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_population_spawn(both.birds, nullptr, 2, nullptr), JUXTA_OK);
  const juxta_id gone = juxta_population_id(both.birds, 0);
  for (const std::uint32_t row : dead) {
    both.flock->changes().kill(row);
  }
  for (const std::uint32_t row : parents) {
    both.flock->changes().spawn_like(row);
  }
  both.flock->changes().spawn();
  both.flock->changes().spawn();
  juxta_step_report report;
  ASSERT_EQ(juxta_simulation_end_step(both.c, &report, 1, nullptr), JUXTA_OK);
  const StepReport twin = both.cpp.end_step().value()[0];
  EXPECT_EQ(report.born, parents.size() + 2);
  EXPECT_EQ(report.died, dead.size() / 2);
  EXPECT_EQ(report.nulled, twin.nulled);
  EXPECT_GT(report.nulled, 0U);
  EXPECT_EQ(juxta_simulation_step(both.c), 1U);
  both.expect_same();
  const std::vector<juxta_id> asked{gone, juxta_population_id(both.birds, 3), juxta_no_id()};
  const test::LastPage<juxta_id> ids(asked);
  std::uint32_t rows[3];
  juxta_population_rows(both.birds, ids.as<juxta_id>(), 3, rows);
  EXPECT_EQ(rows[0], JUXTA_NO_ROW);
  EXPECT_EQ(rows[1], 3U);
  EXPECT_EQ(rows[2], JUXTA_NO_ROW);
  EXPECT_EQ(juxta_population_row(both.birds, gone), JUXTA_NO_ROW);
  EXPECT_EQ(juxta_simulation_end_step(both.c, nullptr, 0, nullptr), JUXTA_OK);
}

TEST(CAgents, AFileHasEverything) {
  Pair both(3);
  const test::ScratchFile file;
  const std::string path = file.path().string();
  ASSERT_EQ(juxta_simulation_save(both.c, path.c_str(), nullptr), JUXTA_OK);
  juxta_simulation* loaded = nullptr;
  ASSERT_EQ(juxta_simulation_load(path.c_str(), &loaded, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_simulation_seed(loaded), 5U);
  EXPECT_EQ(juxta_simulation_world(loaded).dimensions, 3U);
  EXPECT_EQ(juxta_simulation_world(loaded).edges[1], static_cast<std::uint32_t>(JUXTA_EDGE_WALL));
  EXPECT_EQ(juxta_simulation_world(loaded).hi[2], 1.0F);
  ASSERT_EQ(juxta_simulation_population_count(loaded), 1U);
  EXPECT_EQ(juxta_simulation_population(loaded, 0), juxta_simulation_find_population(loaded, "birds"));
  EXPECT_EQ(juxta_simulation_population(loaded, 1), nullptr);
  EXPECT_EQ(juxta_simulation_find_population(loaded, "fish"), nullptr);
  EXPECT_STREQ(juxta_population_name(juxta_simulation_population(loaded, 0)), "birds");
  juxta_simulation_free(both.c);
  both.c = loaded;
  both.birds = juxta_simulation_population(loaded, 0);
  both.expect_same();
  std::filesystem::resize_file(path, 100);
  juxta_error error;
  EXPECT_EQ(juxta_simulation_load(path.c_str(), &loaded, &error), JUXTA_CORRUPT_FILE);
  std::filesystem::remove(path);
  EXPECT_EQ(juxta_simulation_load(path.c_str(), &loaded, &error), JUXTA_IO);
}

TEST(CAgents, ColumnsKnowTheirKind) {
  Pair both(2);
  std::uint32_t column = 99;
  EXPECT_EQ(juxta_population_find_column(both.birds, "hunger", &column, nullptr), JUXTA_OK);
  EXPECT_EQ(column, both.hungry);
  EXPECT_EQ(juxta_population_column_kind(both.birds, column), JUXTA_COLUMN_DOUBLE);
  EXPECT_EQ(juxta_population_column_kind(both.birds, both.found), JUXTA_COLUMN_RESULT);
  EXPECT_EQ(juxta_population_column_kind(both.birds, 99), JUXTA_COLUMN_OTHER);
  EXPECT_EQ(juxta_population_column_name(both.birds, 99), nullptr);
  EXPECT_EQ(static_cast<const double*>(juxta_population_read(both.birds, column, JUXTA_COLUMN_DOUBLE))[9],
            0.25);
  EXPECT_EQ(juxta_population_read(both.birds, column, JUXTA_COLUMN_FLOAT), nullptr);
  EXPECT_EQ(juxta_population_read(both.birds, 99, JUXTA_COLUMN_FLOAT), nullptr);
  EXPECT_EQ(juxta_population_write(both.birds, column, JUXTA_COLUMN_UINT8), nullptr);
  const std::int32_t minus = -3;
  const std::uint8_t small = 200;
  EXPECT_EQ(juxta_population_add_column(both.birds, "i", JUXTA_COLUMN_INT32, &minus, &column, nullptr),
            JUXTA_OK);
  EXPECT_EQ(
      static_cast<const std::int32_t*>(juxta_population_read(both.birds, column, JUXTA_COLUMN_INT32))[1], -3);
  EXPECT_EQ(juxta_population_add_column(both.birds, "b", JUXTA_COLUMN_UINT8, &small, &column, nullptr),
            JUXTA_OK);
  EXPECT_EQ(
      static_cast<const std::uint8_t*>(juxta_population_read(both.birds, column, JUXTA_COLUMN_UINT8))[1],
      200);
  EXPECT_EQ(juxta_population_add_column(both.birds, "u", JUXTA_COLUMN_UINT32, nullptr, &column, nullptr),
            JUXTA_OK);
  EXPECT_EQ(
      static_cast<const std::uint32_t*>(juxta_population_read(both.birds, column, JUXTA_COLUMN_UINT32))[1],
      0U);
  EXPECT_EQ(juxta_population_add_extents(both.birds, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_population_find_column(both.birds, "ey", &column, nullptr), JUXTA_OK);
  EXPECT_GT(juxta_population_memory_bytes(both.birds), kAgents * 40U);
}

TEST(CAgents, MistakesHaveAReason) {
  Pair both(2);
  juxta_error error;
  std::uint32_t column = 0;
  const float value = 1;
  const auto refused = [&](juxta_status status, juxta_status expected) {
    EXPECT_EQ(status, expected);
    EXPECT_GT(std::strlen(error.message), 10U);
    error = {};
  };
  refused(juxta_population_add_column(both.birds, "vx", JUXTA_COLUMN_FLOAT, nullptr, &column, &error),
          JUXTA_INVALID_ARGUMENT);
  refused(juxta_population_add_column(both.birds, nullptr, JUXTA_COLUMN_FLOAT, nullptr, &column, &error),
          JUXTA_INVALID_ARGUMENT);
  for (const auto kind : {JUXTA_COLUMN_REFERENCE, JUXTA_COLUMN_OTHER, JUXTA_COLUMN_RESULT}) {
    refused(juxta_population_add_column(both.birds, "new", kind, &value, &column, &error),
            JUXTA_INVALID_ARGUMENT);
  }
  refused(juxta_population_find_column(both.birds, "new", &column, &error), JUXTA_NOT_FOUND);
  refused(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_SUM, "vx", "found", nullptr,
                                  nullptr, nullptr, &error),
          JUXTA_INVALID_ARGUMENT);  // not sorted
  both.sort();
  refused(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_SUM, nullptr, "found",
                                  nullptr, nullptr, nullptr, &error),
          JUXTA_NOT_FOUND);
  refused(juxta_population_nearest(both.birds, both.birds, 2, 1, nullptr, nullptr, nullptr, nullptr, nullptr,
                                   &error),
          JUXTA_INVALID_ARGUMENT);
  const std::uint32_t rows[3] = {1, 2, kAgents};
  refused(juxta_population_kill(both.birds, rows, 3, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_population_kill(both.birds, rows, 3, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(error.index, 2U);
  refused(juxta_population_spawn(both.birds, rows, 3, &error), JUXTA_INVALID_ARGUMENT);
  refused(juxta_simulation_end_step(both.c, nullptr, 1, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_simulation_end_step(both.c, nullptr, 0, nullptr), JUXTA_OK);
  EXPECT_EQ(juxta_population_size(both.birds), kAgents) << "nothing was noted";
  refused(juxta_population_sort(both.birds, nullptr, nullptr, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  juxta_population* other = nullptr;
  refused(juxta_simulation_add_population(both.c, "birds", &other, &error), JUXTA_INVALID_ARGUMENT);
}

TEST(CAgents, StructsThatNobodyFilledAreRefused) {
  Pair both(2);
  juxta_error error;
  juxta_world world{};
  juxta_simulation* none = nullptr;
  EXPECT_EQ(juxta_simulation_build(&world, 1, &none, &error), JUXTA_INVALID_ARGUMENT);
  world = juxta_default_world();
  world.edges[1] = 7;
  EXPECT_EQ(juxta_simulation_build(&world, 1, &none, &error), JUXTA_INVALID_ARGUMENT);
  world.edges[1] = JUXTA_EDGE_WALL;  // lo is hi
  EXPECT_EQ(juxta_simulation_build(&world, 1, &none, &error), JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  juxta_sort_options sort{};
  EXPECT_EQ(juxta_population_sort(both.birds, &sort, nullptr, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  sort = juxta_default_sort_options();
  sort.radius = kRadius;
  sort.arrangement = 77;
  EXPECT_EQ(juxta_population_sort(both.birds, &sort, nullptr, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  both.sort();
  juxta_see_options see{};
  EXPECT_EQ(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_COUNT, nullptr, "found",
                                    &see, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  see = juxta_default_see_options();
  see.metric = 2;
  EXPECT_EQ(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_COUNT, nullptr, "found",
                                    &see, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  const juxta_boid_rules rules{};
  EXPECT_EQ(juxta_population_steer_boids(both.birds, &rules, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_population_reduce(both.birds, both.birds, kRadius, JUXTA_REDUCE_COUNT, nullptr, "found",
                                    nullptr, nullptr, nullptr, &error),
            JUXTA_OK)
      << "a count needs no column";
  juxta_simulation_free(nullptr);
}

}  // namespace
}  // namespace juxta
