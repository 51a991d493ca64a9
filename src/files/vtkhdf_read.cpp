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

  Stored(hid_t file, const std::string& path) : array(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose) {
    if (!array.valid() || !is_in(file)) {
      return;
    }
    const HdfHandle space(H5Dget_space(array.get()), H5Sclose);
    std::array<hsize_t, 2> extent = {0, 1};
    const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : -1;
    if ((rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr) == rank) {
      rows = extent[0];
      components = extent[1];
    }
  }

  /// In this file, in one piece: links of HDF5 may lead to other files, and pieces be of any size.
  [[nodiscard]] bool is_in(hid_t file) const {
    H5O_info_t own{}, root{};
    const HdfHandle how(H5Dget_create_plist(array.get()), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(how.get());
    return H5Oget_info2(array.get(), &own, H5O_INFO_BASIC) >= 0 &&
           H5Oget_info2(file, &root, H5O_INFO_BASIC) >= 0 && own.fileno == root.fileno &&
           (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) && H5Pget_external_count(how.get()) == 0;
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
    if (places.components != 3 || !values(places, H5T_NATIVE_FLOAT, xyz)) {
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
    const bool timed = values(Stored(file_, "VTKHDF/FieldData/TimeValue"), H5T_NATIVE_DOUBLE, time);
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
    const HdfHandle group(H5Gopen2(file_, kFields, H5P_DEFAULT), H5Gclose);
    if (!group.valid()) {
      return true;  // points without fields
    }
    if (H5Literate(group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, note, &names) < 0) {
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
    const HdfHandle type(H5Dget_type(stored.array.get()), H5Tclose);
    StoredPoints::Field field{name, {}, static_cast<std::uint32_t>(stored.components)};
    const bool real = H5Tget_class(type.get()) == H5T_FLOAT, whole = H5Tget_class(type.get()) == H5T_INTEGER;
    const bool sign = whole && H5Tget_sign(type.get()) == H5T_SGN_2;
    const std::size_t size = H5Tget_size(type.get());
    bool good = true;
    if (real && size == 4) {
      good = values(stored, H5T_NATIVE_FLOAT, field.values.emplace<std::vector<float>>());
    } else if (real && size == 8) {
      good = values(stored, H5T_NATIVE_DOUBLE, field.values.emplace<std::vector<double>>());
    } else if (sign && size == 4) {
      good = values(stored, H5T_NATIVE_INT32, field.values.emplace<std::vector<std::int32_t>>());
    } else if (whole && !sign && size == 4) {
      good = values(stored, H5T_NATIVE_UINT32, field.values.emplace<std::vector<std::uint32_t>>());
    } else if (sign && size == 8) {
      good = values(stored, H5T_NATIVE_INT64, field.values.emplace<std::vector<std::int64_t>>());
    } else if (whole && !sign && size == 1) {
      good = values(stored, H5T_NATIVE_UINT8, field.values.emplace<std::vector<std::uint8_t>>());
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
    return out.empty() || H5Dread(stored.array.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) >= 0;
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
  const HdfTurn turn;
  const HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);  // whatever a damaged file left open
  const HdfHandle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  StoredPoints points;
  if (!file.valid() || !Reader(file.get(), static_cast<std::size_t>(size)).read(points)) {
    return fail(ErrorCode::kCorruptFile,
                name + " is no file of points as write_vtkhdf() makes it, or damaged");
  }
  return points;
}

}  // namespace juxta
