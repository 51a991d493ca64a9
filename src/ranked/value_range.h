// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the ends of a range as keys and quanta of a column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/ranked/ranked_points.h"
#include "ranked/values_view.h"

namespace juxta::ranked_detail {

/// Whether a range lets every point pass, with a number or not.
[[nodiscard]] bool is_open(const RankedRange& range) noexcept;

/// A range as keys of a column of this type, both included. False: it holds no number.
[[nodiscard]] bool keys_of(ScalarType type, const RankedRange& range, std::uint64_t& first,
                           std::uint64_t& last) noexcept;

/// A range of column `i`, which is not open, as keys and quanta. False: no point has a number in it.
[[nodiscard]] bool find_range(const ValuesView& values, std::size_t i, const RankedRange& range,
                              ValueRange& found) noexcept;

}  // namespace juxta::ranked_detail
