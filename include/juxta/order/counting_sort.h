// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/core/export.h"

namespace juxta {

/// Groups elements by cell. cells[i] < cell_count is the cell of element i; afterwards the elements of cell c
/// are order[offsets[c]] ... order[offsets[c + 1] - 1], ascending (stable), and offsets[cell_count] is n.
///
/// Cost:    O(n + cell_count): one distribution for up to 2048 cells or 32,768 elements, else two.
/// Memory:  from the workspace, some 8 bytes an element.
/// Threads: uses the executor's. The result is the same for any executor.
/// Errors:  kInvalidArgument (order not as long as cells, offsets not cell_count + 1 long, a cell out of
///          range with the first such element), kTooLarge (more than 2^32 - 2 elements). Then order and
///          offsets are unspecified.
[[nodiscard]] JUXTA_API Result<void> counting_sort(std::span<const std::uint32_t> cells,
                                                   std::uint32_t cell_count, std::span<std::uint32_t> offsets,
                                                   std::span<std::uint32_t> order,
                                                   const Context& context = {});

}  // namespace juxta
