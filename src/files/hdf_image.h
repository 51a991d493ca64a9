// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: HDF5 in turns, and a file of it that is made in memory.
//
// The bytes then go out through OutputFile, so that a full disk is told as everywhere, and a file is there
// whole or not at all. HDF5 as Debian has it is not safe for threads, and prints its errors: both are taken
// care of here, for calls that are made while an HdfTurn lives.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <span>
#include <string>

#include "files/hdf_library.h"
#include "juxta/core/error.h"
#include "juxta/files/output_file.h"

namespace juxta::files_detail {

/// Something that HDF5 gave and wants back.
class HdfHandle {
 public:
  HdfHandle(hid_t id, herr_t (*close)(hid_t)) noexcept : id_(id), close_(close) {}
  HdfHandle(const HdfHandle&) = delete;
  HdfHandle& operator=(const HdfHandle&) = delete;
  ~HdfHandle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }
  [[nodiscard]] hid_t get() const noexcept { return id_; }
  [[nodiscard]] bool valid() const noexcept { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// After load_hdf5(): HDF5 for one caller at a time in the program. The constructor waits for the others.
/// Takes error printing away from HDF5 for as long as it lives, and gives it back.
class HdfTurn {
 public:
  HdfTurn();
  HdfTurn(const HdfTurn&) = delete;
  HdfTurn& operator=(const HdfTurn&) = delete;
  ~HdfTurn();

 private:
  std::unique_lock<std::mutex> alone_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// After load_hdf5(). Whoever has one has the turn. Every call after one that failed does nothing, and
/// write_to() tells it.
class HdfImage {
 public:
  /// `about`: the bytes expected, so that memory is taken in few pieces.
  explicit HdfImage(std::size_t about);

  /// Groups are named by their path: "VTKHDF/PointData". The one above must exist.
  void add_group(const std::string& path);
  /// A string attribute of a group.
  void add_text(const std::string& group, const char* name, const std::string& text);
  /// Numbers as an attribute of a group.
  void add_numbers(const std::string& group, const char* name, std::span<const std::int64_t> numbers);
  void add_numbers(const std::string& group, const char* name, std::span<const double> numbers);

  /// `rows` of `components` values each (1: an array of one dimension), from memory, of a native type.
  void add_array(const std::string& path, hid_t type, std::size_t rows, std::size_t components,
                 const void* values);
  /// Values along z, y and x, from memory, of a native type.
  void add_block(const std::string& path, hid_t type, const std::array<hsize_t, 3>& extent,
                 const void* values);
  /// The same as add_array(), made block by block: fill(first row, rows, where to write).
  using Fill = std::function<void(std::size_t first, std::size_t rows, void* out)>;
  void add_array(const std::string& path, hid_t type, std::size_t rows, std::size_t components,
                 const Fill& fill);

  /// The whole file. Errors: kIo.
  [[nodiscard]] Result<void> write_to(OutputFile& out);

 private:
  void add_attribute(const std::string& group, const char* name, hid_t stored, hid_t native,
                     std::size_t count, const void* numbers);
  [[nodiscard]] hid_t new_array(const std::string& path, hid_t type, std::span<const hsize_t> extent);
  void require(bool good) noexcept { good_ = good_ && good; }

  HdfTurn turn_;  // the first member: taken before HDF5 is called at all
  HdfHandle access_, file_;
  bool good_ = true;
};

}  // namespace juxta::files_detail
