// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a column that grows by pages, so that growing never copies and never makes one frame slow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <type_traits>
#include <utility>
#include <vector>

namespace juxta::transform_detail {

template <class T>
class Paged {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr std::uint32_t kPage = 4096;

  explicit Paged(std::pmr::memory_resource* resource) : pages_(resource), resource_(resource) {}
  Paged(const Paged&) = delete;
  Paged& operator=(const Paged&) = delete;
  ~Paged() {
    for (T* page : pages_) {
      resource_->deallocate(page, kPage * sizeof(T), 64);
    }
  }

  [[nodiscard]] T& operator[](std::uint32_t i) noexcept { return pages_[i / kPage][i % kPage]; }
  [[nodiscard]] const T& operator[](std::uint32_t i) const noexcept { return pages_[i / kPage][i % kPage]; }
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// Element i is pages()[i / kPage][i % kPage].
  [[nodiscard]] const T* const* pages() const noexcept { return pages_.data(); }
  /// Adds `count` elements, uninitialised.
  void grow(std::uint32_t count) {
    while (pages_.size() * kPage < std::size_t{size_} + count) {
      pages_.reserve(pages_.size() + 1);
      pages_.push_back(static_cast<T*>(resource_->allocate(kPage * sizeof(T), 64)));
    }
    size_ += count;
  }
  /// Keeps the first `count` elements, and gives back the pages that none of them needs.
  void shrink(std::uint32_t count) {
    size_ = count;
    while (pages_.size() > (std::size_t{count} + kPage - 1) / kPage) {
      resource_->deallocate(pages_.back(), kPage * sizeof(T), 64);
      pages_.pop_back();
    }
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return pages_.size() * kPage * sizeof(T) + pages_.capacity() * sizeof(T*);
  }

 private:
  std::pmr::vector<T*> pages_;
  std::pmr::memory_resource* resource_;
  std::uint32_t size_ = 0;
};

}  // namespace juxta::transform_detail
