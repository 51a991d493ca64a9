// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Readers beside writers and merges: every snapshot is one state, whole and unchanged while it is held. Under
// the thread sanitizer, also that nothing is read while it is written.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "juxta/ranked/live_points.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Ids = std::vector<Id>;
constexpr std::size_t kPoints = 4000, kGroup = 10;
constexpr RectD kLeft = {0, 0, 499, 1000}, kEverywhere = {-10, -10, 2000, 2000};

// Ranks are slots, so that a reader can check the order of answers.
LiveRankedPoints make_points(const LiveRankedOptions& options) {
  std::vector<float> x, y;
  std::vector<std::int32_t> ranks;
  for (std::size_t i = 0; i < kPoints; ++i) {
    x.push_back(i % 2 == 0 ? 100.0F : 900.0F);
    y.push_back(static_cast<float>(i * 7919 % 1000));
    ranks.push_back(static_cast<std::int32_t>(i));
  }
  return LiveRankedPoints::build({x, y, ranks}, options).value();
}

/// Moves two points at a time to each other's side: as many as before are on the left.
void swap_sides(LiveRankedPoints& live, const std::atomic<bool>& stop) {
  std::vector<bool> is_left;
  for (std::size_t i = 0; i < kPoints; ++i) {
    is_left.push_back(i % 2 == 0);
  }
  std::mt19937 random(1);
  while (!stop) {
    const auto a = static_cast<std::uint32_t>(random() % kPoints);
    const auto b = static_cast<std::uint32_t>(random() % kPoints);
    if (is_left[a] != is_left[b]) {
      is_left[a] = !is_left[a];
      is_left[b] = !is_left[b];
      const Ids ids = {{a, 1}, {b, 1}};
      const std::vector<float> x = {is_left[a] ? 50.0F : 800.0F, is_left[b] ? 50.0F : 800.0F};
      const std::vector<float> y = {static_cast<float>(random() % 1000), static_cast<float>(random() % 1000)};
      ASSERT_TRUE(live.move(ids, x, y));
    }
  }
}

/// Inserts and removes whole groups on the right.
void come_and_go(LiveRankedPoints& live, const std::atomic<bool>& stop) {
  const std::vector<float> x(kGroup, 700), y(kGroup, 500);
  const std::vector<std::int32_t> ranks(kGroup, 1'000'000);
  while (!stop) {
    Ids ids(kGroup);
    ASSERT_TRUE(live.insert({x, y, ranks}, ids));
    ASSERT_TRUE(live.remove(ids));
  }
}

void expect_whole(const RankedSnapshot& now) {
  ASSERT_EQ(now.count(kLeft).found, kPoints / 2);
  ASSERT_EQ(now.count(kEverywhere).found, now.size());
  ASSERT_TRUE(now.size() == kPoints || now.size() == kPoints + kGroup);
  Ids got(kPoints + kGroup);
  ASSERT_EQ(now.top(kEverywhere, got.size(), got).written, now.size());
  for (std::uint32_t i = 0; i < kPoints; ++i) {
    ASSERT_EQ(got[i], (Id{i, 1}));
  }
  got.resize(20);
  ASSERT_EQ(now.top(kLeft, 20, got).written, 20U);
  Ids page(20);
  ASSERT_EQ(now.top_after({static_cast<std::int32_t>(got[9].slot), got[9].slot}, RankedRegion::rect(kLeft),
                          10, page)
                ->written,
            10U);
  ASSERT_TRUE(std::equal(got.begin() + 10, got.end(), page.begin()));
  std::vector<double> distances(20);
  ASSERT_EQ(now.nearest(0, 0, 20, got, distances, {.most_important = kPoints}).written, 20U);
  std::vector<std::uint32_t> cells(9);
  ASSERT_EQ(now.count_cells(kEverywhere, 3, 3, cells)->found, now.size());
}

TEST(LiveRankedPointsThreads, EverySnapshotIsOneState) {
  const test::ThreadsExecutor executor(2);
  LiveRankedPoints live = make_points({.merging = {.executor = &executor}});
  std::atomic<bool> stop{false};
  std::vector<std::thread> writers;
  writers.emplace_back([&] { swap_sides(live, stop); });
  writers.emplace_back([&] { come_and_go(live, stop); });
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&] {
      for (int i = 0; i < 60 && !testing::Test::HasFatalFailure(); ++i) {
        const RankedSnapshot now = live.snapshot();
        expect_whole(now);
        const RankedSnapshot later = live.snapshot();  // two at a time
        expect_whole(now);
        expect_whole(later);
      }
    });
  }
  for (std::thread& reader : readers) {
    reader.join();
  }
  stop = true;
  for (std::thread& writer : writers) {
    writer.join();
  }
  ASSERT_TRUE(live.merge());
  EXPECT_EQ(live.unmerged(), 0U);
  expect_whole(live.snapshot());
}

// The object may go while a merge runs: the merge is cancelled.
TEST(LiveRankedPointsThreads, EndsWhileItMerges) {
  for (int i = 0; i < 20; ++i) {
    LiveRankedPoints live = make_points({});
    for (std::uint32_t p = 0; p < 1500; ++p) {
      ASSERT_TRUE(live.remove(Id{p, 1}));
    }
  }
}

// More snapshots than there are places for at first.
TEST(LiveRankedPointsThreads, ManySnapshots) {
  LiveRankedPoints live = make_points({});
  std::vector<RankedSnapshot> snapshots;
  for (int i = 0; i < 200; ++i) {
    snapshots.push_back(live.snapshot());
  }
  for (const RankedSnapshot& snapshot : snapshots) {
    EXPECT_EQ(snapshot.size(), kPoints);
  }
}

}  // namespace
}  // namespace juxta
