// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "bench/agents/consumer/world.h"
#include "bench/agents/crowd.h"

namespace juxta::bench {

/// Two steps of a new world, each held against all pairs of the agents as they stood before; gives up where
/// anything differs. Of large crowds some agents are checked, evenly among all.
///   flocks         positions and velocities to 1e-5
///   visits, Tay    counts exactly, sums to 1e-5 of the sum of magnitudes, positions and velocities to the
///   bit
void check_world(World& world, const Crowd& crowd, const std::string& row);

}  // namespace juxta::bench
