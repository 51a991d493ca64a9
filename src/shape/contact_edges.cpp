// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A solid that slides over a flat mesh is under its level by a little, and the shortest way out of a triangle
// that it has just reached leads back, sideways: a ghost edge. Seen along the edge:
//
//      solid ->|____                     level or rising: the edge is inside of the surface, and nothing
//      ________|___|___ triangle         touches the triangle across it
//
//        \  allowed  /
//         \_________/
//          \ n | n'/                     falling: what touches the edge does so between the two normals
//    _______\__|__/_
//              |  \__ neighbour
#include "shape/contact_edges.h"

#include <array>
#include <cmath>

namespace juxta::shape_detail {
namespace {

constexpr double kLeans = 1e-4;           // sine, of a normal that leans over an edge
constexpr double kFalls = 1e-3;           // sine, of a neighbour that lies lower: 0.06 degrees
constexpr std::uint32_t kMostTurns = 32;  // triangles around a corner

bool same(V3 a, V3 b) noexcept {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Away from a triangle over its edge `i`, in its plane; of length 1 or, without one, 0.
V3 outwards_of(const std::array<V3, 3>& c, std::uint32_t i) noexcept {
  const V3 way = c[(i + 1) % 3] - c[i], inside = c[(i + 2) % 3] - c[i];
  const double squared = dot(way, way);
  const V3 out = squared > 0 ? way * (dot(inside, way) / squared) - inside : V3();
  const double size = length(out);
  return size > 0 ? out * (1 / size) : V3();
}

/// From an edge through p along `way` to the corner that is farthest from it, at a right angle.
V3 across(const std::array<V3, 3>& corners, V3 p, V3 way) noexcept {
  V3 best;
  for (const V3 corner : corners) {
    const V3 to = corner - p;
    const V3 beside = to - way * (dot(to, way) / dot(way, way));
    best = dot(beside, beside) > dot(best, best) ? beside : best;
  }
  return best;
}

V3 middle_of(const Convex& convex) noexcept {
  const Extent extent = extent_of(convex);
  return (extent.lo + extent.hi) * 0.5;
}

}  // namespace

EdgeRules::EdgeRules(const Placed& placed) noexcept : surface_(placed), edges_(*placed.shape) {}

Leaning EdgeRules::leaning(std::uint32_t triangle, V3 point, V3 normal, const Convex& solid) const noexcept {
  const std::array<V3, 3> c = surface_.triangle(triangle);
  const V3 up = cross(c[1] - c[0], c[2] - c[0]);
  const double area = length(up);
  if (!(area > 0)) {
    return {};
  }
  const double along = dot(normal, up) / area;
  // Next to an edge the nearest points may be those of a side that leans back under the surface: the side of
  // the solid is that of its middle.
  const double middle = dot(middle_of(solid) - c[0], up) / area;
  const double side = std::abs(middle) > 1e-3 * solid.size ? middle : along;
  const V3 face = up * ((side < 0 ? -1 : 1) / area);
  if (std::abs(along) > 1 - kLeans * kLeans / 4) {
    return {};
  }
  return around_corner(triangle, c, point, normal, face);
}

Leaning EdgeRules::around_corner(std::uint32_t triangle, std::array<V3, 3> c, V3 point, V3 normal,
                                 V3 face) const noexcept {
  V3 corner = c[0];  // the farthest along the normal: that of the contact, or an end of its edge
  for (const V3 other : c) {
    corner = dot(normal, other - corner) > 0 ? other : corner;
  }
  for (std::uint32_t turn = 0; turn < kMostTurns; ++turn) {
    const EdgeNeighbours beside = edges_.neighbours(triangle);
    std::uint32_t edge = 3;
    double most = kLeans;
    V3 outwards;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const V3 from = c[i], to = c[(i + 1) % 3], out = outwards_of(c, i);
      const double leans = dot(normal, out);
      if ((same(from, corner) || same(to, corner)) && leans > most) {
        most = leans;
        edge = i;
        outwards = out;
      }
    }
    if (edge == 3) {  // over the face: of the triangle itself, or of one that is level with it
      return {turn == 0 ? Leaning::kAllowed : Leaning::kOverEdge, face, {}, {}};
    }
    const V3 from = c[edge], way = c[(edge + 1) % 3] - from;
    const V3* beyond = nullptr;  // in another surface
    if (beside[edge] == kNoNeighbour) {
      beyond = edges_.beyond(triangle, edge, dot(point - from, way) / dot(way, way));
      if (beyond == nullptr) {
        return {};
      }
    }
    const std::array<V3, 3> next = beyond != nullptr ? std::array{from, from + way, surface_.frame(*beyond)}
                                                     : surface_.triangle(beside[edge]);
    const V3 to_next = across(next, from, way);
    const double size = length(to_next), rises = dot(face, to_next);
    if (!(size > 0)) {  // a triangle without area
      return {};
    }
    const bool level = std::abs(rises) <= kFalls * size;
    if (!level && rises < 0 && dot(normal, to_next) <= kLeans * size) {
      return {};
    }
    if (beyond != nullptr) {
      const V3 turned = face * dot(outwards, to_next) - outwards * rises;
      return {Leaning::kOverSeam, face, turned * (1 / length(turned)), from};
    }
    if (!level) {
      return {Leaning::kOverEdge, face, {}, {}};
    }
    triangle = beside[edge];  // whether the normal is right is said there
    c = next;
  }
  return {Leaning::kOverEdge, face, {}, {}};
}

}  // namespace juxta::shape_detail
