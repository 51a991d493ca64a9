// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Columns, filters and regions of juxta/ranked as JavaScript writes them. js/src/ranked.ts has the same
// layouts.
#pragma once

#include <cstdint>
#include <cstring>

#include "juxta/ranked/ranked_points.h"

namespace juxta::wasm {

/// As ScalarType.
enum class Number : std::uint32_t { kInt32, kInt64, kFloat, kDouble };

[[nodiscard]] inline CoordinateColumn coordinates(const void* first, std::size_t size, Number type) noexcept {
  if (type == Number::kFloat) {
    return {static_cast<const float*>(first), size};
  }
  return {static_cast<const double*>(first), size};
}

[[nodiscard]] inline RankColumn ranks(const void* first, std::size_t size, Number type) noexcept {
  switch (type) {
    case Number::kInt32:
      return {static_cast<const std::int32_t*>(first), size};
    case Number::kInt64:
      return {static_cast<const std::int64_t*>(first), size};
    case Number::kFloat:
      return {static_cast<const float*>(first), size};
    case Number::kDouble:
      break;
  }
  return {static_cast<const double*>(first), size};
}

/// An end of a range, or a rank: an integer or a real.
struct PlainValue {
  std::uint32_t is_integer, unused;
  std::uint64_t bits;

  [[nodiscard]] RankValue value() const noexcept {
    if (is_integer != 0) {
      return static_cast<std::int64_t>(bits);
    }
    double real = 0;
    std::memcpy(&real, &bits, sizeof real);
    return real;
  }
};

struct PlainFilter {
  std::uint64_t any, all, none;
  PlainValue least[2], most[2];

  [[nodiscard]] RankedFilter filter() const noexcept {
    RankedFilter result{.any = any, .all = all, .none = none};
    for (int i = 0; i < 2; ++i) {
      result.ranges[i] = {least[i].value(), most[i].value()};
    }
    return result;
  }
};

struct PlainRegion {
  std::uint32_t kind;  ///< 0: rectangle, 1: across, 2: ring, 3: polygon.
  std::uint32_t xs, ys, corners, ring_ends, rings;
  double numbers[4];  ///< lx, ly, hx, hy; or x, y, inner, outer.

  [[nodiscard]] RankedRegion region() const noexcept {
    const double* const n = numbers;
    switch (kind) {
      case 0:
        return RankedRegion::rect({n[0], n[1], n[2], n[3]});
      case 1:
        return RankedRegion::across({n[0], n[1], n[2], n[3]});
      case 2:
        return RankedRegion::ring(n[0], n[1], n[2], n[3]);
      default:
        return RankedRegion::polygon({reinterpret_cast<const double*>(xs), corners},
                                     {reinterpret_cast<const double*>(ys), corners},
                                     {reinterpret_cast<const std::uint32_t*>(ring_ends), rings});
    }
  }
};

/// What stands in the scratch memory of a call: filter at 0, region at 128, cursor at 256.
struct PlainQuestion {
  PlainFilter filter;
  std::byte to_region[128 - sizeof(PlainFilter)];
  PlainRegion region;
  std::byte to_cursor[128 - sizeof(PlainRegion)];
  PlainValue rank;
  std::uint32_t index;
};
static_assert(offsetof(PlainQuestion, region) == 128 && offsetof(PlainQuestion, rank) == 256);

}  // namespace juxta::wasm
