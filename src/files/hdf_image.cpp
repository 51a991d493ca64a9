// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "files/hdf_image.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace juxta::files_detail {
namespace {

constexpr std::size_t kBlockRows = std::size_t{1} << 16;

std::mutex& hdf_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Files in memory that nothing but write_to() takes out of it. Grows in eighths, so that little is unused.
hid_t memory_access(std::size_t about) {
  const hid_t access = hdf5().H5Pcreate(hdf5().file_access);
  if (access >= 0 && hdf5().H5Pset_fapl_core(access, std::max<std::size_t>(about / 8, 65536), false) < 0) {
    hdf5().H5Pclose(access);
    return H5I_INVALID_HID;  // never the other drivers, which write where they like
  }
  return access;
}

hid_t group_at(hid_t file, const std::string& path) {
  return hdf5().H5Gopen2(file, path.c_str(), H5P_DEFAULT);
}

}  // namespace

HdfTurn::HdfTurn() : alone_(hdf_mutex()) {
  hdf5().H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  hdf5().H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

HdfTurn::~HdfTurn() {
  hdf5().H5Eclear2(H5E_DEFAULT);
  hdf5().H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

HdfImage::HdfImage(std::size_t about)
    : access_(memory_access(about), hdf5().H5Pclose),
      file_(hdf5().H5Fcreate("juxta", kHdf5Truncate, H5P_DEFAULT, access_.get()), hdf5().H5Fclose) {
  require(file_.valid());
}

void HdfImage::add_group(const std::string& path) {
  if (good_) {
    // No times of making: the same points, the same bytes.
    const HdfHandle how(hdf5().H5Pcreate(hdf5().group_create), hdf5().H5Pclose);
    require(hdf5().H5Pset_obj_track_times(how.get(), false) >= 0);
    const HdfHandle group(hdf5().H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, how.get(), H5P_DEFAULT),
                          hdf5().H5Gclose);
    require(group.valid());
  }
}

void HdfImage::add_text(const std::string& group, const char* name, const std::string& text) {
  if (good_) {
    const HdfHandle at(group_at(file_.get(), group), hdf5().H5Gclose);
    const HdfHandle type(hdf5().H5Tcopy(hdf5().c_text), hdf5().H5Tclose);
    require(hdf5().H5Tset_size(type.get(), text.size()) >= 0 &&
            hdf5().H5Tset_strpad(type.get(), H5T_STR_NULLPAD) >= 0);
    const HdfHandle one(hdf5().H5Screate(H5S_SCALAR), hdf5().H5Sclose);
    const HdfHandle attribute(
        hdf5().H5Acreate2(at.get(), name, type.get(), one.get(), H5P_DEFAULT, H5P_DEFAULT), hdf5().H5Aclose);
    require(hdf5().H5Awrite(attribute.get(), type.get(), text.data()) >= 0);
  }
}

void HdfImage::add_attribute(const std::string& group, const char* name, hid_t stored, hid_t native,
                             std::size_t count, const void* numbers) {
  if (good_) {
    const HdfHandle at(group_at(file_.get(), group), hdf5().H5Gclose);
    const std::array<hsize_t, 1> extent = {count};
    const HdfHandle space(hdf5().H5Screate_simple(1, extent.data(), nullptr), hdf5().H5Sclose);
    const HdfHandle attribute(
        hdf5().H5Acreate2(at.get(), name, stored, space.get(), H5P_DEFAULT, H5P_DEFAULT), hdf5().H5Aclose);
    require(hdf5().H5Awrite(attribute.get(), native, numbers) >= 0);
  }
}

void HdfImage::add_numbers(const std::string& group, const char* name,
                           std::span<const std::int64_t> numbers) {
  add_attribute(group, name, hdf5().int64_le, hdf5().native_int64, numbers.size(), numbers.data());
}
void HdfImage::add_numbers(const std::string& group, const char* name, std::span<const double> numbers) {
  add_attribute(group, name, hdf5().double_le, hdf5().native_double, numbers.size(), numbers.data());
}

hid_t HdfImage::new_array(const std::string& path, hid_t type, std::span<const hsize_t> extent) {
  const HdfHandle space(hdf5().H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr),
                        hdf5().H5Sclose);
  const HdfHandle stored(hdf5().H5Tcopy(type), hdf5().H5Tclose);
  const HdfHandle how(hdf5().H5Pcreate(hdf5().dataset_create), hdf5().H5Pclose);
  require(hdf5().H5Tset_order(stored.get(), H5T_ORDER_LE) >= 0);  // on every machine
  // Every value is written, so that none need be filled in before.
  require(hdf5().H5Pset_obj_track_times(how.get(), false) >= 0 &&
          hdf5().H5Pset_fill_time(how.get(), H5D_FILL_TIME_NEVER) >= 0);
  return hdf5().H5Dcreate2(file_.get(), path.c_str(), stored.get(), space.get(), H5P_DEFAULT, how.get(),
                           H5P_DEFAULT);
}

void HdfImage::add_array(const std::string& path, hid_t type, std::size_t rows, std::size_t components,
                         const void* values) {
  if (good_) {
    const std::array<hsize_t, 2> extent = {rows, components};
    const HdfHandle array(new_array(path, type, std::span(extent).first(components == 1 ? 1 : 2)),
                          hdf5().H5Dclose);
    require(array.valid());
    require(rows == 0 || hdf5().H5Dwrite(array.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }
}

void HdfImage::add_block(const std::string& path, hid_t type, const std::array<hsize_t, 3>& extent,
                         const void* values) {
  if (good_) {
    const HdfHandle array(new_array(path, type, extent), hdf5().H5Dclose);
    require(array.valid() && hdf5().H5Dwrite(array.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  }
}

void HdfImage::add_array(const std::string& path, hid_t type, std::size_t rows, std::size_t components,
                         const Fill& fill) {
  if (!good_) {
    return;
  }
  const std::array<hsize_t, 2> whole = {rows, components};
  const HdfHandle array(new_array(path, type, std::span(whole).first(components == 1 ? 1 : 2)),
                        hdf5().H5Dclose);
  require(array.valid());
  std::vector<std::byte> block(std::min(rows, kBlockRows) * components * hdf5().H5Tget_size(type));
  for (std::size_t first = 0; first < rows && good_; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows - first);
    fill(first, count, block.data());
    const std::array<hsize_t, 2> start = {first, 0}, extent = {count, components};
    const int rank = components == 1 ? 1 : 2;
    const HdfHandle memory(hdf5().H5Screate_simple(rank, extent.data(), nullptr), hdf5().H5Sclose);
    const HdfHandle part(hdf5().H5Dget_space(array.get()), hdf5().H5Sclose);
    require(hdf5().H5Sselect_hyperslab(part.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(),
                                       nullptr) >= 0);
    require(hdf5().H5Dwrite(array.get(), type, memory.get(), part.get(), H5P_DEFAULT, block.data()) >= 0);
  }
}

Result<void> HdfImage::write_to(OutputFile& out) {
  require(good_ && hdf5().H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0);
  // Of the core driver the handle is where its memory is: written from there, there is no second copy.
  void** memory = nullptr;
  const ssize_t size = good_ ? hdf5().H5Fget_file_image(file_.get(), nullptr, 0) : -1;
  require(size > 0 &&
          hdf5().H5Fget_vfd_handle(file_.get(), access_.get(), reinterpret_cast<void**>(&memory)) >= 0 &&
          memory != nullptr && *memory != nullptr);
  if (!good_) {
    return fail(ErrorCode::kIo, "HDF5 could not make the file in memory: is there enough of it?");
  }
  return out.write({static_cast<const char*>(*memory), static_cast<std::size_t>(size)});
}

}  // namespace juxta::files_detail
