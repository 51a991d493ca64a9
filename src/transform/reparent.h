// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: nodes get other parents.
#pragma once

#include "transform/store.h"

namespace juxta::transform_detail {

/// Hangs a row, with all below it, under `parent` (kNoRow: makes it a root), which is not below it.
void move_under(HierarchyStore& store, Row row, Row parent, Keep keep);

}  // namespace juxta::transform_detail
