// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which worlds there may be.
#pragma once

#include "juxta/agents/world.h"
#include "juxta/core/error.h"

namespace juxta::agents_detail {

/// Errors: kInvalidArgument, kNotFinite, with the axis in Error::index.
[[nodiscard]] Result<void> check_world(const World& world);

}  // namespace juxta::agents_detail
