// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which rows of a tile are computed at once.
#pragma once

#include <bit>
#include <cstdint>

#include "transform/row_mask.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

/// The end of the run of rows from `row` on that are marked, linked or not, and without flags. Inline,
/// because a call in the kernel's loop would cost what that holds in registers.
template <bool kLinked>
[[nodiscard, gnu::always_inline]] inline std::uint32_t end_of_run(const Tile& tile, const RowMask& marks,
                                                                  std::uint32_t row) noexcept {
  std::uint64_t from = ~std::uint64_t{0} << row % 64;
  for (std::uint32_t w = row / 64; w < kTileWords; ++w, from = ~std::uint64_t{0}) {
    const std::uint64_t linked = tile.linked.words[w];
    const std::uint64_t stop = ~marks.words[w] | (kLinked ? ~linked : linked) | tile.special().words[w];
    if ((stop & from) != 0) {
      return w * 64 + static_cast<std::uint32_t>(std::countr_zero(stop & from));
    }
  }
  return kTileRows;
}

}  // namespace juxta::transform_detail
