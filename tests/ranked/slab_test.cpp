// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Slivers where ranks depend on the place, against every point looked at: through slabs, in pages, from
// files.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "ranked/brute.h"
#include "ranked/store.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Ids = std::vector<std::uint32_t>;

bool has_slabs(const RankedPoints& points) {
  return ranked_detail::StoreAccess::view(points).x_slabs.name != nullptr;
}

class SlabWorld {
 public:
  SlabWorld(scenes::HardSet kind, std::size_t n) : set(scenes::make_hard_points(kind, n, 4)), order_(n) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, [&](auto a, auto b) { return set.rank[a] < set.rank[b]; });
  }

  [[nodiscard]] RankedPoints build(const Context& context = {}) const {
    return RankedPoints::build(set.x, set.y, set.rank, {.keep_ranks = true}, context).value();
  }

  [[nodiscard]] Ids all(const RectD& rect) const {
    Ids found;
    std::ranges::copy_if(order_, std::back_inserter(found),
                         [&](auto i) { return rect.contains(set.x[i], set.y[i]); });
    return found;
  }

  void ask(const RankedPoints& points, std::size_t queries) const {
    for (const auto family : {scenes::QueryFamily::kTall, scenes::QueryFamily::kWide,
                              scenes::QueryFamily::kTiny, scenes::QueryFamily::kOfficialLike}) {
      for (const RectF& query : scenes::make_hard_queries(family, set, queries, 8)) {
        const RectD rect = test::as_double(query);
        const Ids want = all(rect);
        for (const std::size_t k : {1U, 20U, 255U, 256U, 3000U}) {
          Ids got(k);
          got.resize(points.top(rect, k, got).written);
          ASSERT_EQ(got, Ids(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(got.size())));
          ASSERT_EQ(got.size(), std::min(k, want.size()));
        }
        if (want.size() > 40) {
          Ids page(300);
          page.resize(points.top_after({set.rank[want[39]], want[39]}, rect, page.size(), page)->written);
          ASSERT_EQ(page.size(), std::min<std::size_t>(300, want.size() - 40));
          ASSERT_TRUE(std::equal(page.begin(), page.end(), want.begin() + 40));
        }
      }
    }
  }

  scenes::HardPoints set;

 private:
  Ids order_;
};

TEST(RankedSlabs, AreThereWhereRanksDependOnThePlace) {
  for (const auto& [kind, expected] : {std::pair(scenes::HardSet::kUgly, true),
                                       {scenes::HardSet::kHole, true},
                                       {scenes::HardSet::kUniform, false},
                                       {scenes::HardSet::kDiagonal, false}}) {
    EXPECT_EQ(has_slabs(SlabWorld(kind, 100'000).build()), expected) << scenes::name(kind);
    EXPECT_FALSE(has_slabs(SlabWorld(kind, 60'000).build())) << scenes::name(kind);
  }
}

TEST(RankedSlabs, FindWhatALoopFinds) {
  for (const auto kind : {scenes::HardSet::kUgly, scenes::HardSet::kHole}) {
    const SlabWorld world(kind, 70'003);
    const RankedPoints points = world.build();
    ASSERT_TRUE(has_slabs(points));
    test::for_each_isa([&](Isa) { world.ask(points, 12); });
    const std::string path =
        (std::filesystem::temp_directory_path() / ("juxta_" + std::to_string(::getpid()) + "_slabs.jxr"))
            .string();
    ASSERT_TRUE(points.save(path));
    const auto loaded = RankedPoints::load(path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_TRUE(has_slabs(*loaded));
    world.ask(*loaded, 5);
    std::filesystem::remove(path);
  }
}

// As many quanta as there can be.
TEST(RankedSlabs, FindWhatALoopFindsInLargeSets) {
  const SlabWorld world(scenes::HardSet::kUgly, 270'000);
  const RankedPoints points = world.build();
  ASSERT_TRUE(has_slabs(points));
  world.ask(points, 8);
}

TEST(RankedSlabs, GoAndComeWithRebuild) {
  const SlabWorld ugly(scenes::HardSet::kUgly, 70'000), even(scenes::HardSet::kUniform, 70'000);
  RankedPoints points = ugly.build();
  const std::size_t bytes = points.memory_bytes();
  ASSERT_TRUE(points.rebuild(even.set.x, even.set.y, even.set.rank));
  EXPECT_FALSE(has_slabs(points));
  ASSERT_TRUE(points.rebuild(ugly.set.x, ugly.set.y, ugly.set.rank, {.keep_ranks = true}));
  ASSERT_TRUE(has_slabs(points));
  EXPECT_EQ(points.memory_bytes(), bytes);
  ugly.ask(points, 3);
  // 12 bytes a point, and the tables.
  EXPECT_LT(static_cast<double>(bytes - even.build().memory_bytes()), 12.1 * 70'000 + 2 * 4 * 65'537);
}

}  // namespace
}  // namespace juxta
