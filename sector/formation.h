// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sector/launch.h"

namespace juxta::sector {

/// The ships of a battle that begins with fleets ([fleets] of the scenario). Each faction has its own side of
/// the world and flies towards the middle, all of a group at the speed of its slowest kind. Cruisers are in
/// the middle of a group, corvettes around them, fighters outside.
[[nodiscard]] std::vector<Launch> formation(const World& world);

}  // namespace juxta::sector
