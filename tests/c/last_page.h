// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#undef far
#undef near
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

namespace juxta::test {

/// So many pages that can be read and written, and one behind them that cannot even be read.
class PagesBeforeAWall {
 public:
#if defined(_WIN32)
  static std::size_t page_bytes() noexcept {
    return 4096;
  }
  explicit PagesBeforeAWall(std::size_t pages)
      : memory_(VirtualAlloc(nullptr, (pages + 1) * page_bytes(), MEM_RESERVE, PAGE_NOACCESS)) {
    if (memory_ == nullptr ||
        (pages > 0 && VirtualAlloc(memory_, pages * page_bytes(), MEM_COMMIT, PAGE_READWRITE) == nullptr)) {
      throw std::bad_alloc();
    }
  }
  ~PagesBeforeAWall() {
    VirtualFree(memory_, 0, MEM_RELEASE);
  }
#else
  static std::size_t page_bytes() noexcept {
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
  explicit PagesBeforeAWall(std::size_t pages) : size_((pages + 1) * page_bytes()) {
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
    mprotect(static_cast<char*>(memory_) + pages * page_bytes(), page_bytes(), PROT_NONE);
  }
  ~PagesBeforeAWall() {
    munmap(memory_, size_);
  }
#endif
  PagesBeforeAWall(const PagesBeforeAWall&) = delete;
  PagesBeforeAWall& operator=(const PagesBeforeAWall&) = delete;

  [[nodiscard]] char* begin() const noexcept {
    return static_cast<char*>(memory_);
  }

 private:
  void* memory_ = nullptr;
#if !defined(_WIN32)
  std::size_t size_ = 0;
#endif
};

/// A copy of values whose last byte is the last of a page, before one that must not be touched: reading
/// behind the last element ends the test. `stride` bytes from one value to the next; nothing stands behind
/// the last one.
template <class T>
class LastPage {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  explicit LastPage(std::span<const T> values, std::size_t stride = sizeof(T))
      : bytes_(values.empty() ? 0 : (values.size() - 1) * stride + sizeof(T)),
        pages_((bytes_ + PagesBeforeAWall::page_bytes() - 1) / PagesBeforeAWall::page_bytes()),
        memory_(pages_),
        data_(memory_.begin() + pages_ * PagesBeforeAWall::page_bytes() - bytes_) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(data_ + i * stride, static_cast<const void*>(&values[i]), sizeof(T));
    }
  }

  [[nodiscard]] const char* bytes() const noexcept { return data_; }
  template <class C>
  [[nodiscard]] const C* as() const noexcept {
    return reinterpret_cast<const C*>(data_);
  }

 private:
  std::size_t bytes_, pages_;
  PagesBeforeAWall memory_;
  char* data_;
};

}  // namespace juxta::test
