// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: columns of numbers that points may be filtered by, and a range of them in a query.
//
//   key        a number as u64, in the numbers' order; NaN is behind all of them
//   quantum    key -> u16, by quantiles, so that a filter tests 32 points at a time
//
//   keys       2 3 3 3 3 3 3 4 4 6 9 9          of all points, ascending
//   knots      2     3     3     6              every (n / quanta)-th of them
//   quantum    0 1 1 1 1 1 1 2 2 3 3 3          a repeated knot is a quantum of its own
//   begin      0 1           7   9     12       where each one begins
//   highest    2 3           4   9              the highest key of each: a range that ends at or above it
//                                               needs no look at the numbers themselves
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "juxta/order/ordered_key.h"
#include "juxta/ranked/column.h"
#include "ranked/block.h"

namespace juxta::ranked_detail {

/// The quanta below the 16 children of a node. Without points: inverted.
struct alignas(64) ValueBounds {
  std::uint16_t least[kFanout], most[kFanout];
};

/// One column. Quanta of 32 points stand beside every array of blocks that a filter is asked for.
struct ValueView {
  ScalarType type = ScalarType::kDouble;
  const std::byte* numbers = nullptr;  // by input index
  const std::uint64_t* knots = nullptr;
  const std::uint64_t* highest = nullptr;
  const std::uint32_t* begin = nullptr;        // one more than quanta
  const std::uint16_t* leaf_quanta = nullptr;  // beside the leaves of the tall tree
  const std::uint16_t* top_quanta = nullptr;
  const ValueBounds* bounds = nullptr;  // of its nodes

  FilteredBlocks run;  // all points in the order of keys, equal ones in rank order

  [[nodiscard]] std::uint64_t key(std::size_t index) const noexcept;
};

struct ValuesView {
  std::uint32_t count = 0;
  std::uint32_t quanta = 0;
  std::array<ValueView, kMostValues> column{};
};

/// About four points each in small sets.
[[nodiscard]] constexpr std::uint32_t value_quanta(std::size_t points) noexcept {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(std::bit_floor(std::max<std::size_t>(points / 4, 1)), 65536));
}

/// How many of the most important points stand by themselves, in rank order: where so many pass that the
/// answer is among them.
[[nodiscard]] constexpr std::uint32_t best_points(std::size_t points) noexcept {
  return static_cast<std::uint32_t>(
      std::min(points, std::max<std::size_t>(points / 32 / kBlockSize * kBlockSize, 4096)));
}

inline constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

template <class T>
[[nodiscard]] std::uint64_t key_of(T number) noexcept {
  if constexpr (std::integral<T>) {
    return ordered_key(static_cast<std::int64_t>(number));
  } else {
    return std::isnan(number) ? kNoNumber : ordered_key(static_cast<double>(number));
  }
}

inline std::uint64_t ValueView::key(std::size_t index) const noexcept {
  switch (type) {
    case ScalarType::kInt32:
      return key_of(StridedColumn<std::int32_t>{numbers}[index]);
    case ScalarType::kInt64:
      return key_of(StridedColumn<std::int64_t>{numbers}[index]);
    case ScalarType::kFloat:
      return key_of(StridedColumn<float>{numbers}[index]);
    default:
      return key_of(StridedColumn<double>{numbers}[index]);
  }
}

/// A range in keys and in quanta. The quanta between `first` and `last` hold nothing else.
struct ValueRange {
  bool asked = false;
  std::uint16_t first = 0, last = 0;
  bool first_is_mixed = false, last_is_mixed = false;  // holds other keys too
  std::uint64_t least = 0, most = 0;
  std::uint32_t run_begin = 0, run_end = 0;  // in `run`: the points of these quanta
};

}  // namespace juxta::ranked_detail
