// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from a plan to an order of rows and the directory over it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "agents/plan_grid.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Where agents stand, column by column; extents are null for points, and so is z in 2D.
struct Places {
  std::array<const float*, 3> position{}, extents{};
  std::size_t count = 0;
};

enum class Rows : std::uint8_t {
  kToSort,  ///< `order` gets the rows in the order of space, stable.
  kSorted,  ///< They stand in it, by all that is known: `order` gets 0, 1, 2, ... if that is true.
};

/// Makes the directory of rows in their new order. Errors: those of the sorts; none for sound input.
[[nodiscard]] Result<void> arrange(Directory& directory, const Plan& plan, const Places& places, Rows rows,
                                   std::span<std::uint32_t> order, Workspace& scratch,
                                   const Executor& executor);

}  // namespace juxta::agents_detail
