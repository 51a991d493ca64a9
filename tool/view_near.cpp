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

constexpr std::size_t kMostParts = 500'000;

std::array<float, 3> place(const ViewThings& things, std::size_t i) {
  return {things.x[i], things.y[i], things.z.empty() ? 0.0F : things.z[i]};
}

template <int D>
void add_lines(const ViewThings& things, float radius, std::vector<float>& lines) {
  std::vector<float> coordinates;
  for (std::size_t i = 0; i < things.x.size(); ++i) {
    const auto at = place(things, i);
    coordinates.insert(coordinates.end(), at.begin(), at.begin() + D);
  }
  const auto tree = BasicPointTree<D>::build(coordinates);
  if (!tree) {
    return;
  }
  const auto shown = visit_pairs(*tree, radius, [&](std::span<const PointPair> pairs) {
    for (const PointPair& pair : pairs) {
      for (const std::uint32_t i : {pair.a, pair.b}) {
        const auto at = place(things, i);
        lines.insert(lines.end(), at.begin(), at.end());
      }
    }
    return lines.size() < kMostParts * 6;
  });
  static_cast<void>(shown);  // a radius that is none has no lines
}

}  // namespace

ViewOverlayValues near_lines(const ViewThings& things, float radius) {
  ViewOverlayValues lines;
  if (things.z.empty()) {
    add_lines<2>(things, radius, lines.values);
  } else {
    add_lines<3>(things, radius, lines.values);
  }
  return lines;
}

ViewOverlayValues cells_in_use(const ViewThings& things, float edge) {
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
  cells.resize(std::min(cells.size(), kMostParts));
  ViewOverlayValues boxes;
  const float high = things.z.empty() ? 0 : edge;
  for (const Cell& cell : cells) {
    const float x = static_cast<float>(cell[0]) * edge, y = static_cast<float>(cell[1]) * edge,
                z = static_cast<float>(cell[2]) * edge;
    boxes.values.insert(boxes.values.end(), {x, y, z, x + edge, y + edge, z + high});
  }
  return boxes;
}

}  // namespace juxta::tool
