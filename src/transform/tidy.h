// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: puts nodes beside their parents again, a few tiles at a time.
#pragma once

#include <cstddef>

#include "transform/store.h"

namespace juxta::transform_detail {

/// Where more than a few nodes in a hundred are linked, or too many rows are empty, moves nodes of the next
/// tiles in turn, as many as what was done since has earned (HierarchyStore::debt): the cost of a change of
/// the tree is paid once, with the next propagation, and no propagation pays for more than what was done
/// before it. How many nodes moved.
std::size_t tidy(HierarchyStore& store);

}  // namespace juxta::transform_detail
