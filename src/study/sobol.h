// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: Sobol's sequence, in a file of its own because Boost's headers take seconds to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/core/error.h"

namespace juxta::study_detail {

/// The first points of the sequence as Joe and Kuo publish it, the point of zeros first: `dimensions` numbers
/// a point, each a fraction of 2^64. Errors: kInvalidArgument (this library was built without Boost's
/// headers).
[[nodiscard]] Result<std::vector<std::uint64_t>> sobol_points(std::size_t dimensions, std::size_t count);

}  // namespace juxta::study_detail
