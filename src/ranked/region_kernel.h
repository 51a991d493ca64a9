// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels behind top and count in a region, chosen for the running CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/query_result.h"
#include "juxta/ranked/region.h"
#include "ranked/filter_query.h"

namespace juxta::ranked_detail {

/// Writes the input indices of the k lowest positions from `first` on inside `region` that pass `filter`,
/// ascending. `out` has k places.
QueryResult top_in_region(const RankedView& view, const FilterQuery& filter, const RankedRegion& region,
                          std::uint32_t first, std::size_t k, std::uint32_t* out) noexcept;

/// The same of points behind that with input index `own`, from a list; all pass. False: no list has the
/// answer, and `out` may hold anything.
bool top_in_region_behind(const RankedView& view, const RankedRegion& region, std::uint32_t own,
                          std::size_t k, std::uint32_t* out, QueryResult& result) noexcept;

/// How many points inside pass.
QueryResult count_in_region(const RankedView& view, const FilterQuery& filter,
                            const RankedRegion& region) noexcept;

}  // namespace juxta::ranked_detail
