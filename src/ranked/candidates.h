// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the k lowest positions met so far, and the threshold that they set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ranked/ranked_view.h"

namespace juxta::detail {

/// Small k: twice k places, cut back to the k lowest whenever they are full (O(1) per candidate).
/// Large k: exactly the caller's k places, a max-heap once full (O(log k)), so that no query allocates.
class Candidates {
 public:
  static constexpr std::size_t kSmall = 512;
  static constexpr std::size_t kRoom = 2 * kSmall + 4 * kBlockSize;

  /// `room` has kRoom places, `out` has k.
  Candidates(std::size_t k, std::uint32_t* room, std::uint32_t* out) noexcept
      : k_(k), small_(k <= kSmall), data_(small_ ? room : out) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t wanted() const noexcept { return k_; }
  [[nodiscard]] bool full() const noexcept { return size_ >= k_; }
  /// Positions at or above it cannot be in the answer.
  [[nodiscard]] std::uint32_t threshold() const noexcept { return threshold_; }
  /// Starts with a bound known from elsewhere: positions at or above it are not wanted.
  void limit(std::uint32_t threshold) noexcept { threshold_ = threshold; }

  void add(std::uint32_t position) noexcept {
    if (small_) {
      data_[size_++] = position;
      if (size_ == 2 * k_ + 3 * kBlockSize) {
        tighten();
      }
    } else if (size_ < k_) {
      data_[size_++] = position;
      if (size_ == k_) {
        std::make_heap(data_, data_ + k_);
        threshold_ = data_[0];
      }
    } else if (position < threshold_) {
      std::pop_heap(data_, data_ + k_);
      data_[k_ - 1] = position;
      std::push_heap(data_, data_ + k_);
      threshold_ = data_[0];
    }
  }

  /// Keeps the k lowest, and learns the threshold from them.
  void tighten() noexcept {
    if (small_ && size_ >= k_) {
      std::nth_element(data_, data_ + (k_ - 1), data_ + size_);
      size_ = k_;
      threshold_ = data_[k_ - 1];
    }
  }

  /// What was met, in no order: at least the k lowest of it.
  [[nodiscard]] std::uint32_t* data() noexcept { return data_; }

  /// How many of it are below `position`.
  [[nodiscard]] std::size_t count_below(std::uint32_t position) const noexcept {
    std::size_t below = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      below += data_[i] < position;
    }
    return below;
  }

  /// Sorts the answer into `out`; returns how many there are.
  std::size_t finish(std::uint32_t* out) noexcept {
    tighten();
    std::sort(data_, data_ + size_);
    if (data_ != out) {
      std::copy(data_, data_ + size_, out);
    }
    return size_;
  }

 private:
  std::size_t k_;
  bool small_;
  std::uint32_t* data_;
  std::size_t size_ = 0;
  std::uint32_t threshold_ = kNoPoint;
};

}  // namespace juxta::detail
