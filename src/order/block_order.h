// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: check_boxes() and block_order() share one reading of the boxes.
#pragma once

#include "juxta/order/block_order.h"
#include "order/box_codes_kernel.h"

namespace juxta::order_detail {

/// The range of centres, and whether all boxes are sound. For a CPU that is known to be supported.
template <int D>
[[nodiscard]] CentreRange<D> range_of_all(std::span<const Aabb<D>> boxes, const Executor& executor);

/// The range of centres of sound boxes; errors as check_boxes(), and kUnsupportedCpu.
template <int D>
[[nodiscard]] Result<CentreRange<D>> checked_range(std::span<const Aabb<D>> boxes, const Executor& executor);

/// Writes the order of sound boxes with these centres; `order` is as long as `boxes`.
template <int D>
void order_boxes(std::span<const Aabb<D>> boxes, const CentreRange<D>& range, std::span<std::uint32_t> order,
                 Workspace& workspace, const Executor& executor, OrderQuality quality = OrderQuality::kFast);

/// Splits order[] at medians of the centres, the longest axis first, so that every aligned run of 16, 256,
/// ... boxes is compact; ties by index. Runs on the executor's threads.
template <int D>
void split_at_medians(std::span<const Aabb<D>> boxes, std::span<std::uint32_t> order, Workspace& workspace,
                      const Executor& executor);

}  // namespace juxta::order_detail
