// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How what holds a file is made and moved: the same on every system. The rest of os.h is in os_*_posix.cpp,
// os_*_windows.cpp and os_wasi.cpp.
#include <utility>

#include "core/os.h"

namespace juxta::core_detail {

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)),
      file_(std::exchange(other.file_, -1)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  std::swap(file_, other.file_);
  return *this;
}

AtomicFile::AtomicFile(OsFile file, std::filesystem::path target, std::filesystem::path temporary) noexcept
    : file_(file), target_(std::move(target)), temporary_(std::move(temporary)) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile::~AtomicFile() {
  discard();
}

AppendFile::AppendFile(OsFile file, std::size_t size, std::filesystem::path path) noexcept
    : file_(file), size_(size), path_(std::move(path)) {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      size_(other.size_),
      ends_elsewhere_(other.ends_elsewhere_),
      path_(std::move(other.path_)) {}

}  // namespace juxta::core_detail
