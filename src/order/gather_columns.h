// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: gather() by an order that is known to be good.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/order/reorder.h"

namespace juxta::order_detail {

/// gather() without its checks: every entry of `order` is below each in_size, and each out_size is its
/// length.
void gather_columns(std::span<const std::uint32_t> order, std::span<const GatherColumn> columns,
                    const Executor& executor);

}  // namespace juxta::order_detail
