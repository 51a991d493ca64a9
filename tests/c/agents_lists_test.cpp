// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Neighbours as lists and pairs through C: the same as in C++.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "juxta.h"
#include "juxta/agents/neighbour_lists.h"
#include "juxta/agents/simulation.h"
#include "juxta/core/random.h"

namespace juxta {
namespace {

constexpr std::uint32_t kAgents = 1500;

/// The same agents in both languages, in a periodic square or cube of edge 1.
struct Pair {
  explicit Pair(std::uint32_t dimensions) {
    juxta_world world = juxta_default_world();
    World twin;
    world.dimensions = twin.dimensions = dimensions;
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      world.edges[axis] = JUXTA_EDGE_PERIODIC;
      world.hi[axis] = 1;
      twin.edges[axis] = Edge::kPeriodic;
      twin.hi[axis] = 1;
    }
    EXPECT_EQ(juxta_simulation_build(&world, 5, &simulation, nullptr), JUXTA_OK);
    EXPECT_EQ(juxta_simulation_add_population(simulation, "atoms", &atoms, nullptr), JUXTA_OK);
    EXPECT_EQ(juxta_population_insert(atoms, kAgents, nullptr, nullptr), JUXTA_OK);
    cpp = Simulation::build(twin, 5).value();
    twins = cpp.add_population("atoms").value();
    EXPECT_TRUE(twins->insert(kAgents));
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      auto* const at = static_cast<float*>(juxta_population_write(atoms, axis, JUXTA_COLUMN_FLOAT));
      const auto twin_at = twins->write(twins->position(axis));
      for (std::uint32_t i = 0; i < kAgents; ++i) {
        at[i] = twin_at[i] = random_float({3, 0, axis}, i);
      }
    }
    juxta_sort_options options = juxta_default_sort_options();
    options.radius = 0.1F;
    EXPECT_EQ(juxta_population_sort(atoms, &options, nullptr, nullptr, nullptr), JUXTA_OK);
    EXPECT_TRUE(twins->sort({.radius = 0.1F}));
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() { juxta_simulation_free(simulation); }

  juxta_simulation* simulation = nullptr;
  juxta_population* atoms = nullptr;
  Simulation cpp = Simulation::build({}).value();
  Population* twins = nullptr;
};

template <class T>
void expect_bytes(const std::vector<T>& a, const std::vector<T>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(T)), 0) << what;
}

TEST(CNeighbourLists, AreThoseOfCpp) {
  for (const std::uint32_t dimensions : {2U, 3U}) {
    Pair both(dimensions);
    for (const bool half : {false, true}) {
      for (const std::uint32_t metric : {JUXTA_METRIC_BALL, JUXTA_METRIC_BOX}) {
        juxta_neighbour_list_options options = juxta_default_neighbour_list_options();
        options.metric = metric;
        options.half = half;
        const NeighbourListOptions twin_options{.metric = static_cast<Metric>(metric), .half = half};
        std::vector<std::uint64_t> offsets(kAgents + 1), twin_offsets(kAgents + 1);
        juxta_query_result counted{};
        ASSERT_EQ(juxta_population_neighbour_lists(both.atoms, both.atoms, 0.1F, offsets.data(), nullptr,
                                                   &options, nullptr, &counted, nullptr),
                  JUXTA_OK);
        EXPECT_EQ(counted.written, 0U);
        ASSERT_GT(counted.found, kAgents);
        const std::size_t size = counted.found - 1;  // the last one is not written
        std::vector<std::uint32_t> rows(size), twin_rows(size);
        std::vector<juxta_row_pair> pairs(size);
        std::vector<RowPair> twin_pairs(size);
        std::vector<float> distance2(size), distance(size), displacement(size * dimensions);
        std::vector<float> twin_distance2(size), twin_distance(size), twin_displacement(size * dimensions);
        const juxta_neighbour_outputs outputs{
            size, rows.data(), pairs.data(), distance2.data(), distance.data(), displacement.data()};
        juxta_query_result result{};
        ASSERT_EQ(juxta_population_neighbour_lists(both.atoms, both.atoms, 0.1F, offsets.data(), &outputs,
                                                   &options, nullptr, &result, nullptr),
                  JUXTA_OK);
        const QueryResult twin =
            neighbour_lists(*both.twins, *both.twins, 0.1F, twin_offsets,
                            {twin_rows, twin_pairs, twin_distance2, twin_distance, twin_displacement},
                            twin_options)
                .value();
        EXPECT_EQ(result.found, twin.found);
        EXPECT_EQ(result.found, counted.found);
        EXPECT_EQ(result.written, size);
        EXPECT_EQ(result.tested, twin.tested);
        expect_bytes(offsets, twin_offsets, "offsets");
        expect_bytes(rows, twin_rows, "rows");
        EXPECT_EQ(std::memcmp(pairs.data(), twin_pairs.data(), size * sizeof(RowPair)), 0);
        expect_bytes(distance2, twin_distance2, "distance2");
        expect_bytes(distance, twin_distance, "distance");
        expect_bytes(displacement, twin_displacement, "displacement");

        std::vector<juxta_row_pair> again(size);
        const juxta_neighbour_outputs only_pairs{size, nullptr, again.data(), nullptr, nullptr, nullptr};
        ASSERT_EQ(juxta_population_neighbour_lists(both.atoms, both.atoms, 0.1F, nullptr, &only_pairs,
                                                   &options, nullptr, &result, nullptr),
                  JUXTA_OK);
        EXPECT_EQ(std::memcmp(pairs.data(), again.data(), size * sizeof(RowPair)), 0);
        EXPECT_EQ(result.found, twin.found);
      }
    }
  }
}

TEST(CNeighbourLists, RefuseWhatCppRefuses) {
  Pair both(2);
  juxta_error error{};
  const auto refused = [&](float radius, const juxta_neighbour_list_options* options, const char* why) {
    EXPECT_EQ(juxta_population_neighbour_lists(both.atoms, both.atoms, radius, nullptr, nullptr, options,
                                               nullptr, nullptr, &error),
              JUXTA_INVALID_ARGUMENT);
    EXPECT_NE(std::string(error.message).find(why), std::string::npos) << error.message;
  };
  juxta_neighbour_list_options options = juxta_default_neighbour_list_options();
  refused(-1, &options, "radius");
  refused(0.6F, &options, "half");
  options.nearest_images = true;
  EXPECT_EQ(juxta_population_neighbour_lists(both.atoms, both.atoms, 0.6F, nullptr, nullptr, &options,
                                             nullptr, nullptr, nullptr),
            JUXTA_OK);
  options.metric = 7;
  refused(0.1F, &options, "metric");
  options = {};
  refused(0.1F, &options, "does not come from its juxta_default function");
}

}  // namespace
}  // namespace juxta
