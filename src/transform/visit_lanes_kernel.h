// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: systems and readers for 64 rows of a tile, sixteen at a time. Undefined below SSE4.2 (see
// active_isa()).
#pragma once

#include <cstdint>

#include "juxta/core/function_ref.h"
#include "juxta/transform/lanes.h"
#include "transform/tile.h"

namespace juxta::transform_detail {

class SystemRun;
struct HierarchyStore;

/// Calls the system of a run for the nodes of a word of a tile, whose first row is `base` in the hierarchy.
/// Locals of the tile are asked for ahead, then those of `next` (null: there is none). The rows that were
/// written, which are not marked yet.
std::uint64_t write_word(SystemRun& run, Tile& tile, const Tile* next, std::uint32_t word, Row base) noexcept;

/// Calls a reader for the marked rows of a word, with the transforms of `world`. `cold`: rows of which the
/// stretch is not 1 or the context not 0.
void read_word(const HierarchyStore& store, const Tile& tile, const TransformColumn& world,
               std::uint32_t word, std::uint64_t marks, std::uint64_t cold,
               FunctionRef<void(const WorldLanes&)> reader) noexcept;

}  // namespace juxta::transform_detail
