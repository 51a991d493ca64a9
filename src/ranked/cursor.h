// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: where a cursor of the caller stands in the order of ranks.
#pragma once

#include <cstddef>

#include "juxta/core/error.h"
#include "juxta/ranked/cursor.h"
#include "ranked/ranked_view.h"

namespace juxta::ranked_detail {

/// The first position behind `after`, which own_point() has accepted; `view.size` when there is none. Cost: a
/// binary search, with two cache misses a step.
[[nodiscard]] std::size_t position_after(const RankedView& view, const RankedCursor& after);

/// The input index of `after` if it has the rank of that point, which stands right before what is behind the
/// cursor; else kNoPoint. Errors: as above.
[[nodiscard]] Result<std::uint32_t> own_point(const RankedView& view, const RankedCursor& after);

/// Whether a rank can be compared with ranks of this type. Errors: kInvalidArgument, kNotFinite.
[[nodiscard]] Result<void> check_rank(ScalarType type, const RankValue& rank);

/// Bytes of a value of this type.
[[nodiscard]] constexpr std::size_t bytes_of(ScalarType type) noexcept {
  return type == ScalarType::kInt32 || type == ScalarType::kFloat ? 4 : 8;
}

}  // namespace juxta::ranked_detail
