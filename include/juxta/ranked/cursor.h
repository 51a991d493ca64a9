// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>

#include "juxta/ranked/column.h"

namespace juxta {

/// A place in the order of ranks, for pages: behind the point of this rank and input index. Take both from
/// the last point of the page before. It stays valid when points are removed, added or built again, also if
/// its own point is gone, as long as the others keep their ranks and indices: what is behind it is behind it.
class RankedCursor {
 public:
  template <OneOf<std::int32_t, std::int64_t, float, double> Rank>
  constexpr RankedCursor(Rank rank, std::uint32_t index) noexcept
      : is_integer_(std::integral<Rank>),
        index_(index),
        integer_(is_integer_ ? static_cast<std::int64_t>(rank) : 0),
        real_(static_cast<double>(rank)) {}

  [[nodiscard]] constexpr bool is_integer() const noexcept { return is_integer_; }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return index_; }
  /// The rank: of an integer, and of a float or double.
  [[nodiscard]] constexpr std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] constexpr double real() const noexcept { return real_; }

 private:
  bool is_integer_;
  std::uint32_t index_;
  std::int64_t integer_;
  double real_;
};

}  // namespace juxta
