// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "classics/agents/cell_list.h"
#include "scenes/draws.h"

namespace juxta::classics {
namespace {

template <int kAxes>
struct Cloud {
  std::string name;
  float radius = 1;
  std::array<std::vector<float>, kAxes> columns;

  [[nodiscard]] typename CellList<kAxes>::Axes axes() const {
    typename CellList<kAxes>::Axes axes;
    std::copy(columns.begin(), columns.end(), axes.begin());
    return axes;
  }
  [[nodiscard]] std::size_t size() const { return columns[0].size(); }
  // As the contract of the house: from left to right, in float.
  [[nodiscard]] float distance2(std::size_t i, std::size_t j) const {
    float sum = 0;
    for (const auto& column : columns) {
      const float d = column[j] - column[i];
      sum += d * d;
    }
    return sum;
  }
};

template <int kAxes, class Place>
Cloud<kAxes> cloud(const std::string& name, std::size_t size, float radius, Place place) {
  Cloud<kAxes> cloud{name, radius, {}};
  for (std::size_t i = 0; i < size; ++i) {
    for (auto& column : cloud.columns) {
      column.push_back(place(i));
    }
  }
  return cloud;
}

template <int kAxes>
std::vector<Cloud<kAxes>> clouds() {
  scenes::Draws draws(kAxes);
  const auto uniform = [&](float low, float high) {
    return [&draws, low, high](std::size_t) { return draws.uniform(low, high); };
  };
  return {cloud<kAxes>("none", 0, 1, uniform(0, 1)), cloud<kAxes>("one", 1, 1, uniform(0, 1)),
          cloud<kAxes>("two", 2, 1, uniform(0, 1)), cloud<kAxes>("sparse", 700, 0.4F, uniform(-7, 7)),
          cloud<kAxes>("dense", 700, 1.3F, uniform(-3, 3)),
          cloud<kAxes>("radius of the whole world", 60, 90, uniform(-20, 20)),
          cloud<kAxes>("world far away", 400, 0.7F, uniform(5000, 5008)),
          cloud<kAxes>("wide and empty", 300, 0.01F, uniform(-1e5F, 1e5F)),
          cloud<kAxes>("one place", 70, 0.5F, [](std::size_t) { return 2.5F; }),
          // Neighbours at exactly the radius, points exactly on the cuts between cells.
          cloud<kAxes>("lattice", 900, 1, [&](std::size_t) { return static_cast<float>(draws.below(9)); }),
          // The same, but a little below: neighbours from just before one cut to just before the next.
          cloud<kAxes>("dusty lattice", 900, 1,
                       [&](std::size_t i) {
                         const auto place = static_cast<float>(1 + draws.below(8));
                         const float dust = static_cast<float>(draws.below(16)) * 0x1p-20F;
                         return i == 0 ? 0 : place - dust;
                       }),
          cloud<kAxes>("clumped", 900, 1, [&](std::size_t i) {
            return i % 5 == 0 ? draws.uniform(30, 30.5F) : draws.uniform(0, 60);
          })};
}

template <int kAxes>
void expect_neighbours() {
  CellList<kAxes> list;
  for (const Cloud<kAxes>& cloud : clouds<kAxes>()) {
    list.build(cloud.axes(), cloud.radius);
    ASSERT_EQ(list.size(), cloud.size());
    EXPECT_LE(list.cells(), 4 * cloud.size() + 64) << cloud.name;
    std::vector<bool> listed(cloud.size());
    for (std::uint32_t row = 0; row < list.size(); ++row) {
      const std::uint32_t number = list.number(row);
      ASSERT_FALSE(listed[number]);
      listed[number] = true;
      std::vector<std::uint32_t> got, want;
      list.for_each_neighbour(
          row, [&](std::uint32_t other, const std::array<float, kAxes>& d, float distance2) {
            got.push_back(list.number(other));
            ASSERT_EQ(distance2, cloud.distance2(number, got.back()));
            for (std::size_t axis = 0; axis < kAxes; ++axis) {
              ASSERT_EQ(d[axis], cloud.columns[axis][got.back()] - cloud.columns[axis][number]);
            }
          });
      for (std::uint32_t other = 0; other < cloud.size(); ++other) {
        if (other != number && cloud.distance2(number, other) <= cloud.radius * cloud.radius) {
          want.push_back(other);
        }
      }
      std::sort(got.begin(), got.end());
      ASSERT_EQ(got, want) << cloud.name;
    }
  }
}

TEST(ClassicCellList, NeighboursInThePlane) {
  expect_neighbours<2>();
}
TEST(ClassicCellList, NeighboursInSpace) {
  expect_neighbours<3>();
}

template <int kAxes>
void expect_visits() {
  CellList<kAxes> list;
  for (const Cloud<kAxes>& cloud : clouds<kAxes>()) {
    std::vector<float> sums(cloud.size(), -1);
    std::vector<std::uint32_t> found(cloud.size(), 99999);
    visit_cells(list, cloud.axes(), cloud.radius, sums, found);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      double want = 0;
      std::uint32_t count = 0;
      for (std::size_t j = 0; j < cloud.size(); ++j) {
        if (j != i && cloud.distance2(i, j) <= cloud.radius * cloud.radius) {
          const double weight = 1 - std::sqrt(double{cloud.distance2(i, j)}) / double{cloud.radius};
          want += weight * weight;
          ++count;
        }
      }
      ASSERT_EQ(found[i], count) << cloud.name;
      ASSERT_NEAR(double{sums[i]}, want, 1e-6 * (1 + count)) << cloud.name;
    }
  }
}

TEST(ClassicCellList, VisitsInThePlane) {
  expect_visits<2>();
}
TEST(ClassicCellList, VisitsInSpace) {
  expect_visits<3>();
}

}  // namespace
}  // namespace juxta::classics
