// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a caller or a log may put into live points, rounded to the types of the points.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/error.h"
#include "ranked/live_generation.h"

namespace juxta::ranked_detail {

/// Errors: kNotFinite (also what is too large for a float).
[[nodiscard]] Result<double> checked_coordinate(const LiveTypes& types, double value, const char* name);

/// The key of a rank. Errors: those of check_rank(), and kInvalidArgument (beyond int32).
[[nodiscard]] Result<std::uint64_t> checked_key(const LiveTypes& types, const RankValue& rank);

/// The key of a number of column `c`. NaN: the point has none. Errors: kInvalidArgument (there is no such
/// column; it holds integers and this is none, or it is beyond int32; an integer beyond 2^53 where it does
/// not).
[[nodiscard]] Result<std::uint64_t> checked_number(const LiveTypes& types, std::size_t c,
                                                   const RankValue& number);

/// Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_size(std::size_t ids, std::size_t columns, const char* what);
[[nodiscard]] RankValue number_at(const RankColumn& column, std::size_t i);
[[nodiscard]] double coordinate_at(const CoordinateColumn& column, std::size_t i);

[[nodiscard]] LiveTypes types_of(const RankedColumns& points);
[[nodiscard]] RankedPoint point_at(const RankedColumns& points, std::size_t i);
/// Errors: kInvalidArgument (lengths differ; not the columns of numbers that the points have).
[[nodiscard]] Result<void> check_lengths(const LiveTypes& types, const RankedColumns& points,
                                         std::size_t ids);
/// A record without an Id. Errors: those of all its parts.
[[nodiscard]] Result<LiveRecord> checked_point(const LiveTypes& types, const RankedPoint& point);

}  // namespace juxta::ranked_detail
