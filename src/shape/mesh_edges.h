// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which triangle lies on the other side of each edge, for contacts.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/math/vec.h"

namespace juxta::shape_detail {

inline constexpr std::uint32_t kNoNeighbour = ~std::uint32_t{0};

/// Of edge i, from corner i to the next one. Ends are the same by their places, so that meshes whose vertices
/// are repeated have neighbours too. Edges of one triangle, or of more than two: none.
using EdgeNeighbours = std::array<std::uint32_t, 3>;

[[nodiscard]] std::vector<EdgeNeighbours> edge_neighbours(
    std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

struct TriangleTree;

/// The neighbours of a mesh's triangles, looked for when they are first asked for, from any thread: many
/// meshes never meet a solver.
class MeshEdges {
 public:
  MeshEdges() = default;
  MeshEdges(const MeshEdges&) = delete;
  MeshEdges& operator=(const MeshEdges&) = delete;
  ~MeshEdges() { forget(); }

  [[nodiscard]] const std::vector<EdgeNeighbours>& of(const TriangleTree& tree) const;
  /// While nobody asks.
  void forget() noexcept { delete found_.exchange(nullptr, std::memory_order_acq_rel); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  mutable std::atomic<const std::vector<EdgeNeighbours>*> found_{nullptr};
};

}  // namespace juxta::shape_detail
