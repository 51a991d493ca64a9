// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a caller or a log may put into live points, rounded to the types of the points.
#pragma once

#include <cstdint>

#include "juxta/core/error.h"
#include "ranked/live_generation.h"

namespace juxta::ranked_detail {

/// Errors: kNotFinite (also what is too large for a float).
[[nodiscard]] Result<double> checked_coordinate(const LiveTypes& types, double value, const char* name);

/// The key of a rank. Errors: those of check_rank(), and kInvalidArgument (beyond int32).
[[nodiscard]] Result<std::uint64_t> checked_key(const LiveTypes& types, const RankValue& rank);

}  // namespace juxta::ranked_detail
