// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "juxta/ranked/column.h"

namespace juxta {

/// A rank, a number or an end of a range, of any type that a column may have. Converts from it.
class RankValue {
 public:
  constexpr RankValue() noexcept = default;  ///< NaN: none.
  template <OneOf<std::int32_t, std::int64_t, float, double> Rank>
  constexpr RankValue(Rank rank) noexcept  // NOLINT
      : is_integer_(std::integral<Rank>),
        integer_(is_integer_ ? static_cast<std::int64_t>(rank) : 0),
        real_(static_cast<double>(rank)) {}

  [[nodiscard]] constexpr bool is_integer() const noexcept { return is_integer_; }
  /// The number: of an integer, and of a float or double.
  [[nodiscard]] constexpr std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] constexpr double real() const noexcept { return real_; }

 private:
  bool is_integer_ = false;
  std::int64_t integer_ = 0;
  double real_ = std::numeric_limits<double>::quiet_NaN();
};

/// A place in the order of ranks, for pages: behind the point of this rank and input index. Take both from
/// the last point of the page before. It stays valid when points are removed, added or built again, also if
/// its own point is gone, as long as the others keep their ranks and indices: what is behind it is behind it.
/// Of LiveRankedPoints, the index is the slot of an Id.
class RankedCursor {
 public:
  constexpr RankedCursor(RankValue rank, std::uint32_t index) noexcept : rank_(rank), index_(index) {}

  [[nodiscard]] constexpr const RankValue& rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return index_; }
  // Of the rank.
  [[nodiscard]] constexpr bool is_integer() const noexcept { return rank_.is_integer(); }
  [[nodiscard]] constexpr std::int64_t integer() const noexcept { return rank_.integer(); }
  [[nodiscard]] constexpr double real() const noexcept { return rank_.real(); }

 private:
  RankValue rank_;
  std::uint32_t index_;
};

}  // namespace juxta
