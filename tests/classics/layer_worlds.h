// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Small worlds on which sweeps, cells and trees break, and the answers by looking at every box.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "classics/layer/collision_layer.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/math/aabb.h"
#include "scenes/boxes.h"
#include "scenes/draws.h"

namespace juxta::test {

struct NamedBoxes {
  std::string name;
  std::vector<Aabb3> boxes;
};

/// Unit boxes on whole numbers: every neighbour touches, at a face, an edge or a corner.
inline std::vector<Aabb3> touching_boxes(int side) {
  std::vector<Aabb3> boxes;
  for (int i = 0; i < side * side * side; ++i) {
    const auto x = static_cast<float>(i % side), y = static_cast<float>(i / side % side),
               z = static_cast<float>(i / side / side);
    boxes.push_back({{x, y, z}, {x + 1, y + 1, z + 1}});
  }
  return boxes;
}

/// Points, lines and planes on few coordinates, so that nearly all ends are equal; -0 beside 0.
inline std::vector<Aabb3> degenerate_boxes(std::size_t count) {
  scenes::Draws draws(5);
  std::vector<Aabb3> boxes(count);
  for (Aabb3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<float>(draws.below(4));
      box.lo[axis] = at == 0 && draws.below(2) == 0 ? -0.0F : at;
      box.hi[axis] = at + static_cast<float>(draws.below(3) / 2);
    }
  }
  return boxes;
}

/// Sizes and places from 1e-30 to 1e30, and boxes that hold nearly everything.
inline std::vector<Aabb3> extreme_boxes(std::size_t count) {
  constexpr float kScales[] = {1e-30F, 1e-6F, 1.0F, 1e6F, 1e30F};
  scenes::Draws draws(6);
  std::vector<Aabb3> boxes(count);
  for (Aabb3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      const float scale = kScales[draws.below(5)];
      const float a = draws.uniform(-scale, scale), b = draws.uniform(-scale, scale);
      box.lo[axis] = a < b ? a : b;
      box.hi[axis] = a < b ? b : a;
    }
  }
  return boxes;
}

inline std::vector<NamedBoxes> named_worlds() {
  std::vector<NamedBoxes> worlds;
  for (const scenes::BoxSet set : scenes::kBoxSets) {
    const std::size_t count = set == scenes::BoxSet::kIdentical ? 150 : 1500;
    worlds.push_back({std::string(scenes::name(set)), scenes::make_boxes(set, count, 11).boxes});
  }
  worlds.push_back({"touching", touching_boxes(8)});
  worlds.push_back({"degenerate", degenerate_boxes(400)});
  worlds.push_back({"extreme", extreme_boxes(400)});
  worlds.push_back({"one", {{{1, 2, 3}, {4, 5, 6}}}});
  worlds.push_back({"none", {}});
  return worlds;
}

inline Aabb3 bounds_of(std::span<const Aabb3> boxes) {
  Aabb3 bounds = boxes.empty() ? Aabb3{} : boxes.front();
  for (const Aabb3& box : boxes) {
    for (int axis = 0; axis < 3; ++axis) {
      bounds.lo[axis] = box.lo[axis] < bounds.lo[axis] ? box.lo[axis] : bounds.lo[axis];
      bounds.hi[axis] = box.hi[axis] > bounds.hi[axis] ? box.hi[axis] : bounds.hi[axis];
    }
  }
  return bounds;
}

/// One bucket, some, many, uneven; and cells over a part of the world, over nothing, and far away.
inline std::vector<classics::LayerCells> cell_choices(std::span<const Aabb3> boxes) {
  const Aabb3 world = bounds_of(boxes);
  return {{world, 1, 1},
          {world, 4, 4},
          {world, 3, 1},
          {world, 16, 17},
          {{{0, 0, 0}, {1, 1, 1}}, 5, 4},
          {Aabb3{}, 3, 3},
          {{{1e6F, 1e6F, 1e6F}, {2e6F, 2e6F, 2e6F}}, 4, 4}};
}

inline std::vector<Pair> brute_pairs(std::span<const Aabb3> boxes) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < boxes.size(); ++a) {
    for (std::uint32_t b = a + 1; b < boxes.size(); ++b) {
      if (boxes[a].overlaps(boxes[b])) {
        pairs.push_back({a, b});
      }
    }
  }
  return pairs;
}

inline std::vector<Pair> brute_pairs(std::span<const Aabb3> of_a, std::span<const Aabb3> of_b) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < of_a.size(); ++a) {
    for (std::uint32_t b = 0; b < of_b.size(); ++b) {
      if (of_a[a].overlaps(of_b[b])) {
        pairs.push_back({a, b});
      }
    }
  }
  return pairs;
}

}  // namespace juxta::test
