// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "juxta/core/error.h"

namespace juxta {

/// A value of every point.
struct PointField {
  std::string name;
  std::variant<std::span<const float>, std::span<const double>, std::span<const std::int32_t>,
               std::span<const std::uint32_t>, std::span<const std::int64_t>, std::span<const std::uint8_t>>
      values;
  std::uint32_t components = 1;  ///< 1, or 3: x y z x y z ...
};

/// Points in space with fields. Borrows.
struct PointCloud {
  std::span<const float> x, y, z;  ///< Of one length; an empty z: all 0.
  std::vector<PointField> fields;
  double time = 0;
};

/// Writes one VTKHDF file (version 1.0, an UnstructuredGrid of vertices; docs/formats/vtkhdf.md), which
/// ParaView opens and any HDF5 library reads. Whole or not at all. No points are allowed. The same points,
/// the same bytes, with one version of HDF5.
///
/// Memory:  29 bytes a point, and its fields.
/// Threads: any; they take turns. HDF5 itself must not be called by another thread at the same moment.
/// Errors:  kIo; kInvalidArgument (lengths that differ; components other than 1 and 3; a time that is not
///          finite; of fields, with Error::index: two of one name, a name that is empty, "." or has '/', ':',
///          '|' or control characters).
[[nodiscard]] Result<void> write_vtkhdf(std::string_view path, const PointCloud& points);

/// Points with fields that own their values.
struct StoredPoints {
  struct Field {
    std::string name;
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
                 std::vector<std::uint32_t>, std::vector<std::int64_t>, std::vector<std::uint8_t>>
        values;
    std::uint32_t components = 1;
  };
  std::vector<float> x, y, z;
  std::vector<Field> fields;  ///< By name.
  double time = 0;
};

/// Reads a file that write_vtkhdf() wrote, or another one of points in this form, each array in one piece.
/// Fields of other types or components are left out. Memory: what it returns. Threads: as write_vtkhdf().
/// Errors: kIo; kCorruptFile (no such file, or a damaged one; HDF5 keeps no sums, so changed values are read
/// as they are, and after some damage HDF5 1.10 prints a line when the program ends).
[[nodiscard]] Result<StoredPoints> read_vtkhdf(std::string_view path);

/// Where the values of a grid are (juxta/files/vtk_cells.h).
struct XdmfGrid {
  std::array<std::uint32_t, 3> points{};
  std::array<double, 3> origin{}, spacing{};
  friend bool operator==(const XdmfGrid&, const XdmfGrid&) = default;
};

/// One time of a series, as the index has to know it.
struct XdmfStep {
  double time = 0;
  std::string file;        ///< The VTKHDF file's name, beside the index.
  std::size_t points = 0;  ///< Or cells.
  struct Field {
    std::string name, number;  ///< XDMF's words for its type: "Float 4", "Int 8", ...
    std::uint32_t components = 1;
    friend bool operator==(const Field&, const Field&) = default;
  };
  std::vector<Field> fields;
  std::optional<XdmfGrid> grid = {};  ///< Points have none.
};
[[nodiscard]] XdmfStep xdmf_step(const PointCloud& points, std::string file);

/// Reads an index that write_xdmf() wrote, and no other, to go on with. Errors: kIo, kParse (with the line).
[[nodiscard]] Result<std::vector<XdmfStep>> read_xdmf(std::string_view path);

/// Writes an index (XDMF 3) of a series of such files: any reader of XDMF opens all times at once. Errors:
/// kIo.
[[nodiscard]] Result<void> write_xdmf(std::string_view path, std::span<const XdmfStep> steps);

}  // namespace juxta
