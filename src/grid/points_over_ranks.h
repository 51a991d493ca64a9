// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: points and the slabs of other ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/field_store.h"

namespace juxta::grid_detail {

/// What a point leaves in one cell.
struct Portion {
  std::uint32_t cell;
  float amount;
};

/// Fetches what sample() and gradient() read at these positions along the slab axis. Collective.
[[nodiscard]] Result<void> fetch_around(const FieldStore& store, std::span<const float> positions,
                                        std::uint32_t component);

/// Portions go to the ranks that have their cells, and are added there: rank after rank, those of each in
/// their order. Collective. Errors: kNotFinite (a cell that would not be finite).
[[nodiscard]] Result<void> hand_out(FieldStore& store, std::span<const Portion> portions,
                                    std::uint32_t component);

}  // namespace juxta::grid_detail
