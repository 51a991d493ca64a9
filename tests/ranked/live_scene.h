// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What random histories of LiveRankedPoints are made of: scenes, plain points, and filters in plain words.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>

#include "juxta/ranked/live_points.h"

namespace juxta::test {

inline constexpr RectD kAll = {
    -std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
    std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};

inline bool passes(std::uint64_t mask, const RankedFilter& filter) {
  return (mask & filter.all) == filter.all && (mask & filter.none) == 0 &&
         (filter.any == 0 || (mask & filter.any) != 0);
}

/// Whether a number, NaN: none, is in the range.
template <class V>
bool holds(const RankedRange& range, V number) {
  const auto is_open = [](const RankValue& end) { return !end.is_integer() && std::isinf(end.real()); };
  const auto value = static_cast<double>(number);  // of few bits: exact
  return (is_open(range.least) && is_open(range.most)) ||
         (value >= range.least.real() && value <= range.most.real());
}

/// Open, on one side too, of one number, of integers, empty, or some. Numbers are quarters below places / 4.
inline RankedRange random_range(std::mt19937& random, unsigned places) {
  const auto end = [&] { return static_cast<double>(random() % places) / 4 - 20; };
  const double least = end();
  switch (random() % 6) {
    case 0:
    case 1:
      return {};
    case 2:
      return {.least = least};
    case 3:
      return {least, least};
    case 4:
      return {static_cast<std::int64_t>(least), static_cast<std::int64_t>(least) + 30};
    default:
      return {least, end()};
  }
}

template <class T, class R>
struct Point {
  T x, y;
  R rank;
  std::uint64_t categories;
  std::uint32_t generation;
  double price = std::numeric_limits<double>::quiet_NaN();
  std::int32_t time = 0;
};

/// How a world looks.
struct Scene {
  std::size_t points = 0;
  unsigned places = 1000;  // different values of a coordinate
  unsigned ranks = 1000;   // different ranks
  double spread = 1;       // how far inserted points lie from the first ones
  std::size_t values = 0;  // columns of numbers: prices, some of which are missing, and times
};

}  // namespace juxta::test
