// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The stages of the published sweep against looking at every two boxes, and two slips of the printed code.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "classics/layer/sweep_stages.h"
#include "classics/layer_worlds.h"

namespace juxta::classics {
namespace {

// Sorted, the smaller index first.
std::vector<Pair> found_by(SweepStages& stages, SweepStage stage, StageForm form = StageForm::kCorrected) {
  std::vector<Pair> pairs(stages.find_pairs(stage, {}, form));
  EXPECT_EQ(stages.find_pairs(stage, pairs, form), pairs.size());
  for (Pair& pair : pairs) {
    pair = {std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(SweepStages, AllFindThePairsOfBruteForce) {
  for (const test::NamedBoxes& world : test::named_worlds()) {
    SCOPED_TRACE(world.name);
    const std::vector<Pair> want = test::brute_pairs(world.boxes);
    SweepStages stages(world.boxes);
    for (const SweepStage stage : kSweepStages) {
      ASSERT_EQ(found_by(stages, stage), want) << static_cast<int>(stage);
    }
  }
}

// Every length of the last turn of the unrolled loops and of the last batch.
TEST(SweepStages, AllFindThePairsOfAnyNumberOfBoxes) {
  const std::vector<Aabb3> boxes = test::degenerate_boxes(80);
  for (std::size_t count = 0; count <= boxes.size(); ++count) {
    const std::vector<Aabb3> some(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<Pair> want = test::brute_pairs(some);
    SweepStages stages(some);
    for (const SweepStage stage : kSweepStages) {
      ASSERT_EQ(found_by(stages, stage), want) << count << ", stage " << static_cast<int>(stage);
    }
  }
}

// The unrolled loops of the article leave a box out that begins exactly where the other one ends.
TEST(SweepStages, PublishedUnrollingDropsBoxesThatTouchAlongX) {
  const std::vector<Aabb3> boxes{{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}, {{1.5F, 0, 0}, {3, 1, 1}}};
  SweepStages stages(boxes);
  const std::vector<Pair> want{{0, 1}, {1, 2}}, published{{1, 2}};
  EXPECT_EQ(found_by(stages, SweepStage::kFlipped), want);
  for (const SweepStage stage : {SweepStage::kUnrolled4, SweepStage::kUnrolled16}) {
    EXPECT_EQ(found_by(stages, stage), want);
    EXPECT_EQ(found_by(stages, stage, StageForm::kPublished), published);
  }
}

// The sentinel's sweep negates the bounds of the box that looks but does not turn them round: its lower
// bounds meet lower ones. It misses pairs that overlap and reports some that do not.
TEST(SweepStages, PublishedSentinelComparesTheWrongBounds) {
  const std::vector<Aabb3> boxes{{{0, -10, -10}, {4, -1, -1}},  // apart from the next one in y and z
                                 {{1, 2, 2}, {2, 3, 3}},
                                 {{10, 10, 10}, {14, 12, 12}},  // overlaps the last one
                                 {{11, 11, 11}, {12, 13, 13}}};
  SweepStages stages(boxes);
  EXPECT_EQ(found_by(stages, SweepStage::kSentinel), (std::vector<Pair>{{2, 3}}));
  EXPECT_EQ(found_by(stages, SweepStage::kSentinel, StageForm::kPublished), (std::vector<Pair>{{0, 1}}));
}

}  // namespace
}  // namespace juxta::classics
