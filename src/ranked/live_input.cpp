// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_input.h"

#include <cmath>
#include <limits>
#include <string>

#include "juxta/core/try.h"
#include "ranked/cursor.h"

namespace juxta::ranked_detail {
namespace {

/// The nearest float; beyond the largest one, infinity.
float to_float(double value) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<float>::max());
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return value > kMost ? kInfinity : value < -kMost ? -kInfinity : static_cast<float>(value);
}

}  // namespace

Result<double> checked_coordinate(const LiveTypes& types, double value, const char* name) {
  constexpr double kMost = static_cast<double>(std::numeric_limits<float>::max());
  const bool is_float = types.coordinate == ScalarType::kFloat;
  if (!std::isfinite(value) || (is_float && std::abs(value) > kMost)) {
    return fail(ErrorCode::kNotFinite, std::string(name) + " is " +
                                           (std::isfinite(value) ? "too large for a float" : "not finite") +
                                           ": leave the point out");
  }
  return is_float ? static_cast<double>(static_cast<float>(value)) : value;
}

Result<std::uint64_t> checked_key(const LiveTypes& types, const RankValue& rank) {
  JUXTA_TRY(check_rank(types.rank, rank));
  const std::int64_t value = rank.integer();
  if (types.rank == ScalarType::kInt32 && value != static_cast<std::int32_t>(value)) {
    return fail(ErrorCode::kInvalidArgument,
                "the rank " + std::to_string(value) + " is beyond int32, the type of the points' ranks");
  }
  return types.key_of(types.rank == ScalarType::kFloat ? RankValue(to_float(rank.real())) : rank);
}

}  // namespace juxta::ranked_detail
