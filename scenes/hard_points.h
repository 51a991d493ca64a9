// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "juxta/math/rect.h"

namespace juxta::scenes {

/// Point sets on which published answers to the contest break.
enum class HardSet : std::uint8_t {
  kUniform,       ///< Even over the frame, ranks shuffled.
  kCities,        ///< Places with a population, replicated with jitter; rank = -population, many ties.
  kUgly,          ///< Even, rank grows with x: the best points of every rectangle are on its left edge.
  kHole,          ///< Even, but the middle (2/5 of each side) holds the worst ranks only.
  kDiagonal,      ///< A band of a thousandth of the frame along y = x, ranks shuffled.
  kLattice,       ///< Whole numbers on a square grid: each coordinate repeats sqrt(n) times.
  kVerticalLine,  ///< Every x is 0.
};
inline constexpr std::array kHardSets{HardSet::kUniform,     HardSet::kCities,   HardSet::kUgly,
                                      HardSet::kHole,        HardSet::kDiagonal, HardSet::kLattice,
                                      HardSet::kVerticalLine};

/// Families of query rectangles.
enum class QueryFamily : std::uint8_t {
  kOfficialLike,  ///< The contest's law: centre anywhere, sides mostly small, now and then nearly all.
  kTiny,          ///< Squares around a point: a thousandth of the frame or less.
  kTall,          ///< Slivers around a point: at most 1/1000 wide, 1/5 to 1 high.
  kWide,          ///< The same lying down.
  kLarge,         ///< Sides of 1/2 to 1.
  kRightHalf,     ///< From about the middle to beyond the right edge, over the whole height.
};
inline constexpr std::array kQueryFamilies{QueryFamily::kOfficialLike, QueryFamily::kTiny,
                                           QueryFamily::kTall,         QueryFamily::kWide,
                                           QueryFamily::kLarge,        QueryFamily::kRightHalf};

[[nodiscard]] std::string_view name(HardSet set) noexcept;         ///< "uniform", "cities", "ugly", ...
[[nodiscard]] std::string_view name(QueryFamily family) noexcept;  ///< "official", "tiny", "tall", ...

/// A place that kCities replicates.
struct City {
  float x, y;               ///< For real ones: longitude and latitude in degrees.
  std::int32_t population;  ///< At least 0.
};

/// Points with ranks, in no useful order (structure of arrays).
struct HardPoints {
  RectF frame{};  ///< Queries lie here; for kVerticalLine far wider than the points.
  std::vector<float> x, y;
  std::vector<std::int32_t> rank;  ///< Lower is more important; may repeat.
};

/// Makes a set of `n` points (at most 2^31 - 1). The same bits for the same arguments on every machine.
/// kCities replicates `cities`, each first in its place and then scattered around it; with none given, 23,411
/// made-up places clustered around a few hundred centres stand in. Cost: about 30 ns and 12 bytes per point.
[[nodiscard]] HardPoints make_hard_points(HardSet set, std::size_t n, std::uint64_t seed,
                                          std::span<const City> cities = {});

/// Makes `count` rectangles over the points' frame.
[[nodiscard]] std::vector<RectF> make_hard_queries(QueryFamily family, const HardPoints& points,
                                                   std::size_t count, std::uint64_t seed);

}  // namespace juxta::scenes
