// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what the questions to a snapshot share.
#pragma once

#include <cstddef>
#include <optional>

#include "juxta/ranked/cursor.h"
#include "ranked/live_store.h"

namespace juxta::ranked_detail {

/// Where a cursor of slots stands among frozen indices; none: before all of them.
[[nodiscard]] std::optional<RankedCursor> frozen_cursor(const LiveTypes& types,
                                                        const LiveGeneration& generation,
                                                        const RankedCursor& after);

/// How many more than k answers to ask the frozen index for, of whose points so many are gone: as many as
/// there would be if these were spread evenly, and two standard deviations.
[[nodiscard]] std::size_t spare_for(std::size_t k, std::size_t gone, std::size_t frozen) noexcept;

/// Of the point at a place in the order of ranks of all points of a state, which has it. Cost: top() of as
/// many.
[[nodiscard]] LiveOrder live_order_at(const LiveStore& store, const LiveState& state, LiveScratch& scratch,
                                      std::size_t place);

}  // namespace juxta::ranked_detail
