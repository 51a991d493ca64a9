// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/math/rect.h"

namespace juxta::scenes {

/// Five words of state: x, y, z, w, v.
using ContestSeed = std::array<std::uint32_t, 5>;

/// 75BCD15-159A55E5-1F123BB5-5491333-34DAD465: the seed of the published contest results.
inline constexpr ContestSeed kOfficialSeed{0x75BCD15, 0x159A55E5, 0x1F123BB5, 0x5491333, 0x34DAD465};
inline constexpr std::size_t kOfficialPoints = 10'000'000;
inline constexpr std::size_t kOfficialQueries = 1000;

/// Reads five hexadecimal words of at most eight digits joined by '-'.
/// Errors: kParse; kInvalidArgument when all five words are 0, where the generator stands still.
[[nodiscard]] Result<ContestSeed> parse_contest_seed(std::string_view text);

/// The contest's generator (Marsaglia's xorshift of five words, 2003). The same numbers on every machine.
class ContestRandom {
 public:
  explicit ContestRandom(const ContestSeed& seed = kOfficialSeed) noexcept : s_(seed) {}
  /// The next 32 bits.
  [[nodiscard]] std::uint32_t next() noexcept;
  /// low + (a float in [0, 1]) * (high - low), in float arithmetic.
  [[nodiscard]] float uniform(float low, float high) noexcept;
  /// A rectangle with its centre anywhere in `in`, each half side = half of `in`'s side times (u * u), u
  /// uniform: mostly small, now and then nearly all, and it may stick out. Draws: centre x, y, then u of x,
  /// y.
  [[nodiscard]] RectF rect(const RectF& in) noexcept;

 private:
  ContestSeed s_;
};

/// Points of the contest in generator order (structure of arrays), and the generator behind them.
struct ContestWorld {
  RectF world{};                   ///< Where clusters and queries lie; the last four points lie far outside.
  std::vector<float> x, y;         ///< One element per point, all finite.
  std::vector<std::int32_t> rank;  ///< A permutation of 0 .. points - 1; lower is more important.
  std::vector<std::int8_t> id;     ///< Any value; the contest only carries it through.
  ContestRandom random;            ///< As the points left it: the official queries are its next numbers.
};

/// Makes the contest's input: a random world, clusters of up to 65,535 points on half discs, four outliers at
/// +-1e10, shuffled ranks. Cost: about 50 ns and 13 bytes per point.
/// Errors: kTooLarge (more than 2^31 - 1 points: ranks are int32), kInvalidArgument (seed of five zeros),
/// kCancelled.
[[nodiscard]] Result<ContestWorld> make_contest(std::size_t points = kOfficialPoints,
                                                const ContestSeed& seed = kOfficialSeed,
                                                Monitor* monitor = nullptr);

/// The next `count` queries of the world, continuing its generator: the first 1000 after make_contest() are
/// the official ones.
[[nodiscard]] std::vector<RectF> contest_queries(ContestWorld& world, std::size_t count = kOfficialQueries);

}  // namespace juxta::scenes
