// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: values to quanta, for a whole column.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/ranked/column.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// For every position p in [first, last): out[p] = the shifted quantum of values[index_of[p]] (of values[p]
/// when `index_of` is null). No value may be below the first knot.
void quantise_column(const AxisView& axis, StridedColumn<float> values, const std::uint32_t* index_of,
                     std::size_t first, std::size_t last, std::uint16_t* out) noexcept;
void quantise_column(const AxisView& axis, StridedColumn<double> values, const std::uint32_t* index_of,
                     std::size_t first, std::size_t last, std::uint16_t* out) noexcept;

/// The same by std::upper_bound: the oracle of the tests.
template <class T>
void quantise_column_reference(const AxisView& axis, StridedColumn<T> values, const std::uint32_t* index_of,
                               std::size_t first, std::size_t last, std::uint16_t* out) noexcept;

}  // namespace juxta::ranked_detail
