// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "shape/parts_store.h"

namespace juxta {
namespace {

constexpr std::uint64_t kMostTriangles = std::uint64_t{1} << 28;

Result<void> check_field(std::uint32_t columns, std::uint32_t rows, float cell,
                         std::span<const float> heights) {
  if (columns < 2 || rows < 2) {
    return fail(ErrorCode::kInvalidArgument, "a height field needs at least 2 columns and 2 rows");
  }
  if (std::uint64_t{columns} * rows != heights.size()) {
    return fail(ErrorCode::kInvalidArgument, "a height field needs columns * rows heights");
  }
  if (2 * (std::uint64_t{columns} - 1) * (rows - 1) > kMostTriangles) {
    return fail(ErrorCode::kTooLarge, "a height field has at most 2^28 triangles; cut it into several");
  }
  const float side = static_cast<float>(columns > rows ? columns - 1 : rows - 1);
  if (!(cell > 0) || !(side * cell * 0 == 0)) {
    return fail(ErrorCode::kInvalidArgument,
                "the cell of a height field must be above 0, and its sides finite");
  }
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (std::isinf(heights[i])) {
      return fail(ErrorCode::kNotFinite, "a height must be finite, or NaN for a hole", i);
    }
  }
  return {};
}

/// Triangle `index` of a grid, as numbers of its vertices; upwards is counter-clockwise.
std::array<std::uint32_t, 3> corners_of(std::uint32_t index, std::uint32_t columns) noexcept {
  const std::uint32_t square = index / 2;
  const std::uint32_t of_row = columns - 1;  // build() has refused fewer than 2 columns
  const std::uint32_t first =
      square / of_row * columns + square % of_row;  // NOLINT(clang-analyzer-core.DivideZero)
  const std::uint32_t across = first + columns + 1;
  return index % 2 == 0 ? std::array{first, across, first + 1} : std::array{first, first + columns, across};
}

}  // namespace

HeightField::HeightField(Owned<shape_detail::HeightFieldStore> store) noexcept : store_(std::move(store)) {}

Result<HeightField> HeightField::build(std::uint32_t columns, std::uint32_t rows, float cell,
                                       std::span<const float> heights) {
  JUXTA_TRY(check_field(columns, rows, cell, heights));
  std::vector<Vec3> vertices(heights.size());
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::size_t v = std::size_t{j} * columns + i;
      vertices[v] = {static_cast<float>(i) * cell, heights[v], static_cast<float>(j) * cell};
    }
  }
  std::vector<std::array<std::uint32_t, 3>> triangles(std::size_t{2} * (columns - 1) * (rows - 1));
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    triangles[t] = corners_of(t, columns);
  }
  shape_detail::HeightFieldStore store{
      columns,
      rows,
      cell,
      std::vector<float>(heights.begin(), heights.end()),
      shape_detail::Triangles::build(vertices, triangles, nullptr, huge_page_resource()),
      {}};
  return HeightField(make_owned<shape_detail::HeightFieldStore>(std::move(store)));
}

Result<std::size_t> HeightField::adjoin(const Qvvs& at, const Shape& other, const Qvvs& other_at,
                                        float within) {
  return store_->seams.adjoin(*this, at, other, other_at, within);
}
void HeightField::forget_adjoined() noexcept {
  store_->seams.forget();
}

std::uint32_t HeightField::columns() const noexcept {
  return store_->columns;
}
std::uint32_t HeightField::rows() const noexcept {
  return store_->rows;
}
float HeightField::cell() const noexcept {
  return store_->cell;
}
std::span<const float> HeightField::heights() const noexcept {
  return store_->heights;
}

Triangle HeightField::triangle(std::uint32_t index) const noexcept {
  const auto vertex = [this](std::uint32_t v) {
    const std::uint32_t i = v % store_->columns, j = v / store_->columns;
    return Vec3{static_cast<float>(i) * store_->cell, store_->heights[v],
                static_cast<float>(j) * store_->cell};
  };
  const std::array<std::uint32_t, 3> v = corners_of(index, store_->columns);
  return {vertex(v[0]), vertex(v[1]), vertex(v[2])};
}

}  // namespace juxta
