// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: many transforms as tiles hold them.
#pragma once

#include <span>

#include "transform/store.h"

namespace juxta::transform_detail {

/// out[i] = the world (local) transform that is stored for ids[i]. Errors: kInvalidArgument (lengths);
/// kNotFound: nothing is written.
[[nodiscard]] Result<void> read_stored(const HierarchyStore& store, std::span<const Id> ids,
                                       std::span<Qvvs> out);
[[nodiscard]] Result<void> read_stored(const HierarchyStore& store, std::span<const Id> ids,
                                       std::span<LocalTransform> out);

}  // namespace juxta::transform_detail
