// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The oracle needs an oracle: mipmap and scans against ten lines that sort what is inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "classics/ranked/kd_tree.h"
#include "classics/ranked/mipmap.h"
#include "classics/ranked/record_scan.h"
#include "classics/ranked/scan.h"
#include "scenes/contest.h"
#include "scenes/draws.h"
#include "scenes/hard_points.h"

namespace juxta::classics {
namespace {

std::vector<std::uint32_t> brute_force(const RankedColumns& p, const RectF& rect, std::size_t k) {
  std::vector<std::uint32_t> inside;
  for (std::uint32_t i = 0; i < p.x.size(); ++i) {
    if (rect.contains(p.x[i], p.y[i])) {
      inside.push_back(i);
    }
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return p.rank[a] < p.rank[b]; });
  inside.resize(std::min(inside.size(), k));
  return inside;
}

template <class Classic>
void expect_records(const Classic& classic, const RankedColumns& p, const RectF& rect,
                    const std::vector<std::uint32_t>& want, std::size_t k) {
  std::vector<Record> records(k + 1);
  ASSERT_EQ(classic.top(rect, k, records.data()), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    const std::uint32_t from = want[i];
    const Record expected{p.id.empty() ? std::int8_t{0} : p.id[from], p.rank[from], p.x[from], p.y[from]};
    ASSERT_EQ(std::memcmp(&records[i], &expected, sizeof(Record)), 0);
  }
}

template <class Classic>
void expect_ids(const Classic& classic, const RectF& rect, const std::vector<std::uint32_t>& want,
                std::size_t k) {
  std::vector<std::uint32_t> ids(k + 1, 0xdeadbeef);  // one of guard behind the k that may be written
  ids.resize(classic.top_ids(rect, k, ids.data()) + 1);
  ASSERT_EQ(ids.back(), 0xdeadbeef);
  ids.pop_back();
  ASSERT_EQ(ids, want);
}

void compare(const RankedColumns& p, const std::vector<RectF>& queries, const std::vector<std::size_t>& ks) {
  const Mipmap mipmap(p);
  const Scan scan(p);
  const RecordScan plain(p);
  const KdTree tree(p, 16 + p.x.size() % 40);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    SCOPED_TRACE("query " + std::to_string(i));
    const std::size_t k = ks[i % ks.size()];
    const std::vector<std::uint32_t> want = brute_force(p, queries[i], k);
    ASSERT_NO_FATAL_FAILURE(expect_ids(mipmap, queries[i], want, k));
    ASSERT_NO_FATAL_FAILURE(expect_records(mipmap, p, queries[i], want, k));
    ASSERT_NO_FATAL_FAILURE(expect_ids(scan, queries[i], want, k));
    ASSERT_NO_FATAL_FAILURE(expect_records(scan, p, queries[i], want, k));
    ASSERT_NO_FATAL_FAILURE(expect_records(plain, p, queries[i], want, k));
    ASSERT_NO_FATAL_FAILURE(expect_ids(tree, queries[i], want, k));
    ASSERT_EQ(scan.count(queries[i]), brute_force(p, queries[i], p.x.size()).size());
  }
}

TEST(ClassicRanked, ContestPoints) {
  for (const std::size_t n : {1U, 100U, 2047U, 2048U, 2049U, 3051U, 40'000U}) {
    SCOPED_TRACE(n);
    auto w = std::move(*scenes::make_contest(n));
    const std::vector<RectF> queries = scenes::contest_queries(w, 300);
    compare({w.x, w.y, w.rank, w.id}, queries, {20, 1, 100, 5000});
  }
}

TEST(ClassicRanked, HardPoints) {
  for (const scenes::HardSet set : scenes::kHardSets) {
    const scenes::HardPoints p = scenes::make_hard_points(set, 30'000, 11);
    for (const scenes::QueryFamily family : scenes::kQueryFamilies) {
      SCOPED_TRACE(std::string(name(set)) + " " + std::string(name(family)));
      compare({p.x, p.y, p.rank, {}}, scenes::make_hard_queries(family, p, 40, 12), {20, 1, 3, 2000});
    }
  }
}

// Few distinct values: many points on every edge, ranks that repeat, both zeros, the extremes of int32.
TEST(ClassicRanked, TiesAndEdges) {
  scenes::Draws draws(13);
  std::vector<float> x(9000), y(9000);
  std::vector<std::int32_t> rank(9000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(draws.below(5)) - 2.0F;
    y[i] = draws.below(7) == 0 ? -0.0F : static_cast<float>(draws.below(3)) - 1.0F;
    const std::uint32_t r = draws.below(9);
    rank[i] = r == 0   ? std::numeric_limits<std::int32_t>::min()
              : r == 1 ? std::numeric_limits<std::int32_t>::max()
                       : static_cast<std::int32_t>(r);
  }
  std::vector<RectF> queries;
  for (int i = 0; i < 200; ++i) {
    const auto draw = [&] { return static_cast<float>(draws.below(7)) * 0.5F - 1.5F; };
    const float a = draw(), b = draw(), c = draw(), d = draw();
    queries.push_back({a, b, c, d});  // about half of them inverted
  }
  compare({x, y, rank, {}}, queries, {1, 20, 1500, 9000, 20'000});
}

// Every point stands in one level, in two orders: 13 + 4 + 24 bytes, and 8 for those above the last level,
// which have a table. Levels that held the ones before as well took 53 to 77.
TEST(ClassicRanked, MipmapHoldsEveryPointOnce) {
  const auto w = std::move(*scenes::make_contest(200'000));
  const Mipmap mipmap({w.x, w.y, w.rank, w.id});
  EXPECT_LT(static_cast<double>(mipmap.memory_bytes()) / 200'000, 49.5);
}

TEST(ClassicRanked, OddRectangles) {
  const auto w = std::move(*scenes::make_contest(20'000));
  constexpr float kInf = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  compare({w.x, w.y, w.rank, w.id},
          {{-kInf, -kInf, kInf, kInf},
           {w.x[5], w.y[5], w.x[5], w.y[5]},
           {kInf, kInf, -kInf, -kInf},
           {kNan, -kInf, kInf, kInf},
           {-kInf, -kInf, kInf, kNan},
           {1e9F, -kInf, kInf, kInf},
           {kInf, kInf, kInf, kInf}},
          {20, 0, 25'000});
}

TEST(ClassicRanked, NothingInNothingOut) {
  const RankedColumns none{};
  Record record;
  std::uint32_t id;
  const RectF all{-1, -1, 1, 1};
  EXPECT_EQ(Mipmap(none).top(all, 1, &record), 0U);
  EXPECT_EQ(Mipmap(none).top_ids(all, 1, &id), 0U);
  EXPECT_EQ(Scan(none).top(all, 1, &record), 0U);
  EXPECT_EQ(Scan(none).count(all), 0U);
}

}  // namespace
}  // namespace juxta::classics
