// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels behind top and count with a filter, chosen for the running CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "ranked/filter_query.h"

namespace juxta::ranked_detail {

/// Up to here top_filtered() takes two parts.
inline constexpr std::size_t kMostOfTwoParts = 255;

/// Writes the input indices of the k lowest positions from `first` on that pass inside `parts`, ascending.
/// The parts have no point in common; one of them is empty if k is above kMostOfTwoParts. `out` has k places.
QueryResult top_filtered(const RankedView& view, const FilterQuery& filter, const std::array<RectD, 2>& parts,
                         std::uint32_t first, std::size_t k, std::uint32_t* out) noexcept;

/// How many points inside `rect` pass.
QueryResult count_filtered(const RankedView& view, const FilterQuery& filter, const RectD& rect) noexcept;

}  // namespace juxta::ranked_detail
