// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: whose turn it is.
#pragma once

#include <cstdint>
#include <span>

#include "juxta/core/id_table.h"
#include "juxta/core/workspace.h"

namespace juxta::agents_detail {

/// Sorts rows by (key, generation and slot of the Id that stands there); keys[i] is that of rows[i], and all
/// rows are there, ascending. As many keys as rows.
void activation_order(std::span<std::uint64_t> keys, std::span<std::uint32_t> rows, const IdTable& ids,
                      Workspace& scratch);

}  // namespace juxta::agents_detail
