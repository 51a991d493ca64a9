// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "juxta/core/export.h"
#include "juxta/core/memory.h"

namespace juxta {
namespace core_detail {
// Behind calls: headers do not know what a std::pmr::memory_resource can do.
// For `size` elements of `each` bytes and the padding; std::bad_alloc, too, where no std::size_t counts them.
[[nodiscard]] JUXTA_API void* take_memory(std::pmr::memory_resource& resource, std::size_t size,
                                          std::size_t each);
/// The bytes of that. Throws std::bad_alloc where no std::size_t counts them.
[[nodiscard]] JUXTA_API std::size_t padded_bytes(std::size_t size, std::size_t each);
JUXTA_API void give_memory_back(std::pmr::memory_resource& resource, void* memory,
                                std::size_t bytes) noexcept;
}  // namespace core_detail

/// Bytes to which every Array is aligned: one cache line, one AVX-512 register.
inline constexpr std::size_t kArrayAlignment = 64;
/// Elements readable and writable past the end of every Array, so that kernels need no tail code.
inline constexpr std::size_t kArrayPadding = 16;

/// A move-only column of plain values: aligned to 64 bytes, padded by 16 elements, never shrinking its
/// capacity. New elements and padding are uninitialised. Growing to a size seen before allocates nothing.
/// Assigning takes over the other array's memory and its resource.
template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Array(std::pmr::memory_resource* resource = huge_page_resource()) noexcept : resource_(resource) {}
  Array(std::size_t size, std::pmr::memory_resource* resource = huge_page_resource()) : Array(resource) {
    resize_discard(size);
  }
  Array(Array&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)),
        resource_(other.resource_) {}
  Array& operator=(Array&& other) noexcept {
    if (this != &other) {
      release();
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
      resource_ = other.resource_;
    }
    return *this;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { release(); }

  /// Sets the size; the contents are unspecified afterwards. The first size is allocated exactly. Later
  /// growth is by an eighth or more, so that an array that is rebuilt a little larger each time seldom
  /// allocates.
  void resize_discard(std::size_t size) {
    if (size > capacity_) {
      const std::size_t grown = capacity_ + capacity_ / 8;
      const std::size_t room = size > grown ? size : grown;
      release();
      data_ = static_cast<T*>(core_detail::take_memory(*resource_, room, sizeof(T)));
      capacity_ = room;
    }
    size_ = size;
  }
  /// Makes room for `capacity` elements, and keeps the size and the elements: growing to that size then
  /// allocates nothing. Growth is by half or more, so that adding one element at a time is O(1), amortised.
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) {
      const std::size_t half_more = capacity_ + capacity_ / 2;
      Array grown(capacity > half_more ? capacity : half_more, resource_);
      if (size_ != 0) {
        std::memcpy(static_cast<void*>(grown.data_), data_, size_ * sizeof(T));
      }
      grown.size_ = size_;
      *this = std::move(grown);
    }
  }
  /// Sets the size and keeps the elements below it; new ones are uninitialised. Grows as reserve() does.
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }
  /// Bytes held, padding included.
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return data_ == nullptr ? 0 : bytes_for(capacity_);
  }

 private:
  static constexpr std::size_t bytes_for(std::size_t size) noexcept {
    return (size + kArrayPadding) * sizeof(T);
  }
  void release() noexcept {
    if (data_ != nullptr) {
      core_detail::give_memory_back(*resource_, data_, bytes_for(capacity_));
      data_ = nullptr;
      size_ = capacity_ = 0;
    }
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::pmr::memory_resource* resource_;
};

}  // namespace juxta
