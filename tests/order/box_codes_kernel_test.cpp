// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Ranges of centres and codes of boxes: the kernels against their plain twins on every instruction set, and
// the twins against the curve's definition.
#include "order/box_codes_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "order/block_test.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

using test::BlockWorld;
constexpr std::uint32_t kUntouched = 0xABCD1234U;
constexpr int kLanes = 16;  // of the widest register
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class Dimensions>
class BoxCodes : public test::InEveryDimension<Dimensions> {};
TYPED_TEST_SUITE(BoxCodes, test::Dimensions, test::DimensionNames);

// Bits, not values: a sign on a zero would be another order on another machine.
template <int D>
void expect_same_range(const order_detail::CentreRange<D>& got, const order_detail::CentreRange<D>& want) {
  EXPECT_EQ(got.sound, want.sound);
  if (want.sound) {  // else no one reads the rest
    EXPECT_EQ(std::memcmp(got.lo, want.lo, sizeof got.lo), 0);
    EXPECT_EQ(std::memcmp(got.hi, want.hi, sizeof got.hi), 0);
  }
}

TYPED_TEST(BoxCodes, RangeEqualsItsTwin) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      for (std::size_t n = 0; n <= 68; ++n) {
        const auto boxes = test::seeded_world<D>(world, n);  // exact sizes: a sanitizer sees what is read
        const auto got = order_detail::centre_range(boxes.data(), n);
        ASSERT_TRUE(got.sound);
        expect_same_range(got, order_detail::centre_range_reference(boxes.data(), n));
      }
    }
  });
}

TYPED_TEST(BoxCodes, RangeSeesEveryUnsoundSide) {
  constexpr int D = TypeParam::value;
  const auto sound = test::seeded_world<D>(BlockWorld::kUniform, 37);
  test::for_each_isa([&](Isa) {
    for (std::size_t at = 0; at < sound.size(); ++at) {
      for (int axis = 0; axis < D; ++axis) {
        for (const auto& [lo, hi] :
             std::initializer_list<std::pair<float, float>>{{kNan, 1},
                                                            {1, kNan},
                                                            {kNan, kNan},
                                                            {-kInf, 1},
                                                            {1, kInf},
                                                            {kInf, kInf},
                                                            {-kInf, -kInf},
                                                            {1, 0.5F},
                                                            {-0.5F, -1},
                                                            {std::nextafter(1.0F, 2.0F), 1}}) {
          auto boxes = sound;
          boxes[at].lo[axis] = lo;
          boxes[at].hi[axis] = hi;
          EXPECT_FALSE(order_detail::centre_range(boxes.data(), boxes.size()).sound) << at << ' ' << axis;
          EXPECT_FALSE(order_detail::centre_range_reference(boxes.data(), boxes.size()).sound);
        }
      }
    }
  });
}

TYPED_TEST(BoxCodes, RangeIsAQuarterOfTheSums) {
  constexpr int D = TypeParam::value;
  Aabb<D> boxes[2] = {};
  boxes[0].lo = Vec<D>::all(-8.0F);
  boxes[0].hi = Vec<D>::all(-4.0F);
  boxes[1].hi = Vec<D>::all(24.0F);
  const auto range = order_detail::centre_range(boxes, 2);
  for (int axis = 0; axis < D; ++axis) {
    EXPECT_EQ(range.lo[axis], -3.0F);
    EXPECT_EQ(range.hi[axis], 6.0F);
  }
  boxes[0].lo = Vec<D>::all(-0.0F);
  boxes[0].hi = Vec<D>::all(-0.0F);
  EXPECT_FALSE(std::signbit(order_detail::centre_range(boxes, 1).lo[0]));
  EXPECT_FALSE(std::signbit(order_detail::centre_range(boxes, 1).hi[D - 1]));
}

// A grid that covers the centres of `boxes`, and three class edges that some of them pass.
template <int D>
order_detail::CodeGrid<D> grid_over(const std::vector<Aabb<D>>& boxes, unsigned bits) {
  const auto range = order_detail::centre_range_reference(boxes.data(), boxes.size());
  order_detail::CodeGrid<D> grid;
  float longest = 0;
  for (int axis = 0; axis < D; ++axis) {
    grid.origin[axis] = range.lo[axis];
    longest = std::max(longest, range.hi[axis] - range.lo[axis]);
  }
  grid.bits = bits;
  grid.scale = longest > 1e-30F ? std::ldexp(1.0F, static_cast<int>(bits)) / longest : 0;
  std::vector<float> edges;
  for (const auto& box : boxes) {
    edges.push_back(box.hi[0] - box.lo[0]);
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t c = 0; c < 3 && !edges.empty(); ++c) {
    grid.class_edge[c] = edges[edges.size() * (c + 1) / 4];
  }
  return grid;
}

TYPED_TEST(BoxCodes, CodesEqualTheirTwinAndNothingIsWrittenBeyond) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (const BlockWorld world : test::kBlockWorlds) {
      SCOPED_TRACE(name(world));
      for (std::size_t n = 0; n <= 68; ++n) {
        const auto boxes = test::seeded_world<D>(world, n);
        for (const unsigned bits : {1U, 2U, 7U, D == 3 ? 10U : 15U}) {
          const auto grid = grid_over<D>(boxes, bits);
          std::vector<std::uint32_t> got(n + kLanes, kUntouched), want(n + kLanes, kUntouched);
          order_detail::box_codes(boxes.data(), n, grid, got.data());
          order_detail::box_codes_reference(boxes.data(), n, grid, want.data());
          ASSERT_EQ(got, want) << n << " boxes, " << bits << " bits";
        }
      }
    }
  });
}

// Boxes without a size whose centre lies in the middle of each cell of a grid: cell of the code's index.
template <int D>
std::vector<std::array<int, D>> cells_along_curve(unsigned bits) {
  const int side = 1 << bits;
  std::vector<Aabb<D>> boxes;
  std::vector<std::array<int, D>> cells;
  for (int i = 0; i < 1 << (bits * D); ++i) {
    Aabb<D> box{};
    std::array<int, D> cell{};
    for (int axis = 0, rest = i; axis < D; ++axis, rest /= side) {
      cell[static_cast<std::size_t>(axis)] = rest % side;
      // centres are at half size
      box.lo[axis] = box.hi[axis] = 2 * (static_cast<float>(rest % side) + 0.5F);
    }
    boxes.push_back(box);
    cells.push_back(cell);
  }
  order_detail::CodeGrid<D> grid{};
  grid.scale = 1;
  grid.bits = bits;
  std::fill_n(grid.class_edge, 3, 1.0F);
  std::vector<std::uint32_t> codes(boxes.size());
  order_detail::box_codes_reference(boxes.data(), boxes.size(), grid, codes.data());
  std::vector<std::array<int, D>> along(boxes.size());
  std::vector<bool> seen(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_LT(codes[i], boxes.size());
    EXPECT_FALSE(seen.at(codes[i]));
    seen.at(codes[i]) = true;
    along.at(codes[i]) = cells[i];
  }
  return along;
}

TYPED_TEST(BoxCodes, TheCurveVisitsEveryCellAndStepsToANeighbour) {
  constexpr int D = TypeParam::value;
  for (const unsigned bits : {1U, 2U, 3U, 5U}) {
    const auto cells = cells_along_curve<D>(bits);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      int steps = 0;
      for (std::size_t axis = 0; axis < D; ++axis) {
        steps += std::abs(cells[i][axis] - cells[i - 1][axis]);
      }
      ASSERT_EQ(steps, 1) << "code " << i << " of " << bits << " bits";
    }
  }
}

TYPED_TEST(BoxCodes, TheLargestEdgeGivesTheClass) {
  constexpr int D = TypeParam::value;
  test::for_each_isa([](Isa) {
    for (int axis = 0; axis < D; ++axis) {
      std::map<float, std::uint32_t> classes = {{0.0F, 0},  {1.0F, 0}, {std::nextafter(1.0F, 2.0F), 1},
                                                {4.0F, 1},  {5.0F, 2}, {16.0F, 2},
                                                {17.0F, 3}, {3e38F, 3}};
      for (const auto& [edge, wanted] : classes) {
        Aabb<D> box{};
        box.hi[axis] = edge;
        order_detail::CodeGrid<D> grid{};
        grid.class_edge[0] = 1;
        grid.class_edge[1] = 4;
        grid.class_edge[2] = 16;
        std::uint32_t code = kUntouched;
        order_detail::box_codes(&box, 1, grid, &code);
        EXPECT_EQ(code, wanted << 30) << edge;
      }
      // Longer than any float: the class of the largest.
      Aabb<D> box{};
      box.lo[axis] = -std::numeric_limits<float>::max();
      box.hi[axis] = std::numeric_limits<float>::max();
      std::uint32_t code = kUntouched;
      order_detail::CodeGrid<D> grid{};
      std::copy_n(box.lo.begin(), D, grid.origin);
      std::fill_n(grid.class_edge, 3, 0x1p127F);
      order_detail::box_codes(&box, 1, grid, &code);
      EXPECT_EQ(code, 3U << 30);
    }
  });
}

}  // namespace
}  // namespace juxta
