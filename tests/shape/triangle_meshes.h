// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Triangles to search in, pleasant and not, and rays to search with.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "juxta/layer/raycast.h"
#include "scenes/draws.h"

namespace juxta::test {

struct Soup {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

enum class Kind { kRandom, kSphere, kTerrain, kSlivers, kDegenerate, kDuplicates, kHoles, kFlat, kSizes };
inline constexpr Kind kKinds[] = {Kind::kRandom,  Kind::kSphere,     Kind::kTerrain,
                                  Kind::kSlivers, Kind::kDegenerate, Kind::kDuplicates,
                                  Kind::kHoles,   Kind::kFlat,       Kind::kSizes};
[[nodiscard]] inline std::string_view name(Kind kind) {
  constexpr std::string_view kNames[] = {"random",     "sphere", "terrain", "slivers", "degenerate",
                                         "duplicates", "holes",  "flat",    "sizes"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A closed surface around the origin, within 1 of it: a sphere of rings, each with as many corners.
[[nodiscard]] inline Soup make_sphere(std::size_t triangles) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 2)) + 3;
  Soup soup;
  // Points of a circle without trigonometry: the rational circle, one half after the other.
  const auto on_circle = [](double turn) {  // turn in 0 .. 1
    const bool second = turn >= 0.5;
    const double h = (second ? turn - 0.5 : turn) * 4 - 1, d = 1 + h * h;
    const double x = 2 * h / d, y = (1 - h * h) / d;
    return second ? std::array{-x, -y} : std::array{x, y};
  };
  soup.vertices.push_back({0, 1, 0});
  for (std::uint32_t ring = 1; ring < side; ++ring) {
    const auto [y, r] = on_circle(0.5 * ring / side);
    for (std::uint32_t i = 0; i < side; ++i) {
      const auto [x, z] = on_circle(static_cast<double>(i) / side);
      soup.vertices.push_back({static_cast<float>(x * r), static_cast<float>(-y), static_cast<float>(z * r)});
    }
  }
  soup.vertices.push_back({0, -1, 0});
  const auto at = [side](std::uint32_t ring, std::uint32_t i) {
    return ring == 0 ? 0 : ring == side ? 1 + (side - 1) * side : 1 + (ring - 1) * side + i % side;
  };
  for (std::uint32_t ring = 0; ring < side; ++ring) {
    for (std::uint32_t i = 0; i < side; ++i) {
      if (ring != 0) {
        soup.triangles.push_back({at(ring, i), at(ring, i + 1), at(ring + 1, i)});
      }
      if (ring + 1 != side) {
        soup.triangles.push_back({at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)});
      }
    }
  }
  return soup;
}

/// A grid of hills over [-1, 1]^2, z away from the eye.
[[nodiscard]] inline Soup make_terrain(std::size_t triangles, scenes::Draws& draws) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 2)) + 1;
  Soup soup;
  for (std::uint32_t j = 0; j <= side; ++j) {
    for (std::uint32_t i = 0; i <= side; ++i) {
      const float x = static_cast<float>(i) * 2 / static_cast<float>(side) - 1;
      const float y = static_cast<float>(j) * 2 / static_cast<float>(side) - 1;
      soup.vertices.push_back({x, y, 0.5F + x * y * x + draws.unit() * 0.1F});
    }
  }
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const std::uint32_t at = j * (side + 1) + i;
      soup.triangles.push_back({at, at + 1, at + side + 2});
      soup.triangles.push_back({at, at + side + 2, at + side + 1});
    }
  }
  return soup;
}

[[nodiscard]] inline Soup make_soup(Kind kind, std::size_t n, scenes::Draws& draws) {
  if (kind == Kind::kSphere) {
    return make_sphere(n);
  }
  if (kind == Kind::kTerrain) {
    return make_terrain(n, draws);
  }
  Soup soup;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Vec3 at{draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)};
    float size[3] = {0.3F, 0.3F, 0.3F};
    if (kind == Kind::kSlivers) {
      size[0] = 1;
      size[1] = size[2] = 1e-5F;
    } else if (kind == Kind::kFlat) {
      size[2] = 0;
    } else if (kind == Kind::kSizes) {
      size[0] = size[1] = size[2] = std::ldexp(1.0F, 1 - static_cast<int>(draws.below(20)));
    }
    for (int corner = 0; corner < 3; ++corner) {
      soup.vertices.push_back({at[0] + draws.uniform(-size[0], size[0]),
                               at[1] + draws.uniform(-size[1], size[1]),
                               at[2] + draws.uniform(-size[2], size[2])});
    }
    std::array<std::uint32_t, 3> triangle{3 * i, 3 * i + 1, 3 * i + 2};
    if (kind == Kind::kDegenerate && i % 4 != 0) {
      triangle[2] = i % 4 == 1 ? triangle[1] : triangle[0];  // a segment
      triangle[1] = i % 4 == 3 ? triangle[0] : triangle[1];  // a point
    }
    if (kind == Kind::kDuplicates && i % 3 != 0) {
      triangle = soup.triangles[draws.below(i)];
    }
    if (kind == Kind::kHoles && i % 3 == 0) {
      soup.vertices.back()[i % 2] = std::numeric_limits<float>::quiet_NaN();
    }
    soup.triangles.push_back(triangle);
  }
  return soup;
}

/// From everywhere; at corners, along edges and axes, with ends, from far away, in planes of triangles.
[[nodiscard]] inline std::vector<Ray3> make_rays(const Soup& soup, std::size_t count, scenes::Draws& draws) {
  std::vector<Ray3> rays;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& triangle = soup.triangles[draws.below(static_cast<std::uint32_t>(soup.triangles.size()))];
    Vec3 at = soup.vertices[triangle[draws.below(3)]];
    const Vec3 next = soup.vertices[triangle[draws.below(3)]];
    Ray3 ray{{draws.uniform(-2, 2), draws.uniform(-2, 2), draws.uniform(-2, 2)}, {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& to = at[axis];
      if (i % 3 == 1) {
        to = to * 0.5F + next[axis] * 0.5F;
      } else if (i % 3 == 2) {
        to = to * 0.375F + next[axis] * 0.25F + soup.vertices[triangle[0]][axis] * 0.375F;
      }
      if (i % 7 == 6) {
        ray.origin[axis] = next[axis];  // along an edge, or nowhere
      } else if (i % 11 == 10) {
        ray.origin[axis] *= 1000;
      }
      ray.direction[axis] = to - ray.origin[axis];
    }
    const std::size_t still = draws.below(3);
    if (i % 5 == 4) {  // parallel to a plane of the axes, in some vertex's
      ray.origin[still] = at[still];
      ray.direction[still] = i % 2 == 0 ? 0.0F : -0.0F;
    }
    if (i % 10 == 9) {  // parallel to an axis
      ray.origin[(still + 1) % 3] = at[(still + 1) % 3];
      ray.direction[(still + 1) % 3] = -0.0F;
    }
    if (i % 8 == 7) {
      ray.max = draws.unit() * 1.5F;
    }
    if (i % 13 == 12) {
      for (float& x : ray.direction) {
        x *= draws.below(2) == 0 ? 1e-30F : 1e30F;
      }
    }
    rays.push_back(ray);
  }
  return rays;
}

/// side * side rays through a window, in squares of four by four.
[[nodiscard]] inline std::vector<Ray3> make_picture(const Vec3& eye, float width, std::uint32_t side) {
  std::vector<Ray3> rays;
  for (std::uint32_t square = 0; square < side * side / 16; ++square) {
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint32_t x = square % (side / 4) * 4 + i % 4, y = square / (side / 4) * 4 + i / 4;
      const float step = 2 * width / static_cast<float>(side);
      rays.push_back({{eye[0], eye[1], eye[2]},
                      {static_cast<float>(x) * step - width, static_cast<float>(y) * step - width, 1}});
    }
  }
  return rays;
}

}  // namespace juxta::test
