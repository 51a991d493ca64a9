// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of answers and of whole saved files: one for every compiler, optimisation, instruction set,
// executor.
#include <gtest/gtest.h>

#include <vector>

#include "ranked/brute.h"
#include "scenes/hard_points.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

scenes::HardPoints golden_points() {
  return scenes::make_hard_points(scenes::HardSet::kUniform, 150'000, 42);
}

std::uint64_t file_hash(const RankedPoints& points) {
  const std::vector<char> bytes = test::saved_bytes(points);
  return test::fnv(std::span<const char>(bytes));
}

std::uint64_t answer_hash(const RankedPoints& points, const scenes::HardPoints& set) {
  std::uint64_t hash = test::fnv(std::span<const char>());
  for (const auto family : scenes::kQueryFamilies) {
    for (const RectF& query : scenes::make_hard_queries(family, set, 50, 17)) {
      const RectD rect = test::as_double(query);
      for (const std::size_t k : {20u, 100u, 2000u}) {
        hash = test::fnv(std::span<const std::uint32_t>(test::top_of(points, rect, k)), hash);
      }
      const std::uint64_t count = points.count(rect).found;
      hash = test::fnv(std::span(&count, 1), hash);
    }
  }
  return hash;
}

constexpr std::uint64_t kFileHash = 2676935418875887458u;
constexpr std::uint64_t kCategoryFileHash = 11420973361966113941u;
constexpr std::uint64_t kAnswerHash = 5176693057059330239u;

TEST(RankedGolden, TheSameFileForEveryInstructionSetAndExecutor) {
  const scenes::HardPoints set = golden_points();
  test::for_each_isa([&](Isa) {
    test::for_each_executor([&](const Executor* executor) {
      Context options;
      options.executor = executor;
      EXPECT_EQ(file_hash(RankedPoints::build(set.x, set.y, set.rank, {}, options).value()), kFileHash);
    });
  });
}

TEST(RankedGolden, TheSameFileWithCategories) {
  const scenes::HardPoints set = golden_points();
  std::vector<std::uint64_t> masks(set.x.size());
  for (std::size_t i = 0; i < masks.size(); ++i) {
    masks[i] = (i * 0x9E3779B97F4A7C15) & 0x8000000100000025;
  }
  test::for_each_isa([&](Isa) {
    const auto points = RankedPoints::build(set.x, set.y, set.rank, {.categories = masks}).value();
    EXPECT_EQ(file_hash(points), kCategoryFileHash);
  });
}

TEST(RankedGolden, TheSameAnswersForEveryInstructionSet) {
  const scenes::HardPoints set = golden_points();
  const auto points = RankedPoints::build(set.x, set.y, set.rank).value();
  test::for_each_isa([&](Isa) { EXPECT_EQ(answer_hash(points, set), kAnswerHash); });
}

}  // namespace
}  // namespace juxta
