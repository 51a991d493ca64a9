// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: world boxes of many nodes.
#pragma once

#include <cstddef>

#include "juxta/math/aabb.h"
#include "juxta/math/qvvs.h"

namespace juxta::transform_detail {

/// out[i] = world_box(transforms[i], local[i]). `out` may be `local`. Undefined below SSE4.2 (see
/// active_isa()).
void box_nodes(const Qvvs* transforms, const Aabb3* local, Aabb3* out, std::size_t count) noexcept;

/// The plain twin: the same bits, node by node.
void box_nodes_reference(const Qvvs* transforms, const Aabb3* local, Aabb3* out, std::size_t count) noexcept;

}  // namespace juxta::transform_detail
