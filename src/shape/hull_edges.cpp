// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which faces meet at an edge of a hull, and which corners an edge leads to: what searches walk along.
#include <cstddef>
#include <utility>
#include <vector>

#include "shape/hull_build.h"
#include "shape/parts_store.h"

namespace juxta::detail {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Half-edge c runs from corners[c] to the next corner of the same face.
struct HalfEdges {
  std::vector<std::uint32_t> face, to;
  std::vector<std::uint32_t> twin;  // the same edge the other way; kNone: there is none
};

HalfEdges half_edges(const HullStore& store) {
  HalfEdges half;
  half.face.resize(store.corners.size());
  half.to.resize(store.corners.size());
  half.twin.assign(store.corners.size(), kNone);
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
    if (half.twin[c] != kNone || degree(to) > degree(from)) {
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
      if (half.twin[c] == kNone) {
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

}  // namespace juxta::detail
