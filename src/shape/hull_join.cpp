// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The triangles of a hull that lie in one plane become one face.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "shape/hull_build.h"

namespace juxta::shape_detail {
namespace {

/// Grows patches of triangles that lie in one plane, the largest triangle first.
class Joiner {
 public:
  Joiner(std::span<const GridPoint> places, std::span<const HullFace> faces)
      : places_(places), faces_(faces), owner_(faces.size(), kNoIndex), patch_of_(places.size(), kNoIndex) {}

  HullPolygons run() {
    struct Seed {
      double area;
      std::uint32_t born, face;
    };
    std::vector<Seed> by_area;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].dead) {
        by_area.push_back({length(faces_[f].normal), faces_[f].born, f});
      }
    }
    std::sort(by_area.begin(), by_area.end(), [](const Seed& a, const Seed& b) {
      return a.area != b.area ? a.area > b.area : a.born < b.born;  // no two are equal
    });
    for (const Seed& seed : by_area) {
      if (owner_[seed.face] == kNoIndex) {
        grow(seed.face);
      }
    }
    drop_straight();
    return finish();
  }

 private:
  [[nodiscard]] bool in_plane(const HullFace& face, const HullFace& seed) const noexcept {
    const double most = -kCoplanar * length(seed.normal);
    for (const std::uint32_t corner : face.corner) {
      const Wide height = dot(seed.normal, places_[corner] - places_[seed.corner[0]]);
      if (static_cast<double>(height) < most) {
        return false;
      }
    }
    const V3 a(static_cast<double>(face.normal.x), static_cast<double>(face.normal.y),
               static_cast<double>(face.normal.z));
    const V3 b(static_cast<double>(seed.normal.x), static_cast<double>(seed.normal.y),
               static_cast<double>(seed.normal.z));
    return dot(a, b) > 0.5 * length(a) * length(b);
  }
  /// Whether the patch stays without holes: it meets the triangle in one edge, or in two.
  [[nodiscard]] bool stays_whole(const HullFace& face, std::uint32_t patch) const noexcept {
    int shared = 0;
    std::uint32_t apex = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (owner_[face.across[i]] == patch) {
        ++shared;
        apex = face.corner[(i + 2) % 3];
      }
    }
    return shared == 2 || (shared == 1 && patch_of_[apex] != patch);
  }
  void take(std::uint32_t face, std::uint32_t patch) {
    owner_[face] = patch;
    members_.push_back(face);
    for (const std::uint32_t corner : faces_[face].corner) {
      patch_of_[corner] = patch;
    }
    pending_.insert(pending_.end(), faces_[face].across.begin(), faces_[face].across.end());
  }
  void grow(std::uint32_t seed) {
    const auto patch = static_cast<std::uint32_t>(rings_.size());
    rings_.push_back({static_cast<std::uint32_t>(corners_.size()), 0});
    members_.clear();
    pending_.clear();
    take(seed, patch);
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const std::uint32_t face = pending_[i];
      if (owner_[face] == kNoIndex && stays_whole(faces_[face], patch) &&
          in_plane(faces_[face], faces_[seed])) {
        take(face, patch);
      }
    }
    seeds_.push_back(seed);
    if (members_.size() == 1) {  // nearly all, where a hull is smooth
      const auto& corner = faces_[seed].corner;
      const auto least =
          static_cast<std::size_t>(std::min_element(corner.begin(), corner.end()) - corner.begin());
      for (std::size_t i = 0; i < 3; ++i) {
        corners_.push_back(corner[(least + i) % 3]);
      }
    } else {
      add_ring_around(patch);
    }
    rings_.back().size = static_cast<std::uint32_t>(corners_.size()) - rings_.back().first;
  }
  /// From the lowest corner on.
  void add_ring_around(std::uint32_t patch) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // from, to: each corner once
    for (const std::uint32_t face : members_) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (owner_[faces_[face].across[i]] != patch) {
          edges.emplace_back(faces_[face].corner[i], faces_[face].corner[(i + 1) % 3]);
        }
      }
    }
    std::sort(edges.begin(), edges.end());
    std::uint32_t at = edges.front().first;
    do {
      corners_.push_back(at);
      at = std::lower_bound(edges.begin(), edges.end(), std::pair{at, std::uint32_t{0}})->second;
    } while (at != edges.front().first);
  }
  struct Ring {
    std::uint32_t first, size;
  };
  [[nodiscard]] std::span<const std::uint32_t> of(const Ring& ring) const noexcept {
    return std::span(corners_).subspan(ring.first, ring.size);
  }
  void drop(Ring& ring, std::uint32_t corner) noexcept {
    const auto first = corners_.begin() + ring.first, last = first + ring.size;
    std::copy(std::find(first, last, corner) + 1, last, std::find(first, last, corner));
    --ring.size;
  }

  /// Leaves out corners of two faces only that lie on the edge between them.
  void drop_straight() {
    std::vector<std::uint32_t> count(places_.size(), 0), other(places_.size(), kNoIndex);
    for (std::uint32_t r = 0; r < rings_.size(); ++r) {
      for (const std::uint32_t corner : of(rings_[r])) {
        ++count[corner];
        other[corner] = r;  // the last of them
      }
    }
    for (std::uint32_t r = 0; r < rings_.size(); ++r) {
      for (std::size_t i = 0; i < rings_[r].size && rings_[r].size > 3;) {
        const std::span<const std::uint32_t> ring = of(rings_[r]);
        const std::uint32_t corner = ring[i];
        const std::uint32_t before = ring[(i + ring.size() - 1) % ring.size()];
        const std::uint32_t after = ring[(i + 1) % ring.size()];
        Ring& beyond = rings_[other[corner]];
        if (count[corner] == 2 && other[corner] != r && beyond.size > 3 && on_edge(before, corner, after)) {
          drop(rings_[r], corner);
          drop(beyond, corner);
        } else {
          ++i;
        }
      }
    }
  }
  [[nodiscard]] bool on_edge(std::uint32_t before, std::uint32_t corner, std::uint32_t after) const noexcept {
    const GridPoint edge = places_[after] - places_[before];
    const GridPoint way = places_[corner] - places_[before];
    return dot(edge, way) > 0 && dot(edge, places_[after] - places_[corner]) > 0 &&
           length(cross(edge, way)) <= kCoplanar * length(edge);
  }
  HullPolygons finish() const {
    HullPolygons result;
    result.seed = seeds_;
    result.first.push_back(0);
    for (const Ring& ring : rings_) {
      result.corners.insert(result.corners.end(), of(ring).begin(), of(ring).end());
      result.first.push_back(static_cast<std::uint32_t>(result.corners.size()));
    }
    return result;
  }

  std::span<const GridPoint> places_;
  std::span<const HullFace> faces_;
  std::vector<std::uint32_t> owner_;     // of each face: its patch
  std::vector<std::uint32_t> patch_of_;  // of each point: the last patch that took it
  std::vector<std::uint32_t> members_, pending_, seeds_;
  std::vector<Ring> rings_;
  std::vector<std::uint32_t> corners_;  // of all rings
};

}  // namespace

HullPolygons join_faces(std::span<const GridPoint> places, std::span<const HullFace> faces) {
  return Joiner(places, faces).run();
}

}  // namespace juxta::shape_detail
