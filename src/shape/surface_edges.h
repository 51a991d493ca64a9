// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what lies beside a triangle of a mesh or height field, in the surface itself and beyond its
// border.
#pragma once

#include <array>
#include <cmath>
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
  /// `at`: where on the edge, from 0 to 1.
  [[nodiscard]] const V3* beyond(std::uint32_t triangle, std::uint32_t edge, double at) const noexcept {
    return seams_ != nullptr ? seams_->beyond(triangle, edge, at) : nullptr;
  }

 private:
  // Corners of the even ones: (i, j), (i + 1, j + 1), (i + 1, j); of the odd ones: (i, j), (i, j + 1),
  // (i + 1, j + 1).
  [[nodiscard]] EdgeNeighbours of_field(std::uint32_t triangle) const noexcept {
    const std::uint32_t of_row = field_->columns - 1, square = triangle / 2;
    const std::uint32_t i = square % of_row, j = square / of_row;
    EdgeNeighbours beside;
    if (triangle % 2 == 0) {
      beside = {triangle + 1, i + 1 < of_row ? 2 * (square + 1) + 1 : kNoNeighbour,
                j > 0 ? 2 * (square - of_row) + 1 : kNoNeighbour};
    } else {
      beside = {i > 0 ? 2 * (square - 1) : kNoNeighbour,
                j + 2 < field_->rows ? 2 * (square + of_row) : kNoNeighbour, triangle - 1};
    }
    for (std::uint32_t& one : beside) {
      one = one != kNoNeighbour && is_hole(one) ? kNoNeighbour : one;
    }
    return beside;
  }
  [[nodiscard]] bool is_hole(std::uint32_t triangle) const noexcept {
    const std::array<Vec3, 3> c = field_->triangles.corners(triangle);
    return std::isnan(c[0].y + c[1].y + c[2].y);
  }

  const std::vector<EdgeNeighbours>* mesh_ = nullptr;
  const HeightFieldStore* field_ = nullptr;
  const Seams* seams_ = nullptr;
};

}  // namespace juxta::shape_detail
