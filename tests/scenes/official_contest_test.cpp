// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scenes/contest.h"

namespace juxta::scenes {
namespace {

// What is known of the official input, from the published contest and measurements of it. Points are put into
// one list per distinct x, sorted by y, so that counting inside a rectangle stays cheap without optimisation.
class Official : public testing::Test {
 protected:
  struct Point {
    float x, y;
  };

  static void SetUpTestSuite() {
    world_ = new ContestWorld(std::move(*make_contest()));
    queries_ = new std::vector<RectF>(contest_queries(*world_));
    points_ = new std::vector<Point>(world_->x.size());
    for (std::size_t i = 0; i < points_->size(); ++i) {
      (*points_)[i] = {world_->x[i], world_->y[i]};
    }
    std::sort(points_->begin(), points_->end(),
              [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    for (std::size_t i = 0; i <= points_->size(); ++i) {
      if (i == 0 || i == points_->size() || (*points_)[i].x != (*points_)[i - 1].x) {
        starts_->push_back(i);
      }
    }
  }
  static void TearDownTestSuite() {
    delete world_;
    delete queries_;
    delete points_;
    delete starts_;
  }

  static std::size_t count(const RectF& q) {
    std::size_t inside = 0;
    for (std::size_t c = 0; c + 1 < starts_->size(); ++c) {
      const auto first = points_->begin() + static_cast<std::ptrdiff_t>((*starts_)[c]);
      const auto last = points_->begin() + static_cast<std::ptrdiff_t>((*starts_)[c + 1]);
      if (q.lx <= first->x && first->x <= q.hx) {
        const auto low = std::lower_bound(first, last, q.ly, [](const Point& p, float y) { return p.y < y; });
        const auto high = std::upper_bound(low, last, q.hy, [](float y, const Point& p) { return y < p.y; });
        inside += static_cast<std::size_t>(high - low);
      }
    }
    return inside;
  }

  static inline ContestWorld* world_ = nullptr;
  static inline std::vector<RectF>* queries_ = nullptr;
  static inline std::vector<Point>* points_ = nullptr;
  static inline std::vector<std::size_t>* starts_ = new std::vector<std::size_t>();
};

TEST_F(Official, WorldIsThinAndTall) {
  EXPECT_NEAR(world_->world.hx - world_->world.lx, 0.112F, 0.0005F);
  EXPECT_NEAR(world_->world.hy - world_->world.ly, 1915.0F, 0.5F);
}

TEST_F(Official, HasFewDistinctX) {
  EXPECT_EQ(starts_->size() - 1, 7325U);
}

TEST_F(Official, EndsInFourOutliers) {
  const std::size_t n = world_->x.size();
  ASSERT_EQ(n, kOfficialPoints);
  EXPECT_EQ(world_->x[n - 1], -1e10F);
  EXPECT_EQ(world_->x[n - 2], 1e10F);
  EXPECT_EQ(world_->y[n - 3], -1e10F);
  EXPECT_EQ(world_->y[n - 4], 1e10F);
}

TEST_F(Official, RanksAreAPermutation) {
  std::vector<bool> seen(world_->rank.size());
  for (const std::int32_t rank : world_->rank) {
    ASSERT_GE(rank, 0);
    ASSERT_LT(static_cast<std::size_t>(rank), seen.size());
    ASSERT_FALSE(seen[static_cast<std::size_t>(rank)]);
    seen[static_cast<std::size_t>(rank)] = true;
  }
}

// FNV-1a over the bits of the 1000 official rectangles.
TEST_F(Official, QueriesHaveTheirBits) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::byte byte : std::as_bytes(std::span(*queries_))) {
    hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  EXPECT_EQ(hash, 4632476948483948637U);
}

TEST_F(Official, QueriesFindWhatIsKnown) {
  std::vector<std::size_t> inside(queries_->size());
  std::transform(queries_->begin(), queries_->end(), inside.begin(), count);
  EXPECT_EQ(std::count(inside.begin(), inside.end(), 0U), 77);
  std::sort(inside.begin(), inside.end());
  EXPECT_NEAR(static_cast<double>(inside[inside.size() / 2]), 284'000, 500);
}

TEST_F(Official, TwentiethRankIsWhatIsKnown) {
  std::vector<std::uint32_t> by_rank(world_->rank.size());
  for (std::uint32_t i = 0; i < by_rank.size(); ++i) {
    by_rank[static_cast<std::size_t>(world_->rank[i])] = i;
  }
  std::vector<std::size_t> twentieth;
  for (const RectF& q : *queries_) {
    if (count(q) < 20) {
      twentieth.push_back(by_rank.size());  // there is none: as bad as the worst
      continue;
    }
    std::size_t rank = 0;
    for (int found = 0; found < 20; ++rank) {
      found += q.contains(world_->x[by_rank[rank]], world_->y[by_rank[rank]]) ? 1 : 0;
    }
    twentieth.push_back(rank - 1);
  }
  std::sort(twentieth.begin(), twentieth.end());
  EXPECT_NEAR(static_cast<double>(twentieth[twentieth.size() / 2]), 680, 0.5);
  EXPECT_NEAR(static_cast<double>(twentieth[twentieth.size() * 9 / 10]), 308'000, 500);
}

}  // namespace
}  // namespace juxta::scenes
