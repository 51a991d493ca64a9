// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which things a click, a rectangle or a lasso means: decided by the engine for all that there are, drawn or
// not, in double.
#pragma once

#include <cstddef>

#include "juxta/view/viewed_world.h"
#include "view/exchange.h"

namespace juxta::view_detail {

/// A thing as an answer tells it.
[[nodiscard]] Json row_of(const ViewedWorld& world, const ViewInfo& info, std::size_t group, std::size_t row);

[[nodiscard]] Answer pick(const ViewedWorld& world, const ViewInfo& info, const Json& body);
[[nodiscard]] Answer select(const ViewedWorld& world, const ViewInfo& info, const Json& body);
[[nodiscard]] Answer entity(const ViewedWorld& world, const ViewInfo& info, const Json& body);

}  // namespace juxta::view_detail
