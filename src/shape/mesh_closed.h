// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: whether a mesh has an inside.
#pragma once

#include "juxta/core/context.h"
#include "shape/parts_store.h"

namespace juxta::shape_detail {

/// Finds out whether every edge belongs to two triangles which run along it in opposite directions, and keeps
/// the answer. From several threads at once: all find the same.
void find_closed(const MeshStore& store, const Context& context);

}  // namespace juxta::shape_detail
