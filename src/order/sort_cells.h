// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: counting_sort() of cells that are known to be good.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::order_detail {

/// counting_sort() without its checks: every cell is below offsets.size() - 1, `order` is as long as `cells`,
/// and there is at least one.
void sort_cells(std::span<const std::uint32_t> cells, std::span<std::uint32_t> offsets,
                std::span<std::uint32_t> order, Workspace& workspace, const Executor& executor);

}  // namespace juxta::order_detail
