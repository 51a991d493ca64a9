// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// docs/formats/vtkhdf.md draws the file.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "files/cell_image.h"
#include "files/hdf_image.h"
#include "files/hdf_types.h"
#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/vtk_cells.h"

namespace juxta {
namespace {

std::size_t cells_of(const CellImage& grid) noexcept {
  return std::size_t{grid.cells[0]} * grid.cells[1] * grid.cells[2];
}

Result<void> check_values(const CellImage& grid, std::size_t index) {
  const PointField& field = grid.fields[index];
  JUXTA_TRY(files_detail::check_name(grid.fields, index));
  const std::size_t length = files_detail::length_of(field);
  if (field.components != 1 || length != cells_of(grid)) {
    return fail(ErrorCode::kInvalidArgument,
                "the field \"" + field.name + "\" has " + std::to_string(length) + " values of " +
                    std::to_string(field.components) + " components for " + std::to_string(cells_of(grid)) +
                    " cells: give one value for each",
                index);
  }
  return {};
}

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 40;

Result<void> check_grid(const CellImage& grid) {
  std::uint64_t cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cells *= std::min<std::uint64_t>(grid.cells[axis], 0x8000'0000);
    if (cells == 0 || grid.cells[axis] > 0x7FFF'FFFF || cells > kMostCells) {
      return fail(ErrorCode::kInvalidArgument,
                  "a grid has 1 to 2^31 - 1 cells along each axis, and at most 2^40 in all", axis);
    }
    if (!std::isfinite(grid.lo[axis]) || !std::isfinite(grid.cell_size[axis]) ||
        !(grid.cell_size[axis] > 0)) {
      return fail(ErrorCode::kInvalidArgument,
                  "the corner of a grid must be finite, and its cells have a size", axis);
    }
  }
  if (!std::isfinite(grid.time)) {
    return fail(ErrorCode::kInvalidArgument, "the time of a snapshot must be a finite number");
  }
  for (std::size_t i = 0; i < grid.fields.size(); ++i) {
    JUXTA_TRY(check_values(grid, i));
  }
  return {};
}

std::size_t bytes_of_grid(const CellImage& grid) {
  std::size_t each = 0;
  for (const PointField& field : grid.fields) {
    each += files_detail::bytes_each(field);
  }
  return cells_of(grid) * each;
}

/// Values of cells as those of points: where there is one cell along an axis, it is there twice.
template <class T>
void add_values(files_detail::HdfImage& image, const std::string& name,
                const std::array<std::uint32_t, 3>& cells, std::span<const T> values) {
  std::array<hsize_t, 3> extent = {cells[2], cells[1], cells[0]};
  std::vector<T> more;
  std::size_t inner = 1;  // values of what is repeated
  for (const std::size_t axis : {0U, 1U, 2U}) {
    if (cells[axis] == 1) {
      std::vector<T> twice;
      twice.reserve(values.size() * 2);
      for (std::size_t first = 0; first < values.size(); first += inner) {
        for (int times = 0; times < 2; ++times) {
          twice.insert(twice.end(), values.begin() + static_cast<std::ptrdiff_t>(first),
                       values.begin() + static_cast<std::ptrdiff_t>(first + inner));
        }
      }
      more.swap(twice);
      values = more;
      extent[2 - axis] = 2;
    }
    inner *= extent[2 - axis];
  }
  image.add_block("VTKHDF/PointData/" + name, files_detail::native_type<T>(), extent, values.data());
}

}  // namespace

Result<void> write_vtkhdf(std::string_view path, const CellImage& grid) {
  JUXTA_TRY(check_grid(grid));
  JUXTA_TRY(files_detail::load_hdf5());
  JUXTA_TRY_LET(auto file, OutputFile::open(path));
  {
    files_detail::HdfImage image(bytes_of_grid(grid));
    image.add_group("VTKHDF");
    image.add_numbers("VTKHDF", "Version", std::array<std::int64_t, 2>{1, 0});
    image.add_text("VTKHDF", "Type", "ImageData");
    const XdmfGrid where = files_detail::image_of(grid);
    std::array<std::int64_t, 6> extent{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      extent[2 * axis + 1] = std::int64_t{where.points[axis]} - 1;
    }
    image.add_numbers("VTKHDF", "WholeExtent", extent);
    image.add_numbers("VTKHDF", "Origin", where.origin);
    image.add_numbers("VTKHDF", "Spacing", where.spacing);
    image.add_numbers("VTKHDF", "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
    image.add_numbers("VTKHDF", "Time",
                      std::array<double, 1>{grid.time});  // VTK 9.1 fails at FieldData of images
    image.add_group("VTKHDF/PointData");
    for (const PointField& field : grid.fields) {
      std::visit([&](const auto& values) { add_values(image, field.name, grid.cells, values); },
                 field.values);
    }
    JUXTA_TRY(image.write_to(file));
  }
  return file.commit();
}

}  // namespace juxta
