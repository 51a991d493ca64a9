// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/hull_build.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace juxta::shape_detail {
namespace {

/// Quickhull on a grid. Which faces a point sees is exact, so those that it sees are always one patch, with
/// one edge around it, and no new face is degenerate.
class Quickhull {
 public:
  explicit Quickhull(std::span<const GridPoint> places) : places_(places), next_(places.size(), kNoIndex) {}

  std::vector<HullFace> run(const Corners& start) {
    begin(start.point);
    // In the order in which they were made; a face that is done, or gone, is not looked at again.
    for (std::uint32_t born = 0; born < order_.size(); ++born) {
      const HullFace& face = faces_[order_[born]];
      if (face.born == born && !face.dead && face.outside != kNoIndex) {
        add(order_[born]);
      }
    }
    return std::move(faces_);
  }

 private:
  std::uint32_t make_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    HullFace face;
    face.corner = {a, b, c};
    face.normal = cross(places_[b] - places_[a], places_[c] - places_[a]);
    face.born = static_cast<std::uint32_t>(order_.size());
    auto place = static_cast<std::uint32_t>(faces_.size());
    if (free_.empty()) {
      faces_.push_back(face);
    } else {
      place = free_.back();
      free_.pop_back();
      faces_[place] = face;
    }
    order_.push_back(place);
    return place;
  }
  [[nodiscard]] Wide above(const HullFace& face, std::uint32_t point) const noexcept {
    return dot(face.normal, places_[point] - places_[face.corner[0]]);
  }

  /// Keeps a point in the list of the first of these faces that it lies above; of no face: it is inside. No
  /// tolerance: beyond the rim of a thin plate a point can be far out and yet close to all planes.
  void assign(std::uint32_t point, std::span<const std::uint32_t> faces) {
    for (const std::uint32_t f : faces) {
      HullFace& face = faces_[f];
      const Wide value = above(face, point);
      if (value <= 0) {
        continue;
      }
      if (face.outside == kNoIndex || value > face.farthest) {
        next_[point] = face.outside;
        face.outside = point;
        face.farthest = value;
      } else {
        next_[point] = next_[face.outside];
        next_[face.outside] = point;
      }
      return;
    }
  }

  void begin(std::array<std::uint32_t, 4> p) {
    const GridPoint normal = cross(places_[p[1]] - places_[p[0]], places_[p[2]] - places_[p[0]]);
    if (dot(normal, places_[p[3]] - places_[p[0]]) > 0) {
      std::swap(p[1], p[2]);
    }
    made_ = {make_face(p[0], p[1], p[2]), make_face(p[0], p[3], p[1]), make_face(p[1], p[3], p[2]),
             make_face(p[2], p[3], p[0])};
    faces_[0].across = {1, 2, 3};
    faces_[1].across = {3, 2, 0};
    faces_[2].across = {1, 3, 0};
    faces_[3].across = {2, 1, 0};
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      assign(i, made_);
    }
  }

  /// Faces that `eye` sees, from `first` on, and the edges around them in order.
  void look(std::uint32_t eye, std::uint32_t first) {
    seen_.clear();
    rim_.clear();
    stack_.clear();
    faces_[first].seen = eye;
    seen_.push_back(first);
    stack_.push_back({first, 0, 3});
    while (!stack_.empty()) {
      Visit& top = stack_.back();
      if (top.left == 0) {
        stack_.pop_back();
        continue;
      }
      const std::uint32_t face = top.face, edge = top.edge;
      top.edge = (edge + 1) % 3;
      --top.left;
      const std::uint32_t other = faces_[face].across[edge];
      if (faces_[other].seen == eye) {
        continue;
      }
      if (above(faces_[other], eye) > 0) {
        faces_[other].seen = eye;
        seen_.push_back(other);
        stack_.push_back({other, (edge_to(other, face) + 1) % 3, 2});
      } else {
        rim_.push_back({face, edge});
      }
    }
  }
  [[nodiscard]] std::uint32_t edge_to(std::uint32_t from, std::uint32_t to) const noexcept {
    const auto& across = faces_[from].across;
    return across[0] == to ? 0 : across[1] == to ? 1 : 2;
  }

  /// The farthest point above a face becomes a corner: what it sees goes, and a cone takes its place.
  void add(std::uint32_t first) {
    const std::uint32_t eye = faces_[first].outside;
    look(eye, first);
    made_.clear();
    for (const auto& [face, edge] : rim_) {
      const HullFace& old = faces_[face];
      const std::uint32_t a = old.corner[edge], b = old.corner[(edge + 1) % 3], beyond = old.across[edge];
      const std::uint32_t back = edge_to(beyond, face);
      const std::uint32_t made = make_face(a, b, eye);
      faces_[made].across[0] = beyond;
      faces_[beyond].across[back] = made;
      made_.push_back(made);
    }
    for (std::size_t i = 0; i < made_.size(); ++i) {  // the rim is in order: neighbours stand side by side
      const std::uint32_t here = made_[i], after = made_[(i + 1) % made_.size()];
      faces_[here].across[1] = after;
      faces_[after].across[2] = here;
    }
    for (const std::uint32_t face : seen_) {
      faces_[face].dead = true;
      std::uint32_t point = std::exchange(faces_[face].outside, kNoIndex);
      while (point != kNoIndex) {
        const std::uint32_t following = next_[point];
        if (point != eye) {
          assign(point, made_);
        }
        point = following;
      }
    }
    free_.insert(free_.end(), seen_.begin(), seen_.end());
  }

  struct Visit {
    std::uint32_t face, edge, left;
  };
  struct RimEdge {
    std::uint32_t face, edge;
  };
  std::span<const GridPoint> places_;
  std::vector<std::uint32_t> next_;
  std::vector<HullFace> faces_;
  std::vector<std::uint32_t> order_, free_;  // places of all faces as they were made; of those that are gone
  std::vector<std::uint32_t> seen_, made_;
  std::vector<RimEdge> rim_;
  std::vector<Visit> stack_;
};

/// The points farthest along each axis, both ways; of several the first.
std::array<std::uint32_t, 6> extremes(std::span<const GridPoint> places) noexcept {
  std::array<std::uint32_t, 6> most{};
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const GridPoint& p = places[i];
    most[0] = p.x < places[most[0]].x ? i : most[0];
    most[1] = p.x > places[most[1]].x ? i : most[1];
    most[2] = p.y < places[most[2]].y ? i : most[2];
    most[3] = p.y > places[most[3]].y ? i : most[3];
    most[4] = p.z < places[most[4]].z ? i : most[4];
    most[5] = p.z > places[most[5]].z ? i : most[5];
  }
  return most;
}

}  // namespace

Grid grid_of(std::span<const Vec3> points) {
  Grid grid;
  V3 lo(points[0]), hi(points[0]);
  for (const Vec3& p : points) {
    const V3 v(p);
    lo = {std::min(lo.x, v.x), std::min(lo.y, v.y), std::min(lo.z, v.z)};
    hi = {std::max(hi.x, v.x), std::max(hi.y, v.y), std::max(hi.z, v.z)};
  }
  grid.middle = (lo + hi) * 0.5;
  const V3 half = (hi - lo) * 0.5;
  constexpr double kSteps = 1 << 28;
  grid.step = std::max({half.x, half.y, half.z}) / kSteps;
  grid.places.resize(points.size());
  if (!(grid.step > 0)) {
    return grid;
  }
  const auto place = [&grid](double x) {
    const double steps = x / grid.step;
    return static_cast<std::int64_t>(steps < 0 ? steps - 0.5 : steps + 0.5);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const V3 q = V3(points[i]) - grid.middle;
    grid.places[i] = {place(q.x), place(q.y), place(q.z)};
  }
  return grid;
}

Corners first_corners(std::span<const GridPoint> places) {
  Corners corners;
  corners.count = 1;
  double most = 0;
  const std::array<std::uint32_t, 6> ends = extremes(places);
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint32_t a = ends[2 * static_cast<std::size_t>(axis)];
    const std::uint32_t b = ends[2 * static_cast<std::size_t>(axis) + 1];
    const double d = length(places[b] - places[a]);
    if (d > most) {
      most = d;
      corners.point[0] = a;
      corners.point[1] = b;
    }
  }
  if (most <= kThin) {
    return corners;
  }
  corners.count = 2;
  const GridPoint from = places[corners.point[0]];
  const GridPoint line = places[corners.point[1]] - from;
  double widest = kThin * length(line);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const double area = length(cross(line, places[i] - from));
    if (area > widest) {
      widest = area;
      corners.point[2] = i;
      corners.count = 3;
    }
  }
  if (corners.count == 2) {
    return corners;
  }
  const GridPoint normal = cross(line, places[corners.point[2]] - from);
  double highest = kThin * length(normal);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const double height = std::abs(static_cast<double>(dot(normal, places[i] - from)));
    if (height > highest) {
      highest = height;
      corners.point[3] = i;
      corners.count = 4;
    }
  }
  return corners;
}

std::vector<HullFace> hull_of(std::span<const GridPoint> places, const Corners& start) {
  return Quickhull(places).run(start);
}

}  // namespace juxta::shape_detail
