// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/value_range.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace juxta::ranked_detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kBeyondIntegers = 0x1p63;

/// The lowest (`up`) integer at or above `real`, or the highest at or below it; none: there is no such int64.
std::optional<std::int64_t> integer_of(double real, bool up) noexcept {
  const double whole = up ? std::ceil(real) : std::floor(real);
  if (std::isnan(whole) || (up ? whole >= kBeyondIntegers : whole < -kBeyondIntegers)) {
    return std::nullopt;
  }
  if (up ? whole < -kBeyondIntegers : whole >= kBeyondIntegers) {
    return up ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }
  return static_cast<std::int64_t>(whole);
}

/// The lowest (`up`) double at or above `integer`, or the highest at or below it.
double real_of(std::int64_t integer, bool up) noexcept {
  const auto real = static_cast<double>(integer);
  const bool above = real >= kBeyondIntegers || static_cast<std::int64_t>(real) > integer;
  const bool below = !above && static_cast<std::int64_t>(real) < integer;
  if (up && below) {
    return std::nextafter(real, kInfinity);
  }
  return !up && above ? std::nextafter(real, -kInfinity) : real;
}

/// An end of a range as a key of the column; none: no number of its type is on that side.
std::optional<std::uint64_t> key_of_end(ScalarType type, const RankValue& end, bool least) noexcept {
  if (type == ScalarType::kInt32 || type == ScalarType::kInt64) {
    const auto integer = end.is_integer() ? end.integer() : integer_of(end.real(), least);
    return integer ? std::optional(key_of(*integer)) : std::nullopt;
  }
  const double real = end.is_integer() ? real_of(end.integer(), least) : end.real();
  return std::isnan(real) ? std::nullopt : std::optional(key_of(real));
}

}  // namespace

bool is_open(const RankedRange& range) noexcept {
  return !range.least.is_integer() && range.least.real() == -kInfinity && !range.most.is_integer() &&
         range.most.real() == kInfinity;
}

bool keys_of(ScalarType type, const RankedRange& range, std::uint64_t& first, std::uint64_t& last) noexcept {
  const auto least = key_of_end(type, range.least, true), most = key_of_end(type, range.most, false);
  if (!least || !most || *least > *most) {
    return false;
  }
  first = *least;
  last = *most;
  return true;
}

bool find_range(const ValuesView& values, std::size_t i, const RankedRange& range,
                ValueRange& found) noexcept {
  if (i >= values.count) {
    return false;
  }
  const ValueView& column = values.column[i];
  std::uint64_t least = 0, most = 0;
  if (!keys_of(column.type, range, least, most)) {
    return false;
  }
  const std::uint64_t* const knots = column.knots;
  const std::uint64_t* const end = knots + values.quanta;
  // The first quantum whose knot is the key or above it. If it is the key, the key is there, else in the one
  // before.
  const auto at_or_above = [&](std::uint64_t key) {
    return static_cast<std::size_t>(std::lower_bound(knots, end, key) - knots);
  };
  const auto is_knot = [&](std::size_t q, std::uint64_t key) {
    return q != values.quanta && knots[q] == key;
  };
  std::size_t first = at_or_above(least);
  if (first != 0 && !is_knot(first, least) && column.highest[first - 1] >= least) {
    --first;
    found.first_is_mixed = true;
  }
  const std::size_t above = at_or_above(most);
  const std::size_t behind = is_knot(above, most) ? above + 1 : above;
  if (first >= behind) {
    return false;
  }
  const std::size_t last = behind - 1;
  found.asked = true;
  found.last_is_mixed = column.highest[last] > most;
  found.first = static_cast<std::uint16_t>(first);
  found.last = static_cast<std::uint16_t>(last);
  found.least = least;
  found.most = most;
  found.run_begin = column.begin[first];
  found.run_end = column.begin[last + 1];
  return found.run_begin != found.run_end;
}

}  // namespace juxta::ranked_detail
