// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the sort of curve codes, which is most of what ordering boxes costs.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"

namespace juxta::order_detail {

/// Sorts `codes`, and writes which one stood where: codes[i] was codes[order[i]]. Stable. `order` is as long
/// as `codes`, and there are fewer than 2^32 - 1.
void sort_codes(std::span<std::uint32_t> codes, std::span<std::uint32_t> order, Workspace& workspace,
                const Executor& executor);

}  // namespace juxta::order_detail
