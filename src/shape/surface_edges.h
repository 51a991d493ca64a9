// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what lies beside a triangle of a mesh or height field, in the surface itself and beyond its
// border.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "juxta/shape/shape.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {

class SurfaceEdges {
 public:
  explicit SurfaceEdges(const Shape& shape) noexcept {
    if (const auto* mesh = shape.get_if<TriangleMesh>()) {
      const MeshStore& store = Access::store(*mesh);
      mesh_ = &store.edges.of(store.triangles.tree());
      seams_ = &store.seams;
    } else if (const auto* field = shape.get_if<HeightField>()) {
      field_ = &Access::store(*field);
      seams_ = &field_->seams;
    }
  }

  [[nodiscard]] EdgeNeighbours neighbours(std::uint32_t triangle) const noexcept {
    if (mesh_ != nullptr) {
      return (*mesh_)[triangle];
    }
    return field_ != nullptr ? of_field(triangle) : EdgeNeighbours{kNoNeighbour, kNoNeighbour, kNoNeighbour};
  }
  /// The third corner of the triangle on the other side of a border edge, in own coordinates; null: none is
  /// known.
  [[nodiscard]] const V3* beyond(std::uint32_t triangle, std::uint32_t edge) const noexcept {
    return seams_ != nullptr ? seams_->beyond(triangle, edge) : nullptr;
  }

 private:
  // Corners of the even ones: (i, j), (i + 1, j + 1), (i + 1, j); of the odd ones: (i, j), (i, j + 1),
  // (i + 1, j + 1).
  [[nodiscard]] EdgeNeighbours of_field(std::uint32_t triangle) const noexcept {
    const std::uint32_t of_row = field_->columns - 1, square = triangle / 2;
    const std::uint32_t i = square % of_row, j = square / of_row;
    if (triangle % 2 == 0) {
      return {triangle + 1, i + 1 < of_row ? 2 * (square + 1) + 1 : kNoNeighbour,
              j > 0 ? 2 * (square - of_row) + 1 : kNoNeighbour};
    }
    return {i > 0 ? 2 * (square - 1) : kNoNeighbour,
            j + 2 < field_->rows ? 2 * (square + of_row) : kNoNeighbour, triangle - 1};
  }

  const std::vector<EdgeNeighbours>* mesh_ = nullptr;
  const HeightFieldStore* field_ = nullptr;
  const Seams* seams_ = nullptr;
};

}  // namespace juxta::shape_detail
