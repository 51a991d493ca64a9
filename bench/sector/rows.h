// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "bench/support/settings.h"
#include "sector/scenario.h"

namespace juxta::bench {

// Each registers its rows; worlds are made when a row first runs.
void add_battle_rows();  ///< battle, mission5: whole ticks on one thread and on two
void add_stage_rows();   ///< stages/*: the same stages by the modules and by the classics
void add_radar_rows();   ///< radar_build: 100,000 ranked points, built anew each tick

/// A battle and how much of it; a small one where JUXTA_BENCH_POINTS allows for fewer nodes.
struct Play {
  sector::Scenario scenario;
  std::size_t warm_up, ticks;
};
[[nodiscard]] Play play_of(const char* preset, std::size_t nodes, std::size_t warm_up, std::size_t ticks);

}  // namespace juxta::bench
