// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "tool/view_near.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "juxta/points/point_pairs.h"

namespace juxta::tool {
namespace {

std::array<float, 3> place(const ViewThings& things, std::size_t i) {
  return {things.x[i], things.y[i], things.z.empty() ? 0.0F : things.z[i]};
}

template <int D>
void add_lines(const ViewThings& things, const PointSpace<D>& space, float radius, ViewParts& parts) {
  std::vector<float> coordinates;
  for (std::size_t i = 0; i < things.x.size(); ++i) {
    const auto at = place(things, i);
    coordinates.insert(coordinates.end(), at.begin(), at.begin() + D);
  }
  const auto tree = BasicPointTree<D>::build(coordinates, space);
  if (!tree) {
    return;
  }
  const auto add = [&](const PointPair& pair) {
    const auto a = place(things, pair.a);
    auto b = place(things, pair.b);
    for (std::size_t axis = 0; axis < D; ++axis) {
      const float length = space.hi[axis] - space.lo[axis], way = b[axis] - a[axis];
      if (space.periodic[axis] && std::fabs(way) > length / 2) {
        b[axis] -= way > 0 ? length : -length;
      }
    }
    return parts.insert({a[0], a[1], a[2]}, {b[0], b[1], b[2]});
  };
  const auto shown = visit_pairs(
      *tree, radius, [&](std::span<const PointPair> pairs) { return std::ranges::all_of(pairs, add); });
  static_cast<void>(shown);  // a radius that is none has no lines
}

template <int D>
PointSpace<D> space_of(const ViewInfo& info, bool periodic) {
  PointSpace<D> space;
  for (std::size_t axis = 0; axis < D; ++axis) {
    space.periodic[axis] = periodic;
    space.lo[axis] = info.lo[axis];
    space.hi[axis] = info.hi[axis];
  }
  return space;
}

}  // namespace

void near_lines(const ViewThings& things, const ViewInfo& info, bool periodic, float radius,
                ViewParts& parts) {
  if (things.z.empty()) {
    add_lines<2>(things, space_of<2>(info, periodic), radius, parts);
  } else {
    add_lines<3>(things, space_of<3>(info, periodic), radius, parts);
  }
}

void cells_in_use(const ViewThings& things, float edge, ViewParts& parts) {
  using Cell = std::array<std::int32_t, 3>;
  constexpr float kFarthest = 1e9F;  // cells from the origin that an integer counts
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < things.x.size() && edge > 0; ++i) {
    Cell cell{};
    bool counted = true;
    const auto at = place(things, i);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float c = std::floor(at[axis] / edge);
      counted = counted && std::fabs(c) < kFarthest;
      cell[axis] = counted ? static_cast<std::int32_t>(c) : 0;
    }
    if (counted) {
      cells.push_back(cell);
    }
  }
  std::ranges::sort(cells);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  const float high = things.z.empty() ? 0 : edge;
  for (const Cell& cell : cells) {
    const Vec3 lo{static_cast<float>(cell[0]) * edge, static_cast<float>(cell[1]) * edge,
                  static_cast<float>(cell[2]) * edge};
    parts.insert(lo, lo + Vec3{edge, edge, high});
  }
}

}  // namespace juxta::tool
