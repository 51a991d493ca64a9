// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "ranked/live_input.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "juxta/core/try.h"
#include "ranked/cursor.h"
#include "ranked/input.h"

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

Result<std::uint64_t> checked_number(const LiveTypes& types, std::size_t c, const RankValue& number) {
  const bool none = std::isnan(number.real());
  const auto refuse = [c](const std::string& why) {
    return fail(ErrorCode::kInvalidArgument, "column " + std::to_string(c) + " of the numbers " + why);
  };
  if (c >= types.value_columns) {
    return none ? Result<std::uint64_t>(kNoNumber)
                : refuse("is given, and the points have " + std::to_string(types.value_columns) +
                         " columns: leave it out");
  }
  const ScalarType type = types.values[c];
  const std::int64_t integer = number.integer();
  if (type == ScalarType::kInt32 || type == ScalarType::kInt64) {
    if (!number.is_integer()) {
      return refuse("holds integers, and " + std::to_string(number.real()) + " is none: give one");
    }
    if (type == ScalarType::kInt32 && integer != static_cast<std::int32_t>(integer)) {
      return refuse("holds int32, and " + std::to_string(integer) + " is beyond them");
    }
    return key_of(integer);
  }
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  if (number.is_integer() && (integer > kExact || integer < -kExact)) {
    return refuse("does not hold integers, and " + std::to_string(integer) + " is one beyond 2^53");
  }
  return type == ScalarType::kFloat && !none ? key_of(to_float(number.real())) : key_of(number.real());
}

Result<void> check_size(std::size_t a, std::size_t b, const char* what) {
  if (a == b) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              std::to_string(a) + " ids for " + std::to_string(b) + " " + what + ": give one for each");
}

RankValue number_at(const RankColumn& ranks, std::size_t i) {
  return ranked_detail::with_type(ranks.type(), [&]<class R>(R) -> RankValue { return ranks.as<R>()[i]; });
}

double coordinate_at(const CoordinateColumn& column, std::size_t i) {
  return column.type() == ScalarType::kDouble ? column.as<double>()[i]
                                              : static_cast<double>(column.as<float>()[i]);
}

LiveTypes types_of(const RankedColumns& points) {
  LiveTypes types = {points.xs.type(), points.ranks.type()};
  for (const ValueColumn& column : points.values.first(std::min(points.values.size(), types.values.size()))) {
    types.values[types.value_columns++] = column.type();
  }
  return types;
}

RankedPoint point_at(const RankedColumns& points, std::size_t i) {
  RankedPoint point = {.x = coordinate_at(points.xs, i),
                       .y = coordinate_at(points.ys, i),
                       .rank = number_at(points.ranks, i),
                       .categories = points.categories.empty() ? 0 : points.categories[i]};
  for (std::size_t c = 0; c < points.values.size(); ++c) {
    point.values[c] = number_at(points.values[c], i);
  }
  return point;
}

Result<void> check_lengths(const LiveTypes& types, const RankedColumns& points, std::size_t ids) {
  const std::size_t size = points.xs.size();
  JUXTA_TRY(check_size(ids, size, "points"));
  JUXTA_TRY(check_size(points.ys.size(), size, "points"));
  JUXTA_TRY(check_size(points.ranks.size(), size, "points"));
  if (!points.categories.empty()) {
    JUXTA_TRY(check_size(points.categories.size(), size, "points"));
  }
  if (!points.values.empty() && points.values.size() != types.value_columns) {
    return fail(ErrorCode::kInvalidArgument,
                std::to_string(points.values.size()) + " columns of numbers, and the points have " +
                    std::to_string(types.value_columns) + ": give as many, or none");
  }
  for (const ValueColumn& column : points.values) {
    JUXTA_TRY(check_size(column.size(), size, "points"));
  }
  return {};
}

Result<LiveRecord> checked_point(const LiveTypes& types, const RankedPoint& point) {
  JUXTA_TRY_LET(const double x, checked_coordinate(types, point.x, "x"));
  JUXTA_TRY_LET(const double y, checked_coordinate(types, point.y, "y"));
  JUXTA_TRY_LET(const std::uint64_t key, checked_key(types, point.rank));
  LiveRecord record = {
      .x = x, .y = y, .key = key, .categories = point.categories, .slot = 0, .generation = 0};
  for (std::size_t c = 0; c < kMostValues; ++c) {
    JUXTA_TRY_LET(record.values[c], checked_number(types, c, point.values[c]));
  }
  return record;
}

}  // namespace juxta::ranked_detail
