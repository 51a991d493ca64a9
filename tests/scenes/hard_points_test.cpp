// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/hard_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace juxta::scenes {
namespace {

template <class T>
std::uint64_t hash(const std::vector<T>& values, std::uint64_t h) {
  for (const std::byte b : std::as_bytes(std::span(values))) {
    h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3U;
  }
  return h;
}

std::size_t count(const HardPoints& p, const RectF& q) {
  std::size_t inside = 0;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    inside += q.contains(p.x[i], p.y[i]) ? 1 : 0;
  }
  return inside;
}

bool is_permutation(std::vector<std::int32_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] != static_cast<std::int32_t>(i)) {
      return false;
    }
  }
  return true;
}

TEST(HardPoints, AreTheSameEverywhere) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const HardSet set : kHardSets) {
    const HardPoints p = make_hard_points(set, 30'000, 7);
    h = hash(p.rank, hash(p.y, hash(p.x, h)));
    for (const QueryFamily family : kQueryFamilies) {
      h = hash(make_hard_queries(family, p, 50, 8), h);
    }
  }
  EXPECT_EQ(h, 17035431986621644924U);
}

TEST(HardPoints, AreFiniteAndInsideTheFrame) {
  for (const HardSet set : kHardSets) {
    const HardPoints p = make_hard_points(set, 10'000, 1);
    const float margin = set == HardSet::kDiagonal ? 0.5F : 0.0F;
    const RectF frame{p.frame.lx - margin, p.frame.ly - margin, p.frame.hx + margin, p.frame.hy + margin};
    EXPECT_EQ(count(p, frame), 10'000U) << name(set);
    EXPECT_EQ(is_permutation(p.rank), set != HardSet::kCities) << name(set);
  }
}

TEST(HardPoints, UglyRanksGrowWithX) {
  const HardPoints p = make_hard_points(HardSet::kUgly, 20'000, 2);
  std::vector<float> by_rank(p.x.size());
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    by_rank[static_cast<std::size_t>(p.rank[i])] = p.x[i];
  }
  EXPECT_TRUE(std::is_sorted(by_rank.begin(), by_rank.end()));
  EXPECT_FALSE(std::is_sorted(p.rank.begin(), p.rank.end()));
}

TEST(HardPoints, HoleHoldsTheWorstRanks) {
  const HardPoints p = make_hard_points(HardSet::kHole, 20'000, 3);
  std::int32_t worst_outside = 0, best_inside = 20'000;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    if (std::abs(p.x[i]) <= 200 && std::abs(p.y[i]) <= 200) {
      best_inside = std::min(best_inside, p.rank[i]);
    } else {
      worst_outside = std::max(worst_outside, p.rank[i]);
    }
  }
  EXPECT_EQ(worst_outside + 1, best_inside);
  EXPECT_NEAR(best_inside, 0.84 * 20'000, 300);
}

TEST(HardPoints, DegenerateSetsAreDegenerate) {
  const HardPoints line = make_hard_points(HardSet::kVerticalLine, 1000, 4);
  EXPECT_EQ(std::count(line.x.begin(), line.x.end(), 0.0F), 1000);
  const HardPoints lattice = make_hard_points(HardSet::kLattice, 1000, 4);
  EXPECT_EQ(std::set<float>(lattice.x.begin(), lattice.x.end()).size(), 32U);
  const HardPoints diagonal = make_hard_points(HardSet::kDiagonal, 1000, 4);
  for (std::size_t i = 0; i < diagonal.x.size(); ++i) {
    EXPECT_LE(std::abs(diagonal.x[i] - diagonal.y[i]), 0.5001F);
  }
}

TEST(HardPoints, CitiesStayInPlaceAndAreReplicated) {
  const std::vector<City> cities{{10.0F, 20.0F, 5000}, {-30.0F, 40.0F, 100}};
  const HardPoints p = make_hard_points(HardSet::kCities, 1000, 5, cities);
  EXPECT_EQ(p.x[0], 10.0F);
  EXPECT_EQ(p.y[1], 40.0F);
  EXPECT_EQ(p.rank[0], -5000);
  EXPECT_EQ(p.rank[1], -100);
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    EXPECT_LE(std::abs(p.x[i] - cities[i % 2].x), 1.0F);
    EXPECT_LE(std::abs(p.y[i] - cities[i % 2].y), 1.0F);
    EXPECT_GE(p.rank[i], -cities[i % 2].population);
    EXPECT_LE(p.rank[i], 0);
  }
}

TEST(HardPoints, AnyCount) {
  for (const HardSet set : kHardSets) {
    for (const std::size_t n : {0U, 1U, 2U, 5U}) {
      const HardPoints p = make_hard_points(set, n, 6);
      EXPECT_EQ(p.x.size(), n);
      EXPECT_EQ(p.rank.size(), n);
      for (const QueryFamily family : kQueryFamilies) {
        for (const RectF& q : make_hard_queries(family, p, 5, 6)) {
          EXPECT_FALSE(q.empty()) << name(set) << ' ' << name(family);
        }
      }
    }
  }
}

TEST(HardQueries, HaveTheirShapes) {
  const HardPoints p = make_hard_points(HardSet::kUniform, 10'000, 9);
  for (const QueryFamily family : kQueryFamilies) {
    std::size_t empty = 0;
    for (const RectF& q : make_hard_queries(family, p, 200, 10)) {
      const float w = (q.hx - q.lx) / 1000, h = (q.hy - q.ly) / 1000;
      const bool thin_x = w <= 0.0011F, thin_y = h <= 0.0011F;
      empty += count(p, q) == 0 ? 1 : 0;
      switch (family) {
        case QueryFamily::kTiny:
          EXPECT_TRUE(thin_x && thin_y);
          break;
        case QueryFamily::kTall:
          EXPECT_TRUE(thin_x && h >= 0.19F);
          break;
        case QueryFamily::kWide:
          EXPECT_TRUE(thin_y && w >= 0.19F);
          break;
        case QueryFamily::kLarge:
          EXPECT_TRUE(w >= 0.49F && h >= 0.49F);
          break;
        case QueryFamily::kRightHalf:
          EXPECT_TRUE(w >= 0.44F && w <= 0.61F && h >= 0.99F && q.hx >= 499.9F);
          break;
        case QueryFamily::kOfficialLike:
          EXPECT_LE(w, 1.0F);
          break;
      }
    }
    // Every family but the official one is drawn where it finds something.
    EXPECT_LE(empty, family == QueryFamily::kOfficialLike ? 200U : 0U) << name(family);
  }
}

TEST(HardPoints, NamesAreDistinct) {
  std::set<std::string> names;
  for (const HardSet set : kHardSets) {
    names.emplace(name(set));
  }
  for (const QueryFamily family : kQueryFamilies) {
    names.emplace(name(family));
  }
  EXPECT_EQ(names.size(), kHardSets.size() + kQueryFamilies.size());
}

}  // namespace
}  // namespace juxta::scenes
