// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: pairs in ascending order.
#pragma once

#include <span>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/pair.h"

namespace juxta::layer_detail {

/// Sorts by (a, b), in place: one radix sort of words that hold no more bits than the numbers need, which is
/// two thirds of the time that a << 32 | b takes. About 10 ns a pair. Errors: kTooLarge.
[[nodiscard]] Result<void> order_pairs(std::span<Pair> pairs, Workspace& workspace, const Executor* executor);

}  // namespace juxta::layer_detail
