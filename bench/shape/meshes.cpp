// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/shape/meshes.h"

#include <algorithm>
#include <cmath>

#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr double kTurn = 2 * 3.14159265358979;

Vec3 at(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

// Two triangles for each cell of a grid of vertices; `columns` wraps around, `rows` may.
void add_grid(PlainMesh& mesh, std::uint32_t columns, std::uint32_t rows, bool wrap_columns, bool wrap_rows) {
  for (std::uint32_t j = 0; j + (wrap_rows ? 0 : 1) < rows; ++j) {
    for (std::uint32_t i = 0; i + (wrap_columns ? 0 : 1) < columns; ++i) {
      const std::uint32_t next_i = (i + 1) % columns, next_j = (j + 1) % rows;
      const std::uint32_t a = j * columns + i, b = j * columns + next_i;
      const std::uint32_t c = next_j * columns + i, d = next_j * columns + next_i;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({b, d, c});
    }
  }
}

std::uint32_t side_of(std::size_t triangles, double per_cell) {
  return static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / per_cell));
}

PlainMesh ball(std::size_t triangles) {
  const std::uint32_t side = side_of(triangles, 2);
  PlainMesh mesh;
  for (std::uint32_t j = 0; j <= side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const double turn = kTurn * i / side, up = kTurn / 2 * j / side, s = std::sin(up);
      const double bump = 1 + 0.2 * std::sin(3 * turn) * s * std::sin(4 * up) +
                          0.05 * std::sin(17 * turn) * std::sin(13 * up) * s +
                          0.01 * std::sin(40 * turn) * std::sin(31 * up) * s;
      mesh.vertices.push_back(at(bump * s * std::cos(turn), bump * std::cos(up), bump * s * std::sin(turn)));
    }
  }
  add_grid(mesh, side, side + 1, true, false);
  return mesh;
}

PlainMesh terrain(std::size_t triangles) {
  const std::uint32_t side = side_of(triangles, 2) + 1;
  PlainMesh mesh;
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const double x = static_cast<double>(i) / side, z = static_cast<double>(j) / side;
      mesh.vertices.push_back(
          at(x, 0.1 * std::sin(9 * x) * std::sin(7 * z) + 0.01 * std::sin(90 * x + 3 * z) * std::sin(70 * z),
             z));
    }
  }
  add_grid(mesh, side, side, false, false);
  return mesh;
}

PlainMesh soup(std::size_t triangles) {
  scenes::Draws draws(5);
  const auto edge = static_cast<float>(1.5 / std::cbrt(static_cast<double>(triangles)));
  const auto inside = [&] { return Vec3{draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)}; };
  PlainMesh mesh;
  for (std::uint32_t i = 0; i < triangles; ++i) {
    const Vec3 middle = inside();
    for (int corner = 0; corner < 3; ++corner) {
      mesh.vertices.push_back(middle + inside() * edge);
    }
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

void add_box(PlainMesh& mesh, Vec3 lo, Vec3 hi) {
  static constexpr std::uint32_t kFaces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                                  {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                                  {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t i = 0; i < 8; ++i) {
    mesh.vertices.push_back(
        {(i & 1) != 0 ? hi.x : lo.x, (i & 2) != 0 ? hi.y : lo.y, (i & 4) != 0 ? hi.z : lo.z});
  }
  for (const auto& face : kFaces) {
    mesh.triangles.push_back({first + face[0], first + face[1], first + face[2]});
  }
}

PlainMesh city(std::size_t triangles) {
  scenes::Draws draws(7);
  const std::uint32_t side = side_of(triangles, 12);
  const float step = 1 / static_cast<float>(side);
  PlainMesh mesh;
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const float tall = draws.uniform(0, 1), height = 0.3F + 3 * tall * tall * tall * tall;
      const Vec3 lo{static_cast<float>(i) + draws.uniform(0, 0.1F), 0,
                    static_cast<float>(j) + draws.uniform(0, 0.1F)};
      const Vec3 size{draws.uniform(0.3F, 0.9F), 4 * height, draws.uniform(0.3F, 0.9F)};
      add_box(mesh, lo * step, (lo + size) * step);
    }
  }
  const auto ground = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3 corner :
       {Vec3{-0.1F, 0, -0.1F}, Vec3{1.1F, 0, -0.1F}, Vec3{1.1F, 0, 1.1F}, Vec3{-0.1F, 0, 1.1F}}) {
    mesh.vertices.push_back(corner);
  }
  mesh.triangles.push_back({ground, ground + 1, ground + 2});
  mesh.triangles.push_back({ground, ground + 2, ground + 3});
  return mesh;
}

PlainMesh knot(std::size_t triangles) {
  const auto around = std::max(std::uint32_t{8}, side_of(triangles, 40));
  const auto along = static_cast<std::uint32_t>(triangles / 2 / around);
  const auto middle = [](double s) {
    const double r = (2 + std::cos(3 * s)) / 3;
    return at(r * std::cos(2 * s), r * std::sin(2 * s), -std::sin(3 * s) / 3);
  };
  PlainMesh mesh;
  for (std::uint32_t j = 0; j < along; ++j) {
    const double s = kTurn * j / along;
    const Vec3 way = normalized(middle(s + 1e-2) - middle(s));
    const Vec3 side = normalized(Vec3{way.y, -way.x, 0}), up = cross(way, side);
    for (std::uint32_t i = 0; i < around; ++i) {
      const double turn = kTurn * i / around;
      mesh.vertices.push_back(middle(s) + side * static_cast<float>(0.12 * std::cos(turn)) +
                              up * static_cast<float>(0.12 * std::sin(turn)));
    }
  }
  add_grid(mesh, around, along, true, true);
  return mesh;
}

PlainMesh hair(std::size_t triangles) {
  constexpr std::uint32_t kJoints = 8;
  scenes::Draws draws(11);
  const std::size_t strands = triangles / (2 * kJoints);
  const auto width = static_cast<float>(0.6 / std::sqrt(static_cast<double>(strands)));
  const auto inside = [&] { return Vec3{draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)}; };
  PlainMesh mesh;
  for (std::size_t strand = 0; strand < strands; ++strand) {
    Vec3 way = normalized(inside() + Vec3{0, 0.01F, 0}), from = way * 0.7F;
    const Vec3 side{way.y, -way.x, 0.2F}, bend = inside();
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::uint32_t joint = 0; joint <= kJoints; ++joint) {
      const float half = width * (1 - static_cast<float>(joint) / (kJoints + 1));
      mesh.vertices.push_back(from - side * half);
      mesh.vertices.push_back(from + side * half);
      way = way + bend * 0.08F - Vec3{0, 0.06F, 0};
      from = from + way * 0.04F;
    }
    for (std::uint32_t joint = 0; joint < kJoints; ++joint) {
      const std::uint32_t a = first + 2 * joint;
      mesh.triangles.push_back({a, a + 1, a + 2});
      mesh.triangles.push_back({a + 1, a + 3, a + 2});
    }
  }
  return mesh;
}

}  // namespace

const char* name_of(MeshKind kind) {
  static constexpr std::array kNames{"ball", "terrain", "soup", "city", "knot", "hair"};
  return kNames[static_cast<std::size_t>(kind)];
}

PlainMesh make_plain_mesh(MeshKind kind, std::size_t triangles) {
  static constexpr std::array kMakers{ball, terrain, soup, city, knot, hair};
  return kMakers[static_cast<std::size_t>(kind)](triangles);
}

}  // namespace juxta::bench
