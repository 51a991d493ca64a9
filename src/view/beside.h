// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a page draws beside the things: overlays, and shapes of things that are near.
#pragma once

#include "juxta/view/viewed_world.h"
#include "view/exchange.h"

namespace juxta::view_detail {

/// Those of the world, and one that every world has: how many things are where.
[[nodiscard]] Json overlays_of(const ViewInfo& info);
[[nodiscard]] Answer overlay(const ViewedWorld& world, const ViewInfo& info, const Json& body);
[[nodiscard]] Answer shapes(const ViewedWorld& world, const ViewInfo& info, const Json& body);

}  // namespace juxta::view_detail
