// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes around rows against a look at every row, on every instruction set.
#include "agents/row_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory_resource>
#include <vector>

#include "agents/arrange.h"
#include "agents/directory.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using agents_detail::Bounds;
using agents_detail::Directory;
using agents_detail::Reach;
using agents_detail::RowBoxes;
using RunOfRows = agents_detail::Run;  // gtest has a Run of its own
using scenes::Draws;

/// Rows in clumps of some dozen, and boxes around them.
struct Rows {
  Rows(std::uint32_t size, std::uint32_t axes, unsigned threads = 1) : count(size), dimensions(axes) {
    Draws draws(size);
    Vec3 middle{};
    for (std::uint32_t row = 0; row < size; ++row) {
      for (std::uint32_t a = 0; a < axes; ++a) {
        middle[a] = row % 23 == 0 ? draws.uniform(0, 100) : middle[a];
        position[a].push_back(middle[a] + draws.uniform(-1, 1));
      }
    }
    agents_detail::Places places;
    for (std::uint32_t a = 0; a < axes; ++a) {
      places.position[a] = position[a].data();
    }
    places.count = size;
    boxes.fill(places, axes, test::ThreadsExecutor(threads));
  }
  [[nodiscard]] std::vector<RunOfRows> near(RunOfRows run, const Bounds& box, const Reach& reach) const {
    std::vector<RunOfRows> parts;
    boxes.visit_near(run, {box, reach}, [&](RunOfRows part) { parts.push_back(part); });
    return parts;
  }
  /// Whether a place between lo and hi, axis by axis, is within reach of the box.
  [[nodiscard]] bool is_near(const Vec3& lo, const Vec3& hi, const Bounds& box, const Reach& reach) const {
    float square = 0;
    bool inside = true;
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const float gap = std::max({lo[a] - box.hi[a], box.lo[a] - hi[a], 0.0F});
      square += gap * gap;
      inside = inside && gap <= reach.on[a];
    }
    return reach.round ? square <= reach.on[0] * reach.on[0] : inside;
  }

  std::uint32_t count, dimensions;
  std::array<std::vector<float>, 3> position;
  RowBoxes boxes{std::pmr::get_default_resource()};
};

/// Parts ascend, stay in the run, have all rows that are near, and no sixteen whose box is not.
void expect_right(const Rows& rows, RunOfRows run, const Bounds& box, const Reach& reach) {
  const std::vector<RunOfRows> parts = rows.near(run, box, reach);
  std::vector<char> in(rows.count, 0);
  std::uint32_t last = run.first;
  for (const RunOfRows& part : parts) {
    ASSERT_LE(last, part.first);
    ASSERT_LT(part.first, part.last);
    ASSERT_LE(part.last, run.last);
    last = part.last;
    std::fill(in.begin() + part.first, in.begin() + part.last, 1);
  }
  for (std::uint32_t first = 0; first < rows.count; first += RowBoxes::kRows) {
    Vec3 lo = Vec3::all(1e9F), hi = Vec3::all(-1e9F);
    const std::uint32_t end = std::min(first + RowBoxes::kRows, rows.count);
    for (std::uint32_t row = first; row < end; ++row) {
      for (std::uint32_t a = 0; a < rows.dimensions; ++a) {
        lo[a] = std::min(lo[a], rows.position[a][row]);
        hi[a] = std::max(hi[a], rows.position[a][row]);
      }
    }
    const bool expected = rows.is_near(lo, hi, box, reach);
    for (std::uint32_t row = first; row < end; ++row) {
      ASSERT_EQ(in[row] != 0, expected && run.first <= row && row < run.last) << row;
    }
  }
}

TEST(RowBoxes, FindWhatIsNear) {
  test::for_each_isa([](Isa) {
    for (const std::uint32_t dimensions : {2U, 3U}) {
      Directory directory;
      directory.grid.dimensions = dimensions;
      for (const std::uint32_t count : {1U, 15U, 16U, 17U, 255U, 256U, 257U, 4096U, 9001U}) {
        const Rows rows(count, dimensions);
        Draws draws(count + dimensions);
        for (int i = 0; i < 20; ++i) {
          Bounds box;
          for (std::uint32_t a = 0; a < dimensions; ++a) {
            box.lo[a] = draws.uniform(0, 100);
            box.hi[a] = box.lo[a] + draws.uniform(0, 5);
          }
          const auto first = static_cast<std::uint32_t>(draws.below(count)),
                     last = first + static_cast<std::uint32_t>(draws.below(count - first + 1));
          const Reach reach(directory, draws.uniform(0.1F, 30), i % 2 == 0);
          ASSERT_NO_FATAL_FAILURE(expect_right(rows, {0, count}, box, reach));
          ASSERT_NO_FATAL_FAILURE(expect_right(rows, {first, last}, box, reach));
        }
      }
    }
  });
}

// A reach that is infinite, and seers anywhere in a float.
TEST(RowBoxes, FindAllWhereAllIsNear) {
  const Rows rows(5000, 2);
  Directory directory;
  directory.grid.dimensions = 2;
  for (const float far : {0.0F, 1e18F, 3e38F, -3e38F}) {
    const Reach reach(directory, 3.4e38F, true);
    const std::vector<RunOfRows> parts = rows.near({7, 4990}, {{far, far, 0}, {far, far, 0}}, reach);
    std::uint32_t found = 0;
    for (const RunOfRows& part : parts) {
      found += part.last - part.first;
    }
    EXPECT_EQ(found, 4983U);
  }
}

// From one corner of a periodic world the others are near.
TEST(RowBoxes, AreLookedForAcrossEdges) {
  test::for_each_isa([](Isa) {
    const Rows rows(9001, 3);
    Directory directory;
    for (const bool ball : {true, false}) {
      const Reach reach(directory, 20, ball);
      for (const float at : {-3.0F, 2.0F, 50.0F, 97.0F}) {
        const Bounds box{{at, at, at}, {at + 2, at + 2, at + 2}};
        std::vector<char> in(rows.count, 0);
        std::size_t found = 0;
        rows.boxes.visit_near({0, rows.count}, {box, reach, Vec3::all(100)}, [&](RunOfRows part) {
          std::fill(in.begin() + part.first, in.begin() + part.last, 1);
          found += part.last - part.first;
        });
        for (std::uint32_t row = 0; row < rows.count; ++row) {
          Vec3 place{};
          for (std::uint32_t a = 0; a < 3; ++a) {
            const float x = rows.position[a][row], middle = at + 1;
            place[a] = x - middle > 50 ? x - 100 : middle - x > 50 ? x + 100 : x;
          }
          ASSERT_TRUE(in[row] != 0 || !rows.is_near(place, place, box, reach)) << row;
        }
        EXPECT_GT(found, 0U);
        EXPECT_LT(found, rows.count / 2);
      }
    }
  });
}

TEST(RowBoxes, AreTheSameOnThreads) {
  const Rows one(70'000, 3), four(70'000, 3, 4);
  Directory directory;
  const Reach reach(directory, 10, true);
  const Bounds box{{20, 20, 20}, {25, 25, 25}};
  const std::vector<RunOfRows> expected = one.near({0, one.count}, box, reach),
                               found = four.near({0, four.count}, box, reach);
  ASSERT_EQ(expected.size(), found.size());
  ASSERT_FALSE(expected.empty());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].first, found[i].first);
    EXPECT_EQ(expected[i].last, found[i].last);
  }
}

}  // namespace
}  // namespace juxta
