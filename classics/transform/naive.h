// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "classics/transform/chunk_world.h"
#include "juxta/core/id.h"
#include "juxta/math/qvvs.h"

namespace juxta::classics {

/// Where an entity stands according to the roots and the locals above it and nothing else: no buffer of
/// children, no depth, no version, no world transform but the root's. The plain truth for tests. Stretch and
/// context are the entity's own, unless it copies its parent. O(depth).
[[nodiscard]] Qvvs naive_world_of(const ChunkWorld& world, Id id);

}  // namespace juxta::classics
