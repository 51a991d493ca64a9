// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

namespace juxta::test {

/// A copy of values whose last byte is the last of a page, before one that must not be touched: reading
/// behind the last element ends the test. `stride` bytes from one value to the next; nothing stands behind
/// the last one.
template <class T>
class LastPage {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  explicit LastPage(std::span<const T> values, std::size_t stride = sizeof(T)) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = values.empty() ? 0 : (values.size() - 1) * stride + sizeof(T);
    const std::size_t pages = (bytes + page - 1) / page;
    size_ = (pages + 1) * page;
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) {
      throw std::bad_alloc();
    }
    char* const end = static_cast<char*>(memory_) + pages * page;
    mprotect(end, page, PROT_NONE);
    data_ = end - bytes;
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::memcpy(data_ + i * stride, static_cast<const void*>(&values[i]), sizeof(T));
    }
  }
  LastPage(const LastPage&) = delete;
  LastPage& operator=(const LastPage&) = delete;
  ~LastPage() { munmap(memory_, size_); }

  [[nodiscard]] const char* bytes() const noexcept { return data_; }
  template <class C>
  [[nodiscard]] const C* as() const noexcept {
    return reinterpret_cast<const C*>(data_);
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  char* data_ = nullptr;
};

}  // namespace juxta::test
