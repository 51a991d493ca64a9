// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Every edge twice, once in each direction. Vertices in one place count as one, since files repeat a vertex
// along seams of texture.
//
//   1  places   of each vertex: the lowest one in the same place, by a hash table
//   2  edges    by their lower place: (higher place, way) of each, counted, then written
//   3  pairs    the few edges of a place, sorted: there, back, there, back
#include "shape/mesh_closed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "core/call_workspace.h"
#include "shape/mesh_places.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

using EdgeCorners = std::array<std::uint32_t, 3>;

/// visit(lower place, higher place * 2 + way) of all edges. Triangles with two corners in one place have no
/// edge of their own, and are passed over.
template <class Visit>
void for_each_edge(std::span<const EdgeCorners> triangles, std::span<const std::uint32_t> place,
                   Visit&& visit) {
  for (const EdgeCorners& t : triangles) {
    const EdgeCorners p{place[t[0]], place[t[1]], place[t[2]]};
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) {
      continue;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t from = p[i], to = p[i == 2 ? 0 : i + 1];
      visit(std::min(from, to), std::max(from, to) << 1 | std::uint32_t{from > to});
    }
  }
}

/// The edges of one lower place.
bool are_pairs(std::span<std::uint32_t> edges) noexcept {
  if (edges.size() % 2 != 0) {
    return false;
  }
  if (edges.size() <= 32) {
    for (std::size_t i = 1; i < edges.size(); ++i) {
      const std::uint32_t edge = edges[i];
      std::size_t at = i;
      for (; at > 0 && edge < edges[at - 1]; --at) {
        edges[at] = edges[at - 1];
      }
      edges[at] = edge;
    }
  } else {
    std::sort(edges.begin(), edges.end());  // integers: no result depends on how
  }
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    // In order: there, back. Of an edge that is used more often the second is no way back.
    if ((edges[i] & 1U) != 0 || edges[i + 1] != edges[i] + 1) {
      return false;
    }
  }
  return true;
}

bool edges_are_paired(const TriangleTree& tree, Workspace& workspace) {
  const std::size_t vertices = tree.vertices.size();
  // A mesh that is closed has fewer than 2^31 vertices in use: more than one triangle each.
  if (tree.triangles.empty() || vertices >= (std::size_t{1} << 31)) {
    return false;
  }
  const std::span<std::uint32_t> places = workspace.take<std::uint32_t>(vertices);
  {
    const Workspace::Scope scope(workspace);
    find_places(tree.vertices.span(), workspace.take<std::uint32_t>(std::bit_ceil(2 * vertices + 1)), places);
  }
  // first[v + 1]: where the next edge of place v is written, and in the end where they end.
  const std::span<std::uint32_t> first = workspace.take<std::uint32_t>(vertices + 2);
  std::fill(first.begin(), first.end(), 0U);
  std::size_t edges = 0;
  for_each_edge(tree.triangles.span(), places, [&](std::uint32_t lower, std::uint32_t) {
    ++first[lower + 2];
    ++edges;
  });
  if (edges == 0 || edges % 2 != 0) {
    return false;
  }
  for (std::size_t v = 2; v < first.size(); ++v) {
    first[v] += first[v - 1];
  }
  const std::span<std::uint32_t> all = workspace.take<std::uint32_t>(edges);
  for_each_edge(tree.triangles.span(), places,
                [&](std::uint32_t lower, std::uint32_t edge) { all[first[lower + 1]++] = edge; });
  for (std::size_t v = 0; v < vertices; ++v) {
    if (!are_pairs(all.subspan(first[v], first[v + 1] - first[v]))) {
      return false;
    }
  }
  return true;
}

}  // namespace

void find_closed(const MeshStore& store, const Context& context) {
  const CallWorkspace workspace(context);
  store.closed.store(
      edges_are_paired(store.triangles.tree(), *workspace) ? MeshStore::kClosed : MeshStore::kOpen,
      std::memory_order_relaxed);
}

}  // namespace juxta::shape_detail
