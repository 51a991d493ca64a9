// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Begun and ended pairs against sets, frame by frame.
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/pair_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "scenes/boxes.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"
#include "support/executors.h"

namespace juxta {
namespace {

using Pairs = std::vector<Pair>;

Pairs copy(std::span<const Pair> pairs) {
  return {pairs.begin(), pairs.end()};
}

TEST(PairTracker, TheExampleOfTheHeader) {
  PairTracker tracker;
  Workspace workspace;
  ASSERT_TRUE(tracker.update(Pairs{{8, 9}, {3, 7}, {1, 2}}, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), (Pairs{{1, 2}, {3, 7}, {8, 9}}));
  EXPECT_TRUE(tracker.ended().empty());
  ASSERT_TRUE(tracker.update(Pairs{{4, 5}, {8, 9}, {1, 2}, {8, 9}}, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), (Pairs{{4, 5}}));
  EXPECT_EQ(copy(tracker.ended()), (Pairs{{3, 7}}));
  EXPECT_EQ(copy(tracker.pairs()), (Pairs{{1, 2}, {4, 5}, {8, 9}}));
  ASSERT_TRUE(tracker.update({}, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.begun().empty());
  EXPECT_EQ(copy(tracker.ended()), (Pairs{{1, 2}, {4, 5}, {8, 9}}));
  ASSERT_TRUE(tracker.update({}, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.ended().empty());
}

TEST(PairTracker, TheSameFrameTwiceHasNoEvents) {
  PairTracker tracker;
  Workspace workspace;
  const Pairs frame = {{0, 0}, {0, 0xFFFFFFFE}, {0xFFFFFFFE, 0xFFFFFFFE}};
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  EXPECT_TRUE(tracker.begun().empty());
  EXPECT_TRUE(tracker.ended().empty());
  EXPECT_EQ(copy(tracker.pairs()), frame);
  tracker.clear();
  EXPECT_TRUE(tracker.pairs().empty());
  ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace}));
  EXPECT_EQ(copy(tracker.begun()), frame);
  EXPECT_TRUE(tracker.ended().empty());
}

TEST(PairTracker, RandomFramesEqualSetDifferences) {
  test::for_each_executor([](const Executor* executor) {
    scenes::Draws draws(5);
    PairTracker tracker;
    Workspace workspace;
    std::set<Pair> last;
    for (const std::uint32_t size : {0u, 1u, 20u, 3000u, 2900u, 0u, 70'000u, 65'000u, 7u}) {
      Pairs frame;
      for (std::uint32_t i = 0; i < size; ++i) {
        frame.push_back({draws.below(size / 8 + 2), draws.below(9)});  // many come twice
      }
      if (draws.below(2) == 0) {
        std::sort(frame.begin(), frame.end());
      }
      const std::set<Pair> now(frame.begin(), frame.end());
      Pairs begun, ended;
      std::set_difference(now.begin(), now.end(), last.begin(), last.end(), std::back_inserter(begun));
      std::set_difference(last.begin(), last.end(), now.begin(), now.end(), std::back_inserter(ended));
      ASSERT_TRUE(tracker.update(frame, {.executor = executor, .workspace = &workspace}));
      EXPECT_EQ(copy(tracker.begun()), begun);
      EXPECT_EQ(copy(tracker.ended()), ended);
      EXPECT_EQ(copy(tracker.pairs()), Pairs(now.begin(), now.end()));
      last = now;
    }
  });
}

/// A frame as it comes, and what is told of it.
struct Frame {
  Pairs came, all, begun, ended;
};

/// What std::set_difference says of frames that follow each other.
class Told {
 public:
  void add(Pairs came) {
    Frame frame;
    frame.came = std::move(came);
    const std::set<Pair> once(frame.came.begin(), frame.came.end());
    frame.all.assign(once.begin(), once.end());
    std::set_difference(frame.all.begin(), frame.all.end(), last_.begin(), last_.end(),
                        std::back_inserter(frame.begun));
    std::set_difference(last_.begin(), last_.end(), frame.all.begin(), frame.all.end(),
                        std::back_inserter(frame.ended));
    last_ = frame.all;
    frames_.push_back(std::move(frame));
  }
  void check_everywhere() const {
    test::for_each_executor([&](const Executor* executor) {
      PairTracker tracker;
      Workspace workspace;
      for (std::size_t f = 0; f < frames_.size(); ++f) {
        SCOPED_TRACE("frame " + std::to_string(f));
        const Frame& frame = frames_[f];
        ASSERT_TRUE(tracker.update(frame.came, {.executor = executor, .workspace = &workspace}));
        ASSERT_TRUE(copy(tracker.begun()) == frame.begun);
        ASSERT_TRUE(copy(tracker.ended()) == frame.ended);
        ASSERT_TRUE(copy(tracker.pairs()) == frame.all);
      }
    });
  }
  [[nodiscard]] const std::vector<Frame>& frames() const { return frames_; }

 private:
  Pairs last_;
  std::vector<Frame> frames_;
};

// Several tasks of each kind, and a frame in which the layer sorts its bodies again.
TEST(PairTracker, FramesOfMovingBoxes) {
  for (const scenes::BoxSet set : {scenes::BoxSet::kUniform, scenes::BoxSet::kClustered}) {
    scenes::BoxWorld world = scenes::make_boxes(set, 80'000, 3);
    Layer layer;
    ASSERT_TRUE(layer.rebuild(world.boxes));
    Told told;
    for (int frame = 0; frame < 14; ++frame, scenes::advance(world)) {
      ASSERT_TRUE(layer.refit(world.boxes));
      Pairs pairs(800'000);
      const auto result = find_pairs(layer, pairs);
      ASSERT_TRUE(result);
      ASSERT_LE(result->found, pairs.size());
      pairs.resize(result->found);
      told.add(std::move(pairs));
    }
    EXPECT_GT(told.frames().back().begun.size(), 1000U);
    if (set == scenes::BoxSet::kUniform) {
      EXPECT_GT(layer.stats().sorts, 1U);
      EXPECT_GT(told.frames().back().all.size(), 2 * 65'536U);
    }
    told.check_everywhere();
  }
}

Pair draw_pair(scenes::Draws& draws, std::uint32_t bodies) {
  if (bodies == 0) {  // any number
    return {static_cast<std::uint32_t>(draws.next()), static_cast<std::uint32_t>(draws.next())};
  }
  return {draws.below(bodies), draws.below(bodies)};
}

/// The same list with one pair in `rare` changed in some way, and now and then a long run elsewhere.
Pairs edited(const Pairs& from, std::uint32_t bodies, std::uint32_t rare, bool repeats,
             scenes::Draws& draws) {
  Pairs to;
  for (const Pair& pair : from) {
    const std::uint32_t what = draws.below(4 * rare);
    if (what == 0) {
      continue;
    }
    to.push_back(pair);
    if (what == 1) {
      to.push_back(draw_pair(draws, bodies));
    } else if (what == 2 && to.size() > 1) {
      std::swap(to.back(), to[to.size() - 2]);
    } else if (what == 3) {
      to.back() = draw_pair(draws, bodies);
      if (repeats) {
        to.push_back(to[draws.below(static_cast<std::uint32_t>(to.size()))]);
      }
    }
  }
  if (to.size() > 10) {
    const auto size = static_cast<std::uint32_t>(to.size());
    const std::uint32_t first = draws.below(size),
                        middle = first + draws.below(std::min(size - first, 3000U));
    const std::uint32_t end = middle + draws.below(std::min(size - middle, 3000U));
    std::rotate(to.begin() + first, to.begin() + middle, to.begin() + end);
  }
  return to;
}

TEST(PairTracker, ListsInASimilarOrder) {
  scenes::Draws draws(11);
  for (const bool repeats : {false, true}) {
    for (const std::uint32_t size : {1U, 2U, 17U, 33U, 100U, 5000U, 150'000U}) {
      for (const std::uint32_t bodies : {0U, size / 4 + 1}) {
        if (size > 100'000 && (bodies == 0) != repeats) {
          continue;  // these take long
        }
        SCOPED_TRACE(std::to_string(size) + " pairs, " + std::to_string(bodies) + " bodies");
        std::set<Pair> once;
        Pairs frame;
        for (std::uint32_t i = 0; i < size; ++i) {
          const Pair pair = draw_pair(draws, bodies);
          if (repeats || once.insert(pair).second) {
            frame.push_back(pair);
          }
        }
        Told told;
        told.add(frame);
        for (const std::uint32_t rare : {1000U, 20U, 5U, 1000U, 1U, 50U}) {
          frame = edited(frame, bodies, rare, repeats, draws);
          told.add(frame);
        }
        told.check_everywhere();
      }
    }
  }
}

TEST(PairTracker, FramesThatHaveNothingInCommonOrAnotherOrder) {
  scenes::Draws draws(4);
  Pairs one, other;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    one.push_back({2 * i, i});
    other.push_back({2 * i + 1, i});
  }
  draws.shuffle(one);
  draws.shuffle(other);
  Pairs turned(one.rbegin(), one.rend()), swapped = one, half = one, first(one.begin(), one.begin() + 60'000);
  for (Pair& pair : swapped) {
    std::swap(pair.a, pair.b);  // other pairs
  }
  std::copy(other.begin() + 30'000, other.begin() + 80'000, half.begin() + 30'000);
  Pairs sorted = one, shuffled = one, twice = one;
  std::sort(sorted.begin(), sorted.end());
  draws.shuffle(shuffled);
  twice.insert(twice.end(), one.begin(), one.end());
  Told told;
  for (const Pairs& frame :
       {one,    other, one,      turned, one, swapped, one,   half, one,     first, one,
        sorted, one,   shuffled, twice,  one, twice,   twice, one,  Pairs(), one,   one}) {
    told.add(frame);
  }
  told.check_everywhere();
}

// Spans of the last update may be those of the next.
TEST(PairTracker, ItsOwnAnswersAsAFrame) {
  for (int which = 0; which < 3; ++which) {
    PairTracker tracker;
    const Pairs one = {{9, 1}, {1, 2}, {5, 6}, {3, 4}, {7, 8}},
                two = {{9, 1}, {1, 2}, {5, 7}, {3, 4}, {7, 8}};
    ASSERT_TRUE(tracker.update(one));
    ASSERT_TRUE(tracker.update(two));
    const auto frame = which == 0 ? tracker.pairs() : which == 1 ? tracker.begun() : tracker.ended();
    const Pairs now = copy(frame);
    ASSERT_TRUE(tracker.update(frame));
    EXPECT_EQ(copy(tracker.pairs()), now);
    ASSERT_TRUE(tracker.update(two));
    EXPECT_EQ(tracker.begun().size(), which == 0 ? 0U : which == 1 ? 4U : 5U);
    EXPECT_EQ(tracker.ended().size(), which == 2 ? 1U : 0U);
  }
}

TEST(PairTracker, TooManyPairsAreRefused) {
  PairTracker tracker;
  const Pairs frame = {{1, 2}, {3, 4}};
  ASSERT_TRUE(tracker.update(frame));
  const auto refused = tracker.update(std::span<const Pair>(frame.data(), 0xFFFFFFFF));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(copy(tracker.pairs()), frame);
  EXPECT_EQ(copy(tracker.begun()), frame);
}

// Each frame has a few pairs more than any before: that seldom allocates, and the workspace hardly grows.
TEST(PairTracker, SlowlyGrowingFramesSeldomAllocate) {
  test::CountingResource memory;
  PairTracker tracker(&memory);
  Workspace workspace(&memory);
  scenes::Draws draws(8);
  Pairs frame;
  for (std::uint32_t i = 0; i < 40'000; ++i) {
    frame.push_back(draw_pair(draws, 0));
  }
  const auto update = [&] { ASSERT_TRUE(tracker.update(frame, {.workspace = &workspace})); };
  const auto both = [&](int round) {
    if (round % 8 == 0) {
      draws.shuffle(frame);  // sorts all
    }
    update();
  };
  for (int round = 0; round < 17; ++round) {
    both(round);
  }
  const std::size_t before = memory.calls(), bytes = workspace.memory_bytes();
  for (int round = 0; round < 200; ++round) {
    frame.push_back(draw_pair(draws, 0));
    both(round);
  }
  EXPECT_LE(memory.calls() - before, 8U);
  EXPECT_LE(workspace.memory_bytes(), 2 * bytes);
  const std::size_t settled = memory.calls();
  update();
  EXPECT_EQ(memory.calls(), settled);
}

}  // namespace
}  // namespace juxta
