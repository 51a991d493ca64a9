// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/study/parameters.h"

namespace juxta {

/// Both ends are allowed values.
struct SampleRange {
  std::string parameter;
  double from = 0, to = 0;
};

enum class SampleKind : std::uint8_t {
  /// Latin hypercube: each range is cut into as many equal parts as there are points, and each part has one
  /// point, at random. Source: McKay, Beckman, Conover, "A comparison of three methods for selecting values
  /// of
  /// input variables in the analysis of output from a computer code" (1979).
  kLatin,
  /// Sobol's sequence, which fills the space evenly in all parameters at once; best with a power of two of
  /// points. Source: Joe, Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008),
  /// by Boost.Random, in Gray code order.
  kSobol,
};

struct SampleOptions {
  SampleKind kind = SampleKind::kLatin;
  std::size_t count = 0;  ///< Points.
  /// Other seeds, other points. Of Sobol's sequence a seed shifts all points at random, by an exclusive or of
  /// their digits, which leaves them as even; 0: the points as they are published, from the one at `from` on.
  std::uint64_t seed = 1;
};

/// At most so many points, so many parameters, and so many numbers in all.
inline constexpr std::size_t kMostSamples = 1'000'000, kMostSampledParameters = 64,
                             kMostSampledNumbers = 10'000'000;

/// Points within ranges of parameters, for Sweep::vary with Sweep::together: the values of each parameter, of
/// one point after the other. Values of whole parameters are rounded such that each whole number of the range
/// is equally likely. A function of its arguments, the same on every machine.
/// Errors: kInvalidArgument (no points or no ranges; ends that a parameter cannot have, or the wrong way
/// round;
///         a parameter twice; kSobol in a library that was built without Boost's headers), kNotFound (the
///         message names the parameters that there are), kTooLarge (the limits above).
[[nodiscard]] Result<std::vector<std::pair<std::string, std::vector<double>>>> sample(
    const Parameters& parameters, std::span<const SampleRange> ranges, const SampleOptions& options);

}  // namespace juxta
