// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The contest's C interface, loaded the way that the contest does it.
#include "ranked/contest.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "scenes/contest.h"

namespace {

struct Plugin {
  Plugin() : library(dlopen(JUXTA_CONTEST_LIBRARY, RTLD_NOW)) {
    EXPECT_NE(library, nullptr) << dlerror();
    create = reinterpret_cast<decltype(&::create)>(dlsym(library, "create"));
    search = reinterpret_cast<decltype(&::search)>(dlsym(library, "search"));
    destroy = reinterpret_cast<decltype(&::destroy)>(dlsym(library, "destroy"));
  }
  void* library;
  decltype(&::create) create;
  decltype(&::search) search;
  decltype(&::destroy) destroy;
};

bool same(const Point& a, const Point& b) {
  return std::memcmp(&a, &b, sizeof(Point)) == 0;
}

std::vector<Point> brute(const std::vector<Point>& points, const Rect& rect, std::size_t count) {
  std::vector<Point> inside;
  for (const Point& p : points) {
    if (rect.lx <= p.x && p.x <= rect.hx && rect.ly <= p.y && p.y <= rect.hy) {
      inside.push_back(p);
    }
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [](const Point& a, const Point& b) { return int{a.rank} < int{b.rank}; });
  inside.resize(std::min(count, inside.size()));
  return inside;
}

TEST(Contest, APointIsThirteenBytes) {
  static_assert(sizeof(Point) == 13 && sizeof(Rect) == 16);
}

TEST(Contest, SurvivesNothing) {
  const Plugin plugin;
  SearchContext* context = plugin.create(nullptr, nullptr);
  Point out[1];
  EXPECT_EQ(plugin.search(context, {-1, -1, 1, 1}, 1, out), 0);
  EXPECT_EQ(plugin.destroy(context), nullptr);
  EXPECT_EQ(plugin.destroy(nullptr), nullptr);
}

TEST(Contest, AnswersAnyKAndAnyRanks) {
  const Plugin plugin;
  juxta::scenes::ContestWorld world = juxta::scenes::make_contest(40'000).value();
  for (const bool odd_ranks : {false, true}) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < world.x.size(); ++i) {
      const std::int32_t rank = odd_ranks ? world.rank[i] % 50 - 25 : world.rank[i];
      points.push_back({world.id[i], rank, world.x[i], world.y[i]});
    }
    SearchContext* context = plugin.create(points.data(), points.data() + points.size());
    ASSERT_NE(context, nullptr);
    const auto queries = juxta::scenes::contest_queries(world, 60);
    const auto run = [&] {
      for (const auto& q : queries) {
        for (const std::int32_t k : {0, 1, 20, 1025, 50'000}) {
          const Rect rect = {q.lx, q.ly, q.hx, q.hy};
          std::vector<Point> out(static_cast<std::size_t>(k) + 1);
          const std::int32_t n = plugin.search(context, rect, k, out.data());
          const auto want = brute(points, rect, static_cast<std::size_t>(k));
          ASSERT_EQ(static_cast<std::size_t>(n), want.size());
          ASSERT_TRUE(std::equal(want.begin(), want.end(), out.begin(), same));
        }
      }
    };
    std::thread other(run);  // searching is safe from many threads
    run();
    other.join();
    plugin.destroy(context);
  }
}

}  // namespace
