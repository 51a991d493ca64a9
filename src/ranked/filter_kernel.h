// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels behind top and count with a filter, chosen for the running CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/query_result.h"
#include "juxta/math/rect.h"
#include "ranked/category_query.h"

namespace juxta::ranked_detail {

/// Writes the input indices of the k lowest positions that pass inside `rect`, ascending. `out` has k places.
QueryResult top_filtered(const RankedView& view, const CategoryQuery& filter, const RectD& rect,
                         std::size_t k, std::uint32_t* out) noexcept;

/// How many points inside `rect` pass.
QueryResult count_filtered(const RankedView& view, const CategoryQuery& filter, const RectD& rect) noexcept;

}  // namespace juxta::ranked_detail
