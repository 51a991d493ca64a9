// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the k best of (squared distance, position) so far, in the caller's own two arrays, so that any k
// works without memory of ours.
//
//   squares    | 9 | 4 | 9 | 1 | 2 |     a heap: no parent is before its children,
//   positions  | 8 | 3 | 5 | 0 | 7 |     so the worst one stands first
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace juxta::ranked_detail {

class NearestBest {
 public:
  /// Both arrays have `k` places, at least one. A point further than `most_square` is left out.
  NearestBest(std::uint32_t* positions, double* squares, std::size_t k, double most_square) noexcept
      : positions_(positions), squares_(squares), k_(k), square_(most_square) {}

  [[nodiscard]] bool full() const noexcept { return size_ == k_; }
  [[nodiscard]] std::size_t missing() const noexcept { return k_ - size_; }
  /// No point that is further can be an answer any more.
  [[nodiscard]] double square() const noexcept { return square_; }
  /// Whether points can be an answer that are at least so far and have at least such a position.
  [[nodiscard]] bool may_hold(double square, std::uint32_t position) const noexcept {
    return square < square_ || (square == square_ && position < position_);
  }

  void add(double square, std::uint32_t position) noexcept {
    if (!may_hold(square, position)) {
      return;
    }
    if (size_ < k_) {
      rise(size_++, square, position);
    } else {
      sink(k_, square, position);
    }
    if (size_ == k_) {
      square_ = squares_[0];
      position_ = positions_[0];
    }
  }

  /// Sorts what was found, nearest first; how many there are.
  std::size_t sort() noexcept {
    for (std::size_t end = size_; end-- > 1;) {
      const double square = std::exchange(squares_[end], squares_[0]);
      const std::uint32_t position = std::exchange(positions_[end], positions_[0]);
      sink(end, square, position);
    }
    return size_;
  }

 private:
  [[nodiscard]] bool before(double square, std::uint32_t position, std::size_t at) const noexcept {
    return square < squares_[at] || (square == squares_[at] && position < positions_[at]);
  }
  void put(std::size_t at, double square, std::uint32_t position) noexcept {
    squares_[at] = square;
    positions_[at] = position;
  }
  /// Puts an element into the empty place `at`, or above it.
  void rise(std::size_t at, double square, std::uint32_t position) noexcept {
    while (at != 0) {
      const std::size_t parent = (at - 1) / 2;
      if (before(square, position, parent)) {
        break;
      }
      put(at, squares_[parent], positions_[parent]);
      at = parent;
    }
    put(at, square, position);
  }
  /// Puts an element in place of the first of `size`, or below it.
  void sink(std::size_t size, double square, std::uint32_t position) noexcept {
    std::size_t at = 0;
    for (std::size_t child = 1; child < size; child = 2 * at + 1) {
      child += child + 1 < size && before(squares_[child], positions_[child], child + 1) ? 1 : 0;
      if (!before(square, position, child)) {
        break;
      }
      put(at, squares_[child], positions_[child]);
      at = child;
    }
    put(at, square, position);
  }

  std::uint32_t* positions_;
  double* squares_;
  std::size_t k_, size_ = 0;
  double square_;                               // of the worst one when full
  std::uint32_t position_ = ~std::uint32_t{0};  // its position
};

}  // namespace juxta::ranked_detail
