// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: worlds from C and back.
#pragma once

#include "juxta/c/world.h"
#include "juxta/core/error.h"
#include "juxta/math/world.h"

namespace juxta::c_detail {

/// NULL is the default world. Errors: kInvalidArgument (wrong cookie, an edge of no known kind).
[[nodiscard]] Result<World> cpp_world(const juxta_world* given);
[[nodiscard]] juxta_world c_world(const World& world) noexcept;

}  // namespace juxta::c_detail
