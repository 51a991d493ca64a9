// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/contest.h"
#include "support/code_of.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace juxta::scenes {
namespace {

// FNV-1a over the bytes of the columns.
template <class T>
std::uint64_t hash(std::span<const T> values, std::uint64_t h = 0xcbf29ce484222325U) {
  for (const std::byte b : std::as_bytes(values)) {
    h = (h ^ static_cast<std::uint64_t>(b)) * 0x100000001b3U;
  }
  return h;
}

std::uint64_t hash(const ContestWorld& w, const std::vector<RectF>& queries) {
  std::uint64_t h = hash(std::span(w.x));
  h = hash(std::span(w.y), h);
  h = hash(std::span(w.rank), h);
  h = hash(std::span(w.id), h);
  return hash(std::span(queries), h);
}

TEST(Contest, IsTheSameEverywhere) {
  ContestWorld w = std::move(*make_contest(100'000));
  const std::vector<RectF> queries = contest_queries(w, 100);
  EXPECT_EQ(hash(w, queries), 15147537222472873534U);
}

// The challenge's generator squares first: (w / 2) * (u * u). ((w / 2) * u) * u rounds differently.
TEST(Contest, RectanglesAreRoundedAsTheChallengesGenerator) {
  ContestWorld w = std::move(*make_contest(1000));
  ContestRandom draws = w.random;
  int otherwise = 0;
  for (const RectF& query : contest_queries(w)) {
    const float cx = draws.uniform(w.world.lx, w.world.hx), cy = draws.uniform(w.world.ly, w.world.hy);
    const float u = draws.uniform(0, 1), v = draws.uniform(0, 1);
    const float side_x = (w.world.hx - w.world.lx) / 2, side_y = (w.world.hy - w.world.ly) / 2;
    const float half_x = side_x * (u * u), half_y = side_y * (v * v);
    ASSERT_EQ(query.lx, cx - half_x);
    ASSERT_EQ(query.ly, cy - half_y);
    ASSERT_EQ(query.hx, cx + half_x);
    ASSERT_EQ(query.hy, cy + half_y);
    const float other_x = (side_x * u) * u, other_y = (side_y * v) * v;
    otherwise += query.lx != cx - other_x || query.ly != cy - other_y || query.hx != cx + other_x ||
                 query.hy != cy + other_y;
  }
  EXPECT_GT(otherwise, 100);  // of 1000: the order of the products shows
}

TEST(Contest, SmallWorlds) {
  for (const std::size_t n : {0U, 1U, 3U, 4U, 5U}) {
    const auto w = make_contest(n);
    ASSERT_TRUE(w);
    EXPECT_EQ(w->x.size(), n);
    EXPECT_EQ(w->id.size(), n);
    EXPECT_EQ(std::count(w->x.begin(), w->x.end(), 1e10F), n >= 4 ? 1 : 0);
  }
}

TEST(Contest, SeedText) {
  EXPECT_EQ(parse_contest_seed("75BCD15-159A55E5-1F123BB5-5491333-34DAD465").value(), kOfficialSeed);
  EXPECT_EQ(parse_contest_seed("0-0-0-ffffffff-1").value(), (ContestSeed{0, 0, 0, 0xffffffff, 1}));
  for (const char* bad :
       {"", "1", "1-2-3-4", "1-2-3-4-", "1-2-3-4-5-6", "1-2-3-4-5-", "1--3-4-5", "-1-2-3-4-5", "1-2-3-4-5 ",
        "g-2-3-4-5", "123456789-2-3-4-5", "000000001-2-3-4-5", "0x1-2-3-4-5"}) {
    const auto seed = parse_contest_seed(bad);
    ASSERT_FALSE(seed) << bad;
    EXPECT_EQ(test::code_of(seed), ErrorCode::kParse);
  }
}

TEST(Contest, RefusesWhatItCannotDo) {
  EXPECT_EQ(test::code_of(parse_contest_seed("0-0-0-0-0")), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(make_contest(10, ContestSeed{})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(make_contest(std::size_t{1} << 31)), ErrorCode::kTooLarge);
}

TEST(Contest, StopsWhenAsked) {
  struct Stop final : Monitor {
    bool on_progress(std::string_view stage, std::uint64_t, std::uint64_t total) override {
      EXPECT_EQ(total, 1000U);
      stages.emplace_back(stage);
      return stage != refuse;
    }
    std::string refuse;
    std::vector<std::string> stages;
  };
  for (const char* stage : {"generate points", "shuffle ranks"}) {
    Stop stop;
    stop.refuse = stage;
    const auto w = make_contest(1000, kOfficialSeed, &stop);
    ASSERT_FALSE(w);
    EXPECT_EQ(test::code_of(w), ErrorCode::kCancelled);
    EXPECT_EQ(stop.stages.back(), stage);
  }
}

}  // namespace
}  // namespace juxta::scenes
