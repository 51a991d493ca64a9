// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Flat and folded surfaces, and solids that slide over them.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"

namespace juxta::test {

[[nodiscard]] inline Qvvs at(Vec3 position, Quat rotation = {}) {
  Qvvs place;
  place.position = position;
  place.rotation = rotation;
  return place;
}
[[nodiscard]] inline Quat about_y(float turn) {  // turn: the tangent of half the angle
  return normalized(Quat{0, turn, 0, 1});
}

/// A flat grid of 2 * side * side triangles in y = height(x), one unit a square.
template <class Height>
[[nodiscard]] TriangleMesh grid(int side, bool other_diagonal, bool merged, Height&& height,
                                int first_column = 0) {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  const auto vertex = [&](int i, int j) {
    const float x = static_cast<float>(i + first_column);
    vertices.push_back({x, height(x), static_cast<float>(j)});
    return static_cast<std::uint32_t>(vertices.size() - 1);
  };
  if (merged) {
    for (int j = 0; j <= side; ++j) {
      for (int i = 0; i <= side; ++i) {
        vertex(i, j);
      }
    }
  }
  const auto number = [&](int i, int j) {
    return merged ? static_cast<std::uint32_t>(j * (side + 1) + i) : vertex(i, j);
  };
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      const std::array<std::array<int, 2>, 4> c{{{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}}};
      const int from = other_diagonal ? 1 : 0;
      for (const int k : {1, 2}) {
        std::array<std::uint32_t, 3> t{};
        std::size_t corner = 0;
        for (const int which : {0, k, k + 1}) {
          const auto& [ci, cj] = c[static_cast<std::size_t>((from + which) % 4)];
          t[corner++] = number(ci, cj);
        }
        triangles.push_back(t);
      }
    }
  }
  return TriangleMesh::build(vertices, triangles).value();
}
[[nodiscard]] inline float flat(float /*x*/) {
  return 0;
}

struct Solids {
  ConvexHull hull =
      ConvexHull::build(
          std::vector<Vec3>{{-0.5F, -0.5F, -0.5F}, {0.5F, -0.5F, -0.5F}, {0, -0.5F, 0.6F}, {0, 0.5F, 0}})
          .value();
  std::vector<std::pair<std::string, Shape>> all{
      {"box", Box{{}, {}, {0.7F, 0.5F, 0.4F}}},
      {"small box", Box{{}, {}, {0.2F, 0.5F, 0.1F}}},
      {"sphere", Sphere{{}, 0.5F}},
      {"lying capsule", Capsule{{-0.6F, 0, 0}, {0.6F, 0, 0}, 0.5F}},
      {"standing capsule", Capsule{{0, -0.1F, 0}, {0, 0.4F, 0}, 0.4F}},
      {"hull", hull}};  // all reach down to -0.5
};

/// visit(solid, where it stands, its height) along a slanted way over a surface that is flat in y = 0,
/// until a test fails.
template <class Visit>
void slide(float from, float to, Visit&& visit) {
  const Solids solids;
  for (const auto& [name, solid] : solids.all) {
    for (const float height : {-0.001F, -0.01F, 0.0F, 0.005F}) {
      for (const float turn : {0.0F, 0.1F, 0.41421356F, 1.3F}) {
        for (int step = 0; step < 100; ++step) {
          const float way = static_cast<float>(step) / 100;
          SCOPED_TRACE(testing::Message()
                       << name << " height " << height << " turn " << turn << " step " << step);
          visit(
              solid,
              at({from + (to - from) * way, 0.5F + height, from + (to - from) * way * 0.37F}, about_y(turn)),
              height);
          if (testing::Test::HasFailure()) {
            return;
          }
        }
      }
    }
  }
}

}  // namespace juxta::test
