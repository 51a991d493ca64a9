// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace juxta::classics {

/// The k lowest positions seen, the highest of them on top.
class RankHeap {
 public:
  RankHeap(std::uint32_t* storage, std::size_t k) : data_(storage), k_(k) {}

  [[nodiscard]] bool full() const { return size_ == k_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Only positions below this one can still enter.
  [[nodiscard]] std::uint32_t limit() const {
    return full() ? data_[0] : std::numeric_limits<std::uint32_t>::max();
  }
  /// Of a position below limit().
  void insert(std::uint32_t position) {
    if (full()) {
      replace_top(position);
    } else {
      data_[size_++] = position;
      if (full()) {
        std::make_heap(data_, data_ + size_);
      }
    }
  }
  void sort() { std::sort(data_, data_ + size_); }

 private:
  void replace_top(std::uint32_t position) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < size_; child = 2 * hole + 1) {
      child += child + 1 < size_ && data_[child + 1] > data_[child] ? 1 : 0;
      if (data_[child] <= position) {
        break;
      }
      data_[hole] = data_[child];
      hole = child;
    }
    data_[hole] = position;
  }

  std::uint32_t* data_;
  std::size_t size_ = 0, k_;
};

}  // namespace juxta::classics
