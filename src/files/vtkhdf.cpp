// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// docs/formats/vtkhdf.md draws the file.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "files/hdf_image.h"
#include "files/hdf_types.h"
#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/vtk_points.h"

namespace juxta {
namespace {

using files_detail::HdfImage;
using files_detail::length_of;
using files_detail::native_type;

constexpr std::uint8_t kVertex = 1;  // VTK's number of a cell that is one point

Result<void> check_field(const PointCloud& points, std::size_t index) {
  const PointField& field = points.fields[index];
  JUXTA_TRY(files_detail::check_name(points.fields, index));
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::kInvalidArgument, "the field \"" + field.name + "\" " + why, index);
  };
  if (field.components != 1 && field.components != 3) {
    return refuse("has " + std::to_string(field.components) + " components: give it 1 or 3");
  }
  if (length_of(field) != points.x.size() * field.components) {
    return refuse("has " + std::to_string(length_of(field)) + " values for " +
                  std::to_string(points.x.size()) + " points of " + std::to_string(field.components) +
                  " components: give one for each");
  }
  return {};
}

Result<void> check(const PointCloud& points) {
  const std::size_t count = points.x.size();
  if (points.y.size() != count || (!points.z.empty() && points.z.size() != count)) {
    return fail(ErrorCode::kInvalidArgument, "x has " + std::to_string(count) + " values, y " +
                                                 std::to_string(points.y.size()) + ", z " +
                                                 std::to_string(points.z.size()) + ": give as many of each");
  }
  if (!std::isfinite(points.time)) {
    return fail(ErrorCode::kInvalidArgument, "the time of a snapshot must be a finite number");
  }
  for (std::size_t i = 0; i < points.fields.size(); ++i) {
    JUXTA_TRY(check_field(points, i));
  }
  return {};
}

std::size_t bytes_of(const PointCloud& points) {
  std::size_t each = sizeof(float) * 3 + sizeof(std::int64_t) * 2 + 1;
  for (const PointField& field : points.fields) {
    each += field.components * files_detail::bytes_each(field);
  }
  return points.x.size() * each;
}

void add_points(HdfImage& image, const PointCloud& points) {
  image.add_array("VTKHDF/Points", files_detail::hdf5().native_float, points.x.size(), 3,
                  [&](std::size_t first, std::size_t rows, void* out) {
                    auto* to = static_cast<float*>(out);
                    for (std::size_t i = first; i < first + rows; ++i) {
                      *to++ = points.x[i];
                      *to++ = points.y[i];
                      *to++ = points.z.empty() ? 0 : points.z[i];
                    }
                  });
}

/// Cell i is the vertex of point i.
void add_cells(HdfImage& image, std::size_t count) {
  const auto numbers = [](std::size_t first, std::size_t rows, void* out) {
    auto* to = static_cast<std::int64_t*>(out);
    std::iota(to, to + rows, static_cast<std::int64_t>(first));
  };
  image.add_array("VTKHDF/Connectivity", files_detail::hdf5().native_int64, count, 1, numbers);
  image.add_array("VTKHDF/Offsets", files_detail::hdf5().native_int64, count + 1, 1, numbers);
  image.add_array("VTKHDF/Types", files_detail::hdf5().native_uint8, count, 1,
                  [](std::size_t, std::size_t rows, void* out) { std::memset(out, kVertex, rows); });
}

void add_field(HdfImage& image, const PointField& field) {
  std::visit(
      [&](const auto& values) {
        using T = std::remove_cv_t<typename std::decay_t<decltype(values)>::element_type>;
        image.add_array("VTKHDF/PointData/" + field.name, native_type<T>(), values.size() / field.components,
                        field.components, values.data());
      },
      field.values);
}

}  // namespace

Result<void> write_vtkhdf(std::string_view path, const PointCloud& points) {
  JUXTA_TRY(check(points));
  JUXTA_TRY(files_detail::load_hdf5());
  JUXTA_TRY_LET(auto file, OutputFile::open(path));
  {
    HdfImage image(bytes_of(points));
    image.add_group("VTKHDF");
    image.add_numbers("VTKHDF", "Version", std::array<std::int64_t, 2>{1, 0});
    image.add_text("VTKHDF", "Type", "UnstructuredGrid");
    const auto count = static_cast<std::int64_t>(points.x.size());
    for (const char* name : {"NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"}) {  // one part
      image.add_array(std::string("VTKHDF/") + name, files_detail::hdf5().native_int64, 1, 1, &count);
    }
    add_points(image, points);
    add_cells(image, points.x.size());
    image.add_group("VTKHDF/PointData");
    for (const PointField& field : points.fields) {
      add_field(image, field);
    }
    image.add_group("VTKHDF/FieldData");
    image.add_array("VTKHDF/FieldData/TimeValue", files_detail::hdf5().native_double, 1, 1, &points.time);
    JUXTA_TRY(image.write_to(file));
  }
  return file.commit();
}

}  // namespace juxta
