// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes: lists and nearest points are the same on every compiler, instruction set and executor.
#include <gtest/gtest.h>

#include <limits>

#include "juxta/points/nearest_points.h"
#include "points/clouds.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"

namespace juxta {
namespace {

template <int D, class Real>
std::uint64_t hash_of(const Executor* executor) {
  const Context context{.executor = executor};
  scenes::Draws draws(31);
  std::uint64_t hash = test::fnv(std::span<const int>{});
  for (const bool sorted : {false, true}) {
    auto points = test::draw_cloud<D, Real>(test::Cloud::kUniform, 2000, draws);
    const auto more = test::draw_cloud<D, Real>(test::Cloud::kClumps, 2000, draws);
    points.insert(points.end(), more.begin(), more.end());
    const auto tree =
        BasicPointTree<D, Real>::build(points, test::periodic_space<D, Real>(1, 0, 1), context).value();
    const auto table =
        BasicNeighbourTable<D, Real>::build(tree, Real(0.05), {.sorted = sorted, .measured = true}, context)
            .value();
    std::vector<std::uint32_t> index(table.found()), near(tree.size() * 6);
    std::vector<Real> displacement(table.found() * D), distance2(near.size());
    EXPECT_TRUE(table.write({.index = index, .displacement = displacement}, context));
    EXPECT_TRUE(nearest(tree, 6, std::numeric_limits<Real>::infinity(), {near, distance2}, context));
    hash = test::fnv(table.offsets(), hash);
    hash = test::fnv(std::span<const std::uint32_t>(index), hash);
    hash = test::fnv(std::span<const Real>(displacement), hash);
    hash = test::fnv(std::span<const std::uint32_t>(near), hash);
    hash = test::fnv(std::span<const Real>(distance2), hash);
  }
  return hash;
}

TEST(PointsGolden, NeighboursAreTheSameEverywhere) {
  test::for_each_isa([](Isa) {
    test::for_each_executor([](const Executor* executor) {
      EXPECT_EQ((hash_of<2, float>(executor)), 0xb4bf789e176fdccdU);
      EXPECT_EQ((hash_of<3, float>(executor)), 0x1f275e4da74ffb4cU);
      EXPECT_EQ((hash_of<2, double>(executor)), 0x927af308a9578ba5U);
      EXPECT_EQ((hash_of<3, double>(executor)), 0x69c763112a1925ccU);
    });
  });
}

}  // namespace
}  // namespace juxta
