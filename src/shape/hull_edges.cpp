// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What searches of a hull need: which faces meet at an edge, which corners an edge leads to, and columns.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "shape/hull_build.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {
namespace {

/// Half-edge c runs from corners[c] to the next corner of the same face.
struct HalfEdges {
  std::vector<std::uint32_t> face, to;
  std::vector<std::uint32_t> twin;  // the same edge the other way; kNoIndex: there is none
};

HalfEdges half_edges(const HullStore& store) {
  HalfEdges half;
  half.face.resize(store.corners.size());
  half.to.resize(store.corners.size());
  half.twin.assign(store.corners.size(), kNoIndex);
  for (std::uint32_t f = 0; f + 1 < store.first.size(); ++f) {
    for (std::uint32_t c = store.first[f]; c < store.first[f + 1]; ++c) {
      half.face[c] = f;
      half.to[c] = store.corners[c + 1 < store.first[f + 1] ? c + 1 : store.first[f]];
    }
  }
  return half;
}

/// Half-edges by the corner that they leave; `first` has one more than there are vertices.
std::vector<std::uint32_t> by_corner(const HullStore& store, std::vector<std::uint32_t>& first) {
  first.assign(store.vertices.size() + 1, 0);
  for (const std::uint32_t corner : store.corners) {
    ++first[corner + 1];
  }
  for (std::size_t v = 1; v < first.size(); ++v) {
    first[v] += first[v - 1];
  }
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1), leaving(store.corners.size());
  for (std::uint32_t c = 0; c < store.corners.size(); ++c) {
    leaving[next[store.corners[c]]++] = c;
  }
  return leaving;
}

/// A twin is looked for at the corner with fewer edges: in a planar graph that is three looks an edge.
void pair_up(const HullStore& store, const std::vector<std::uint32_t>& first,
             const std::vector<std::uint32_t>& leaving, HalfEdges& half) {
  const auto degree = [&first](std::uint32_t v) { return first[v + 1] - first[v]; };
  for (std::uint32_t c = 0; c < store.corners.size(); ++c) {
    const std::uint32_t from = store.corners[c], to = half.to[c];
    if (half.twin[c] != kNoIndex || degree(to) > degree(from)) {
      continue;
    }
    for (std::uint32_t i = first[to]; i < first[to + 1]; ++i) {
      if (half.to[leaving[i]] == from) {
        half.twin[c] = leaving[i];
        half.twin[leaving[i]] = c;
      }
    }
  }
}

}  // namespace

void fill_edges(HullStore& store) {
  HalfEdges half = half_edges(store);
  const std::vector<std::uint32_t> leaving = by_corner(store, store.first_neighbour);
  pair_up(store, store.first_neighbour, leaving, half);
  store.neighbours.resize(leaving.size());
  for (std::size_t i = 0; i < leaving.size(); ++i) {
    store.neighbours[i] = half.to[leaving[i]];
  }
  // From face to face, depth first: searches along the list begin where the last one ended.
  store.edges.reserve(store.corners.size() / 2);
  std::vector<std::uint8_t> known(store.sides.size(), 0), done(store.sides.size(), 0);
  std::vector<std::uint32_t> waiting{0};
  known[0] = 1;
  while (!waiting.empty()) {
    const std::uint32_t face = waiting.back();
    waiting.pop_back();
    done[face] = 1;
    for (std::uint32_t c = store.first[face]; c < store.first[face + 1]; ++c) {
      if (half.twin[c] == kNoIndex) {
        continue;
      }
      const std::uint32_t beyond = half.face[half.twin[c]];
      if (done[beyond] == 0) {
        store.edges.push_back({face, beyond, store.corners[c]});
      }
      if (std::exchange(known[beyond], std::uint8_t{1}) == 0) {
        waiting.push_back(beyond);
      }
    }
  }
}

//      top                       A wall that is as thin as what is joined has become part of the top, and the
//   ---------.__                 planes of top and bottom meet far beyond the edge. The hull is within the
//   ------------`o  |  rim       wedge of the two, so that a plane through the edge, across the top, bounds
//   it.
//      bottom       |
void fill_rims(HullStore& store) {
  constexpr double kSharp = -0.98;  // of two normals: the hull is a wedge of less than 12 degrees there
  constexpr double kJoined = 1e-6;  // of the size: as much may a corner be off the plane of its face
  V3 low(store.vertices[0]), high = low;
  for (const Vec3& v : store.vertices) {
    const V3 p(v);
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  for (const HullStore::Edge& edge : store.edges) {
    const V3 left = store.sides[edge.left].normal, right = store.sides[edge.right].normal;
    if (dot(left, right) > kSharp) {
      continue;
    }
    const auto first = store.corners.begin() + store.first[edge.left];
    const auto last = store.corners.begin() + store.first[edge.left + 1];
    const auto at = std::find(first, last, edge.corner);
    const std::uint32_t next = at + 1 == last ? *first : *(at + 1);
    const V3 from = V3(store.vertices[*at]) - store.middle, to = V3(store.vertices[next]) - store.middle;
    const V3 across = cross(to - from, left - right);
    if (const double size = length(across); size > 0) {
      const V3 normal = across * (1 / size);
      store.sides.push_back(
          {normal, std::max(dot(normal, from), dot(normal, to)) + kJoined * length(high - low)});
    }
  }
}

void fill_columns(HullStore& store) {
  const std::size_t corners = whole_hull_blocks(store.vertices.size());
  store.vertex_columns.resize(3 * corners);
  V3 low(store.vertices[0]), high = low;
  for (std::size_t i = 0; i < corners; ++i) {
    const V3 p(store.vertices[i < store.vertices.size() ? i : 0]);
    store.vertex_columns[i] = p.x;
    store.vertex_columns[corners + i] = p.y;
    store.vertex_columns[2 * corners + i] = p.z;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  store.half_diagonal = length(high - low) / 2;
  const std::size_t sides = whole_hull_blocks(store.sides.size());
  store.side_columns.assign(4 * sides, 0);
  for (std::size_t i = 0; i < sides; ++i) {
    const bool real = i < store.sides.size();
    const V3 normal = real ? store.sides[i].normal : V3();
    store.side_columns[i] = normal.x;
    store.side_columns[sides + i] = normal.y;
    store.side_columns[2 * sides + i] = normal.z;
    store.side_columns[3 * sides + i] = real ? store.sides[i].reach : std::numeric_limits<double>::max();
  }
}

}  // namespace juxta::shape_detail
