// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/seams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "shape/surface.h"
#include "shape/surface_edges.h"

namespace juxta::shape_detail {
namespace {

// Of an edge's length, where the caller names no distance.
constexpr double kSlackOfEdge = 1e-4;
// Cosine of the angle between two triangles that lie on each other: one does not go on in the other.
constexpr double kSameSide = 1 - 1e-6;

struct Segment {
  V3 from, to;

  [[nodiscard]] V3 way() const noexcept { return to - from; }
  [[nodiscard]] V3 middle() const noexcept { return (from + to) * 0.5; }
  /// From the line through it to p, at a right angle.
  [[nodiscard]] V3 beside(V3 p) const noexcept {
    const V3 way_of = way(), offset = p - from;
    return offset - way_of * (dot(offset, way_of) / dot(way_of, way_of));
  }
  [[nodiscard]] double distance(V3 p) const noexcept {
    const V3 way_of = way(), offset = p - from;
    const double t = std::clamp(dot(offset, way_of) / dot(way_of, way_of), 0.0, 1.0);
    return length(offset - way_of * t);
  }
};

Segment edge_of(const std::array<V3, 3>& corners, std::uint32_t i) noexcept {
  return {corners[i], corners[(i + 1) % 3]};
}

// One lies along the other: they may be cut at other places.
bool along(const Segment& a, const Segment& b, double slack) noexcept {
  const bool a_longer = length(a.way()) >= length(b.way());
  const Segment &longer = a_longer ? a : b, &shorter = a_longer ? b : a;
  return length(longer.beside(shorter.from)) <= slack && length(longer.beside(shorter.to)) <= slack;
}

bool on_same_side(V3 u, V3 v) noexcept {
  return dot(u, v) >= kSameSide * length(u) * length(v);
}

Surface surface_of(const Shape& shape, const Frame& frame) noexcept {
  Placed placed;
  placed.shape = &shape;
  placed.frame = frame;
  return Surface(placed);
}

// Where the surface beyond an edge is looked for.
class Beyond {
 public:
  Beyond(const Shape& shape, const Frame& frame) noexcept
      : surface_(surface_of(shape, frame)), edges_(shape) {}

  /// The third corner of the triangle whose border edge is nearest to the middle of `edge`, of several the
  /// lowest; `own_side`: from the edge to its own triangle's third corner.
  [[nodiscard]] std::optional<V3> find(const Segment& edge, V3 own_side, double slack) const noexcept {
    Extent around;
    around.take(edge.middle());
    double nearest = slack;
    std::uint32_t found = kNoNeighbour;
    V3 corner;
    surface_.triangles->visit(local_box(around.grown(slack), surface_.frame), [&](std::uint32_t t) {
      const EdgeNeighbours beside = edges_.neighbours(t);
      const std::array<V3, 3> c = surface_.triangle(t);
      for (std::uint32_t i = 0; i < 3; ++i) {
        const Segment other = edge_of(c, i);
        if (beside[i] != kNoNeighbour || !(length(other.way()) > 0) || !along(edge, other, slack) ||
            on_same_side(own_side, edge.beside(c[(i + 2) % 3]))) {
          continue;
        }
        const double distance = other.distance(edge.middle());
        if (distance < nearest || (distance <= nearest && t < found)) {
          nearest = distance;
          found = t;
          corner = c[(i + 2) % 3];
        }
      }
      return true;
    });
    return found != kNoNeighbour ? std::optional(corner) : std::nullopt;
  }

 private:
  Surface surface_;
  SurfaceEdges edges_;
};

Result<void> check(const Shape& own, const Qvvs& at, const Shape& other, const Qvvs& other_at, float within) {
  JUXTA_TRY(check_shape(own, at));
  JUXTA_TRY(check_shape(other, other_at));
  if (other.kind() != ShapeKind::kMesh && other.kind() != ShapeKind::kHeightField) {
    return fail(ErrorCode::kInvalidArgument, "a surface adjoins a mesh or a height field");
  }
  if (!(within >= 0) || std::isinf(within)) {
    return fail(ErrorCode::kInvalidArgument, "borders adjoin within a finite distance, 0 or more");
  }
  return {};
}

}  // namespace

const V3* Seams::beyond(std::uint32_t triangle, std::uint32_t edge) const noexcept {
  const std::uint32_t key = 4 * triangle + edge;
  const auto at = std::lower_bound(all_.begin(), all_.end(), key,
                                   [](const Seam& seam, std::uint32_t k) { return seam.edge < k; });
  return at != all_.end() && at->edge == key ? &at->corner : nullptr;
}

void Seams::add(std::span<const Seam> found) {
  const auto less = [](const Seam& a, const Seam& b) { return a.edge < b.edge; };
  std::vector<Seam> both;
  both.reserve(all_.size() + found.size());
  // Of two that are equal the first list's one is kept.
  std::set_union(found.begin(), found.end(), all_.begin(), all_.end(), std::back_inserter(both), less);
  all_ = std::move(both);
}

Result<std::vector<Seam>> find_seams(const Shape& own, const Qvvs& at, const Shape& other,
                                     const Qvvs& other_at, float within) {
  JUXTA_TRY(check(own, at, other, other_at, within));
  const V3 origin(at.position);
  const Frame frame(at, origin);
  const Surface surface = surface_of(own, frame);
  const SurfaceEdges edges(own);
  const Beyond beyond(other, Frame(other_at, origin));
  std::vector<Seam> found;
  for (std::uint32_t t = 0; t < surface.triangles->size(); ++t) {
    const EdgeNeighbours beside = edges.neighbours(t);
    if (std::find(beside.begin(), beside.end(), kNoNeighbour) == beside.end()) {
      continue;
    }
    const std::array<V3, 3> c = surface.triangle(t);
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Segment edge = edge_of(c, i);
      const double size = length(edge.way());
      if (beside[i] != kNoNeighbour || !(size > 0)) {
        continue;
      }
      const double slack = within > 0 ? static_cast<double>(within) : kSlackOfEdge * size;
      if (const auto corner = beyond.find(edge, edge.beside(c[(i + 2) % 3]), slack)) {
        found.push_back({4 * t + i, frame.local_point(*corner)});
      }
    }
  }
  return found;
}

}  // namespace juxta::shape_detail
