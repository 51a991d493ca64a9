// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/executor.h"

namespace juxta::order_detail {

/// identity_order() on many threads.
void fill_identity(std::span<std::uint32_t> order, const Executor& executor);

}  // namespace juxta::order_detail
