// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/seams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "shape/surface.h"
#include "shape/surface_edges.h"

namespace juxta::shape_detail {
namespace {

// Of an edge's length, where the caller names no distance.
constexpr double kSlackOfEdge = 1e-4;
// The most that a caller may name: no border is joined to one that stands half an edge away.
constexpr double kMostSlackOfEdge = 0.5;
// The most, of an edge, by which a seam reaches over the end of the other's edge.
constexpr double kMostEnd = 0.1;
// Cosine of the angle between two triangles that lie on each other: one does not go on in the other.
constexpr double kSameSide = 1 - 1e-6;

struct Segment {
  V3 from, to;

  [[nodiscard]] V3 way() const noexcept { return to - from; }
  /// Where p stands beside it: 0 at `from`, 1 at `to`.
  [[nodiscard]] double part(V3 p) const noexcept { return dot(p - from, way()) / dot(way(), way()); }
  /// From the line through it to p, at a right angle.
  [[nodiscard]] V3 beside(V3 p) const noexcept { return p - from - way() * part(p); }
};

Segment edge_of(const std::array<V3, 3>& corners, std::uint32_t i) noexcept {
  return {corners[i], corners[(i + 1) % 3]};
}

bool on_same_side(V3 u, V3 v) noexcept {
  return dot(u, v) >= kSameSide * length(u) * length(v);
}

bool finite(const std::array<V3, 3>& c) noexcept {
  const V3 sum = c[0] + c[1] + c[2];
  return std::isfinite(sum.x + sum.y + sum.z);
}

Surface surface_of(const Shape& shape, const Frame& frame) noexcept {
  Placed placed;
  placed.shape = &shape;
  placed.frame = frame;
  return Surface(placed);
}

// A border edge, and where the surface goes on beyond it.
class BorderEdge {
 public:
  BorderEdge(const std::array<V3, 3>& c, std::uint32_t i, double within) noexcept
      : edge_(edge_of(c, i)), own_side_(edge_.beside(c[(i + 2) % 3])), length_(length(edge_.way())) {
    slack_ = std::min(within > 0 ? within : kSlackOfEdge * length_, kMostSlackOfEdge * length_);
  }

  [[nodiscard]] Extent extent() const noexcept {
    Extent e;
    e.take(edge_.from);
    e.take(edge_.to);
    return e.grown(slack_);
  }
  /// The part that edge `i` of another triangle covers: from < to, or nothing.
  [[nodiscard]] std::array<double, 2> covered_by(const std::array<V3, 3>& c, std::uint32_t i) const noexcept {
    const Segment other = edge_of(c, i);
    const double other_length = length(other.way());
    if (!(other_length > 0)) {
      return {1, 0};
    }
    const Segment &longer = length_ >= other_length ? edge_ : other,
                  &shorter = length_ >= other_length ? other : edge_;
    if (length(longer.beside(shorter.from)) > slack_ || length(longer.beside(shorter.to)) > slack_ ||
        on_same_side(own_side_, edge_.beside(c[(i + 2) % 3]))) {
      return {1, 0};
    }
    const double a = edge_.part(other.from), b = edge_.part(other.to),
                 more = std::min(slack_ / length_, kMostEnd);
    const double from = std::max(std::min(a, b), 0.0), to = std::min(std::max(a, b), 1.0);
    // Ends that merely meet are no seam.
    return to - from > 2 * more ? std::array{from - more, to + more} : std::array{1.0, 0.0};
  }

 private:
  Segment edge_;
  V3 own_side_;
  double length_, slack_ = 0;
};

bool begins_first(const Seam& a, const Seam& b) noexcept {
  return std::tie(a.from, a.to, a.corner.x, a.corner.y, a.corner.z) <
         std::tie(b.from, b.to, b.corner.x, b.corner.y, b.corner.z);
}

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

// Ascending by edge.
std::vector<Seam> find_seams(const Shape& own, const Qvvs& at, const Shape& other, const Qvvs& other_at,
                             float within) {
  const V3 origin(at.position);
  const Surface surface = surface_of(own, Frame(at, origin)),
                beside = surface_of(other, Frame(other_at, origin));
  const SurfaceEdges edges(own), edges_beside(other);
  std::vector<Seam> found;
  const auto add_seams_of = [&](std::uint32_t t, const std::array<V3, 3>& c, std::uint32_t i) {
    const BorderEdge border(c, i, static_cast<double>(within));
    beside.triangles->visit(local_box(border.extent(), beside.frame), [&](std::uint32_t u) {
      const std::array<V3, 3> d = beside.triangle(u);
      for (std::uint32_t j = 0; j < 3; ++j) {
        const auto [from, to] = border.covered_by(d, j);
        if (from < to && edges_beside.neighbours(u)[j] == kNoNeighbour) {
          found.push_back({4 * t + i, static_cast<float>(from), static_cast<float>(to),
                           surface.frame.local_point(d[(j + 2) % 3])});
        }
      }
      return true;
    });
  };
  for (std::uint32_t t = 0; t < surface.triangles->size(); ++t) {
    const EdgeNeighbours of_own = edges.neighbours(t);
    if (std::find(of_own.begin(), of_own.end(), kNoNeighbour) == of_own.end()) {
      continue;
    }
    const std::array<V3, 3> c = surface.triangle(t);
    for (std::uint32_t i = 0; i < 3 && finite(c); ++i) {
      if (of_own[i] == kNoNeighbour && length(edge_of(c, i).way()) > 0) {
        const std::size_t before = found.size();
        add_seams_of(t, c, i);
        // Whatever the other's tree: where several cover one place, the one that begins first counts.
        std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(), begins_first);
      }
    }
  }
  return found;
}

// Of how many edges they are.
std::size_t edges_of(std::span<const Seam> seams) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < seams.size(); ++i) {
    count += i == 0 || seams[i].edge != seams[i - 1].edge ? 1 : 0;
  }
  return count;
}

}  // namespace

const V3* Seams::beyond(std::uint32_t triangle, std::uint32_t edge, double at) const noexcept {
  const std::uint32_t key = 4 * triangle + edge;
  const double place = std::clamp(at, 0.0, 1.0);
  const auto below = [](const Seam& one, std::uint32_t k) { return one.edge < k; };
  auto seam = std::lower_bound(all_.begin(), all_.end(), key, below);
  for (; seam != all_.end() && seam->edge == key; ++seam) {
    if (static_cast<double>(seam->from) <= place && place <= static_cast<double>(seam->to)) {
      return &seam->corner;
    }
  }
  return nullptr;
}

void Seams::add(std::span<const Seam> found) {
  const auto less = [](const Seam& a, const Seam& b) { return a.edge < b.edge; };
  const auto covered = [&](const Seam& old) {
    const auto [first, last] = std::equal_range(found.begin(), found.end(), old, less);
    return std::any_of(first, last,
                       [&](const Seam& one) { return one.from <= old.from && old.to <= one.to; });
  };
  all_.erase(std::remove_if(all_.begin(), all_.end(), covered), all_.end());
  std::vector<Seam> both;
  both.reserve(all_.size() + found.size());
  std::merge(found.begin(), found.end(), all_.begin(), all_.end(), std::back_inserter(both), less);
  all_ = std::move(both);
}

Result<std::size_t> Seams::adjoin(const Shape& own, const Qvvs& at, const Shape& other, const Qvvs& other_at,
                                  float within) {
  JUXTA_TRY(check(own, at, other, other_at, within));
  const std::vector<Seam> found = find_seams(own, at, other, other_at, within);
  add(found);
  return edges_of(found);
}

}  // namespace juxta::shape_detail
