// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: elements at addresses that never change, named by numbers.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>
#include <vector>

#include "juxta/core/array.h"

namespace juxta::ranked_detail {

/// Number 0 names no element. Segments double in size, so 22 pointers serve 2^32 elements:
///
///   segment 0: 1 .. 1,023   segment 1: 1,024 .. 2,047   segment 2: 2,048 .. 4,095   ...
///
/// Threads: one takes and gives back; others read elements whose numbers were published after they were
/// written.
template <class T>
class LivePool {
 public:
  explicit LivePool(std::pmr::memory_resource* resource)
      : segments_(make_segments(resource, std::make_index_sequence<kSegments>())) {}

  [[nodiscard]] T& operator[](std::uint32_t number) noexcept {
    const auto [segment, place] = place_of(number);
    return segments_[segment][place];
  }
  [[nodiscard]] const T& operator[](std::uint32_t number) const noexcept {
    const auto [segment, place] = place_of(number);
    return segments_[segment][place];
  }
  /// An element of unspecified contents.
  [[nodiscard]] std::uint32_t take() {
    if (!free_.empty()) {
      const std::uint32_t number = free_.back();
      free_.pop_back();
      return number;
    }
    reach(end_);
    return end_++;
  }
  /// Makes room for an element that another pool has numbered.
  void reach(std::uint32_t number) {
    const std::size_t segment = place_of(number).segment;
    if (segments_[segment].empty()) {
      segments_[segment].resize_discard(std::size_t{kFirst} << (segment == 0 ? 0 : segment - 1));
    }
  }
  void give_back(std::uint32_t number) { free_.push_back(number); }

  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    std::size_t bytes = free_.capacity() * sizeof(std::uint32_t);
    for (const Array<T>& segment : segments_) {
      bytes += segment.memory_bytes();
    }
    return bytes;
  }

 private:
  static constexpr std::uint32_t kFirst = 1024;
  static constexpr std::size_t kSegments = 23;
  struct Place {
    std::size_t segment, place;
  };

  static constexpr Place place_of(std::uint32_t number) noexcept {
    const auto segment = static_cast<std::size_t>(std::bit_width(number / kFirst));
    return {segment, segment == 0 ? number : number - (std::size_t{kFirst} << (segment - 1))};
  }
  template <std::size_t... I>
  static std::array<Array<T>, kSegments> make_segments(std::pmr::memory_resource* resource,
                                                       std::index_sequence<I...>) {
    return {((void)I, Array<T>(resource))...};
  }

  std::array<Array<T>, kSegments> segments_;
  std::vector<std::uint32_t> free_;
  std::uint32_t end_ = 1;
};

}  // namespace juxta::ranked_detail
