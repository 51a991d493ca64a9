// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "juxta/shape/parts.h"
#include "shape/hull_build.h"
#include "shape/parts_store.h"

namespace juxta {
namespace shape_detail {
namespace {

/// A flat hull, seen along the axis that its normal is nearest to.
class Polygon {
 public:
  Polygon(std::span<const GridPoint> places, const GridPoint& normal) : flat_(places.size()) {
    const auto size = [](std::int64_t x) { return x < 0 ? -x : x; };
    const bool drop_x = size(normal.x) >= size(normal.y) && size(normal.x) >= size(normal.z);
    const bool drop_y = !drop_x && size(normal.y) >= size(normal.z);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const GridPoint& p = places[i];
      flat_[i] = {drop_x ? p.y : p.x, drop_x || drop_y ? p.z : p.y};
    }
  }
  std::vector<std::uint32_t> run(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> all(flat_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      all[i] = i;
    }
    ring_.push_back(a);
    chain(a, b, all);
    ring_.push_back(b);
    chain(b, a, all);
    return straightened();
  }

 private:
  struct Flat {
    std::int64_t u, v;
  };
  /// Twice the area of a, b, p: above 0 when p lies to the left. 60 bits.
  [[nodiscard]] std::int64_t left(std::uint32_t a, std::uint32_t b, std::uint32_t p) const noexcept {
    return (flat_[b].u - flat_[a].u) * (flat_[p].v - flat_[a].v) -
           (flat_[b].v - flat_[a].v) * (flat_[p].u - flat_[a].u);
  }
  [[nodiscard]] double apart(std::uint32_t a, std::uint32_t b) const noexcept {
    return length(GridPoint{flat_[b].u - flat_[a].u, flat_[b].v - flat_[a].v, 0});
  }
  /// The corners between a and b, from those of `points` that lie to the left. Each step at least
  /// halves the area that is left, so that the depth is below 64.
  void chain(std::uint32_t a, std::uint32_t b, const std::vector<std::uint32_t>& points) {
    std::vector<std::uint32_t> outside;
    std::uint32_t farthest = kNoIndex;
    std::int64_t most = 0;
    for (const std::uint32_t p : points) {
      const std::int64_t area = left(a, b, p);
      if (area > 0) {
        outside.push_back(p);
        farthest = area > most ? p : farthest;
        most = std::max(most, area);
      }
    }
    if (farthest != kNoIndex) {
      chain(a, farthest, outside);
      ring_.push_back(farthest);
      chain(farthest, b, outside);
    }
  }
  [[nodiscard]] bool on_side(std::uint32_t before, std::uint32_t corner, std::uint32_t after) const noexcept {
    const double area = std::abs(static_cast<double>(left(before, after, corner)));
    const double side = apart(before, after);
    return area <= kThin * side && apart(before, corner) < side && apart(corner, after) < side;
  }
  /// Without corners in the middle of a side, to the width that is thin.
  [[nodiscard]] std::vector<std::uint32_t> straightened() const {
    std::vector<std::uint32_t> ring = ring_;
    for (std::size_t i = 0; i < ring.size() && ring.size() > 3;) {
      const std::uint32_t before = ring[(i + ring.size() - 1) % ring.size()];
      const std::uint32_t after = ring[(i + 1) % ring.size()];
      if (on_side(before, ring[i], after)) {
        ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    return ring;
  }

  std::vector<Flat> flat_;
  std::vector<std::uint32_t> ring_;
};

float rounded_up(double x) noexcept {
  const float near = narrowed(x);
  if (static_cast<double>(near) >= x) {
    return near;
  }
  const auto bits = std::bit_cast<std::uint32_t>(near);
  return near == 0 ? std::numeric_limits<float>::denorm_min()
                   : std::bit_cast<float>(near > 0 ? bits + 1 : bits - 1);
}

/// Numbers of points become numbers of vertices, in the order of the input.
void fill_vertices(HullStore& store, std::span<const Vec3> points, const HullPolygons& polygons) {
  std::vector<std::uint32_t> vertex(points.size(), kNoIndex);
  for (const std::uint32_t point : polygons.corners) {
    vertex[point] = 0;
  }
  for (std::size_t point = 0; point < points.size(); ++point) {
    if (vertex[point] == 0) {
      vertex[point] = static_cast<std::uint32_t>(store.vertices.size());
      store.vertices.push_back(points[point]);
    }
  }
  store.first = polygons.first;
  for (const std::uint32_t point : polygons.corners) {
    store.corners.push_back(vertex[point]);
  }
}

/// How much the corners of polygon `f` differ along a direction.
double spread(const HullStore& store, std::size_t f, const V3& way) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::uint32_t c = store.first[f]; c < store.first[f + 1]; ++c) {
    const double along = dot(way, V3(store.vertices[store.corners[c]]) - store.middle);
    low = std::min(low, along);
    high = std::max(high, along);
  }
  return high - low;
}

/// The normal of polygon `f`: that of its corners (Newell) where it fits them better than the grid's. On a
/// plate as thin as a few steps of the grid, a step tilts a face by more than a ray may be wrong.
V3 side_normal(const HullStore& store, std::size_t f, const V3& on_grid) {
  const std::uint32_t first = store.first[f], last = store.first[f + 1];
  const V3 begin(store.vertices[store.corners[first]]);
  V3 sum;
  for (std::uint32_t c = first + 1; c + 1 < last; ++c) {
    sum = sum + cross(V3(store.vertices[store.corners[c]]) - begin,
                      V3(store.vertices[store.corners[c + 1]]) - begin);
  }
  const double area = length(sum);
  if (!(area > 0) || !(dot(sum, on_grid) > 0.99 * area)) {
    return on_grid;
  }
  const V3 normal = sum * (1 / area);
  return spread(store, f, normal) < spread(store, f, on_grid) ? normal : on_grid;
}

void fill_planes(HullStore& store, std::span<const HullFace> faces, std::span<const std::uint32_t> seeds) {
  for (std::size_t f = 0; f < seeds.size(); ++f) {
    const GridPoint& whole = faces[seeds[f]].normal;
    const V3 way(static_cast<double>(whole.x), static_cast<double>(whole.y), static_cast<double>(whole.z));
    const V3 normal = side_normal(store, f, way * (1 / length(way)));
    const Vec3 narrow = normal.rounded();
    double reach = -std::numeric_limits<double>::infinity(), offset = reach;
    for (std::uint32_t c = store.first[f]; c < store.first[f + 1]; ++c) {
      const V3 corner(store.vertices[store.corners[c]]);
      reach = std::max(reach, dot(normal, corner - store.middle));
      offset = std::max(offset, dot(V3(narrow), corner));
    }
    store.sides.push_back({normal, reach});
    store.planes.push_back({narrow, -rounded_up(offset)});
  }
}

}  // namespace

std::vector<std::uint32_t> polygon_of(std::span<const GridPoint> places, const Corners& start) {
  const GridPoint from = places[start.point[0]];
  const GridPoint normal = cross(places[start.point[1]] - from, places[start.point[2]] - from);
  return Polygon(places, normal).run(start.point[0], start.point[1]);
}

}  // namespace shape_detail

ConvexHull::ConvexHull(Owned<shape_detail::HullStore> store) noexcept : store_(std::move(store)) {}

Result<ConvexHull> ConvexHull::build(std::span<const Vec3> points) {
  constexpr std::size_t kMostVertices = 65535;
  if (points.empty()) {
    return fail(ErrorCode::kInvalidArgument, "a hull needs at least one point");
  }
  if (points.size() > std::numeric_limits<std::uint32_t>::max() - 1) {
    return fail(ErrorCode::kTooLarge, "a hull takes at most 2^32 - 2 points");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) {
      return fail(ErrorCode::kNotFinite, "the points of a hull must be finite", i);
    }
  }
  auto store = make_owned<shape_detail::HullStore>();
  const shape_detail::Grid grid = shape_detail::grid_of(points);
  const shape_detail::Corners start = shape_detail::first_corners(grid.places);
  store->middle = grid.middle;
  if (start.count == 4) {
    const std::vector<shape_detail::HullFace> faces = shape_detail::hull_of(grid.places, start);
    const shape_detail::HullPolygons polygons = shape_detail::join_faces(grid.places, faces);
    shape_detail::fill_vertices(*store, points, polygons);
    shape_detail::fill_planes(*store, faces, polygons.seed);
    shape_detail::fill_edges(*store);
    shape_detail::fill_rims(*store);
  } else {
    std::vector<std::uint32_t> ring(start.point.begin(), start.point.begin() + start.count);
    if (start.count == 3) {
      ring = shape_detail::polygon_of(grid.places, start);
    }
    for (const std::uint32_t point : ring) {
      store->vertices.push_back(points[point]);
    }
  }
  shape_detail::fill_columns(*store);
  if (store->vertices.size() > kMostVertices) {
    return fail(ErrorCode::kTooLarge, "a hull has at most 65,535 vertices; give it fewer points");
  }
  return ConvexHull(std::move(store));
}

std::span<const Vec3> ConvexHull::vertices() const noexcept {
  return store_->vertices;
}

std::span<const Plane3> ConvexHull::faces() const noexcept {
  return store_->planes;
}

}  // namespace juxta
