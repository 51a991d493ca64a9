// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Fields of every shape, with random values, and points around them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "juxta/grid/field.h"
#include "scenes/draws.h"

namespace juxta::test {

using Shape = std::array<std::uint32_t, 3>;

inline constexpr Edge kEdges[] = {Edge::kOpen, Edge::kWall, Edge::kPeriodic};

/// All combinations of edges along so many axes.
inline std::vector<std::array<Edge, 3>> all_edges(std::uint32_t dimensions) {
  std::vector<std::array<Edge, 3>> all;
  for (const Edge x : kEdges) {
    for (const Edge y : kEdges) {
      for (const Edge z : kEdges) {
        if (dimensions == 3 || z == Edge::kOpen) {
          all.push_back({x, y, z});
        }
      }
    }
  }
  return all;
}

inline FieldOptions options_of(std::uint32_t dimensions, const Shape& cells, const std::array<Edge, 3>& edges,
                               std::uint32_t components = 1) {
  FieldOptions options;
  options.world.dimensions = dimensions;
  options.world.edges = edges;
  options.world.lo = {-3, 1, 0.5F};
  options.world.hi = {4, 3.5F, 9};
  options.cells = cells;
  options.components = components;
  return options;
}

/// Values of many sizes, zeros and negative ones among them.
inline void draw_values(Field& field, scenes::Draws& draws) {
  constexpr float kSizes[] = {1, 1, 0, -1, 1e-3F, 1e6F, 1e-29F, 1e20F};
  for (std::uint32_t c = 0; c < field.options().components; ++c) {
    for (float& value : field.values(c)) {
      value = draws.unit() * kSizes[draws.below(8)];
    }
  }
}

inline Field draw_field(const FieldOptions& options, scenes::Draws& draws) {
  Field field = Field::build(options).value();
  draw_values(field, draws);
  return field;
}

/// Points in the world, on its corners and between cells, and beyond edges that are no walls.
struct Points {
  std::vector<float> x, y, z;
};
inline Points draw_points(const FieldOptions& options, std::size_t count, scenes::Draws& draws) {
  Points points;
  const World& world = options.world;
  std::vector<float>* const columns[] = {&points.x, &points.y, &points.z};
  for (std::uint32_t axis = 0; axis < world.dimensions; ++axis) {
    const float lo = world.lo[axis], hi = world.hi[axis],
                size = (hi - lo) / static_cast<float>(options.cells[axis]);
    for (std::size_t i = 0; i < count; ++i) {
      float p = lo + (hi - lo) * draws.unit();
      const std::uint32_t kind = draws.below(12);
      if (kind < 2) {
        p = kind == 0 ? lo : hi;
      } else if (kind == 2) {
        p = lo + size * 0.5F * static_cast<float>(draws.below(2 * options.cells[axis] + 1));
      } else if (kind < 6 && world.edges[axis] != Edge::kWall) {
        constexpr float kFar[] = {0.3F, 3, 1e6F, 3e38F};
        p = (kind == 3 ? lo : hi) + (draws.unit() - 0.5F) * kFar[draws.below(4)];
      }
      columns[axis]->push_back(world.edges[axis] == Edge::kWall ? std::min(std::max(p, lo), hi) : p);
    }
  }
  return points;
}

inline std::string name_of(const FieldOptions& options) {
  std::string name = std::to_string(options.world.dimensions) + "D";
  for (const std::uint32_t cells : options.cells) {
    name += " " + std::to_string(cells);
  }
  for (const Edge edge : options.world.edges) {
    name += edge == Edge::kOpen ? " open" : edge == Edge::kWall ? " wall" : " periodic";
  }
  return name;
}

}  // namespace juxta::test
