// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what changed, and when.
#pragma once

#include <cstdint>

#include "transform/tile.h"

namespace juxta::transform_detail {

/// Notes that the marked rows of a tile, whose world transforms were just computed, changed in this version.
/// The first time a node is among them its history begins.
void record(Tile& tile, const RowMask& marks, std::uint32_t version, MaskWords words = {}) noexcept;

}  // namespace juxta::transform_detail
