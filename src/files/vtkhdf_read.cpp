// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Reads what vtkhdf.cpp writes. Every extent is compared with the file's size before memory is taken for it.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/path.h"
#include "files/hdf_image.h"
#include "juxta/core/try.h"
#include "juxta/files/vtk_points.h"

namespace juxta {
namespace {

using files_detail::HdfHandle;
using files_detail::HdfTurn;

constexpr const char* kFields = "VTKHDF/PointData";

/// An array of the file, and what it is.
struct Stored {
  HdfHandle array;
  std::size_t rows = 0, components = 0;  ///< No rows and no components: it is not as write_vtkhdf() makes it.

  Stored(hid_t file, const std::string& path)
      : array(files_detail::hdf5().H5Dopen2(file, path.c_str(), H5P_DEFAULT), files_detail::hdf5().H5Dclose) {
    if (!array.valid() || !is_in(file)) {
      return;
    }
    const HdfHandle space(files_detail::hdf5().H5Dget_space(array.get()), files_detail::hdf5().H5Sclose);
    std::array<hsize_t, 2> extent = {0, 1};
    const int rank = space.valid() ? files_detail::hdf5().H5Sget_simple_extent_ndims(space.get()) : -1;
    if ((rank == 1 || rank == 2) &&
        files_detail::hdf5().H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr) == rank) {
      rows = extent[0];
      components = extent[1];
    }
  }

  /// In this file, in one piece: links of HDF5 may lead to other files, and pieces be of any size.
  [[nodiscard]] bool is_in(hid_t file) const {
    H5O_info_t own{}, root{};
    const HdfHandle how(files_detail::hdf5().H5Dget_create_plist(array.get()), files_detail::hdf5().H5Pclose);
    const H5D_layout_t layout = files_detail::hdf5().H5Pget_layout(how.get());
    return files_detail::hdf5().H5Oget_info2(array.get(), &own, H5O_INFO_BASIC) >= 0 &&
           files_detail::hdf5().H5Oget_info2(file, &root, H5O_INFO_BASIC) >= 0 && own.fileno == root.fileno &&
           (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
           files_detail::hdf5().H5Pget_external_count(how.get()) == 0;
  }
};

class Reader {
 public:
  /// `size`: bytes of the file.
  Reader(hid_t file, std::size_t size) : file_(file), left_(size) {}

  /// False: no points as write_vtkhdf() writes them.
  bool read(StoredPoints& points) {
    const Stored places(file_, "VTKHDF/Points");
    std::vector<float> xyz;
    if (places.components != 3 || !values(places, files_detail::hdf5().native_float, xyz)) {
      return false;
    }
    count_ = places.rows;
    for (auto* axis : {&points.x, &points.y, &points.z}) {
      axis->resize(count_);
    }
    for (std::size_t i = 0; i < count_; ++i) {
      points.x[i] = xyz[3 * i];
      points.y[i] = xyz[3 * i + 1];
      points.z[i] = xyz[3 * i + 2];
    }
    std::vector<double> time;
    const bool timed =
        values(Stored(file_, "VTKHDF/FieldData/TimeValue"), files_detail::hdf5().native_double, time);
    points.time = timed && !time.empty() && std::isfinite(time[0]) ? time[0] : 0;
    return read_fields(points);
  }

 private:
  bool read_fields(StoredPoints& points) {
    std::vector<std::string> names;
    const auto note = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
      static_cast<std::vector<std::string>*>(to)->emplace_back(name);
      return 0;
    };
    const HdfHandle group(files_detail::hdf5().H5Gopen2(file_, kFields, H5P_DEFAULT),
                          files_detail::hdf5().H5Gclose);
    if (!group.valid()) {
      return true;  // points without fields
    }
    if (files_detail::hdf5().H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names) < 0) {
      return false;
    }
    for (const std::string& name : names) {
      if (!read_field(name, points)) {
        return false;
      }
    }
    return true;
  }

  bool read_field(const std::string& name, StoredPoints& points) {
    const Stored stored(file_, std::string(kFields) + "/" + name);
    if (stored.rows != count_ || (stored.components != 1 && stored.components != 3)) {
      return true;  // of another form: left out
    }
    const HdfHandle type(files_detail::hdf5().H5Dget_type(stored.array.get()), files_detail::hdf5().H5Tclose);
    StoredPoints::Field field{name, {}, static_cast<std::uint32_t>(stored.components)};
    const bool real = files_detail::hdf5().H5Tget_class(type.get()) == H5T_FLOAT,
               whole = files_detail::hdf5().H5Tget_class(type.get()) == H5T_INTEGER;
    const bool sign = whole && files_detail::hdf5().H5Tget_sign(type.get()) == H5T_SGN_2;
    const std::size_t size = files_detail::hdf5().H5Tget_size(type.get());
    bool good = true;
    if (real && size == 4) {
      good = values(stored, files_detail::hdf5().native_float, field.values.emplace<std::vector<float>>());
    } else if (real && size == 8) {
      good = values(stored, files_detail::hdf5().native_double, field.values.emplace<std::vector<double>>());
    } else if (sign && size == 4) {
      good = values(stored, files_detail::hdf5().native_int32,
                    field.values.emplace<std::vector<std::int32_t>>());
    } else if (whole && !sign && size == 4) {
      good = values(stored, files_detail::hdf5().native_uint32,
                    field.values.emplace<std::vector<std::uint32_t>>());
    } else if (sign && size == 8) {
      good = values(stored, files_detail::hdf5().native_int64,
                    field.values.emplace<std::vector<std::int64_t>>());
    } else if (whole && !sign && size == 1) {
      good = values(stored, files_detail::hdf5().native_uint8,
                    field.values.emplace<std::vector<std::uint8_t>>());
    } else {
      return true;  // of another type: left out
    }
    points.fields.push_back(std::move(field));
    return good;
  }

  /// False: it is not there, more than the file can hold, or not to be read.
  template <class T>
  [[nodiscard]] bool values(const Stored& stored, hid_t type, std::vector<T>& out) {
    if (stored.components == 0 || stored.components > 3 ||
        stored.rows > left_ / (sizeof(T) * stored.components)) {
      return false;
    }
    left_ -= stored.rows * stored.components * sizeof(T);
    out.resize(stored.rows * stored.components);
    return out.empty() || files_detail::hdf5().H5Dread(stored.array.get(), type, H5S_ALL, H5S_ALL,
                                                       H5P_DEFAULT, out.data()) >= 0;
  }

  hid_t file_;
  std::size_t left_;  // bytes that arrays may still have: together no more than the file
  std::size_t count_ = 0;
};

}  // namespace

Result<StoredPoints> read_vtkhdf(std::string_view path) {
  const std::string name = path_of(path).string();
  std::error_code error;
  const auto size = std::filesystem::file_size(path_of(path), error);
  if (error || !std::ifstream(path_of(path))) {
    return fail(ErrorCode::kIo, "cannot read " + name + (error ? ": " + error.message() : ""));
  }
  JUXTA_TRY(files_detail::load_hdf5());
  const HdfTurn turn;
  const HdfHandle access(files_detail::hdf5().H5Pcreate(files_detail::hdf5().file_access),
                         files_detail::hdf5().H5Pclose);
  files_detail::hdf5().H5Pset_fclose_degree(access.get(),
                                            H5F_CLOSE_STRONG);  // whatever a damaged file left open
  const HdfHandle file(files_detail::hdf5().H5Fopen(name.c_str(), files_detail::kHdf5ReadOnly, access.get()),
                       files_detail::hdf5().H5Fclose);
  StoredPoints points;
  if (!file.valid() || !Reader(file.get(), static_cast<std::size_t>(size)).read(points)) {
    return fail(ErrorCode::kCorruptFile,
                name + " is no file of points as write_vtkhdf() makes it, or damaged");
  }
  return points;
}

}  // namespace juxta
