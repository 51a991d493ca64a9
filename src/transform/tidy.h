// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: puts nodes beside their parents again, a few tiles at a time.
#pragma once

#include <cstddef>

#include "transform/store.h"

namespace juxta::transform_detail {

/// After so many changes of the tree: where more than a few nodes in a hundred are linked, or too many rows
/// are empty, moves nodes of the next tiles in turn, as many as what was done since has earned
/// (HierarchyStore::debt). Each change pays for itself, soon after it was made and some two thousand nodes at
/// a time; propagate() pays for none.
void tidy(HierarchyStore& store, std::size_t changes);

}  // namespace juxta::transform_detail
