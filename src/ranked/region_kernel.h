// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the kernels behind top and count in a region, chosen for the running CPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "juxta/core/query_result.h"
#include "juxta/ranked/region.h"
#include "ranked/category_query.h"

namespace juxta::ranked_detail {

/// Writes the input indices of the k lowest positions inside `region` that pass
/// `categories`, ascending. `out` has k places.
QueryResult top_in_region(const RankedView& view, const CategoryQuery& categories, const RankedRegion& region,
                          std::size_t k, std::uint32_t* out) noexcept;

/// How many points inside pass.
QueryResult count_in_region(const RankedView& view, const CategoryQuery& categories,
                            const RankedRegion& region) noexcept;

}  // namespace juxta::ranked_detail
