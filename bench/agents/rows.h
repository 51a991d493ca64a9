// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

#include "bench/agents/clock.h"
#include "bench/agents/contenders.h"
#include "bench/agents/crowd.h"

namespace juxta::bench {

/// A row `workload/contender` for each contender. The time is that of one step. A contender is made and
/// checked when its row first runs; one that cannot be had has a row that says so. Contenders that tell the
/// Phases of a step have those as counters.
void add_rows(const std::string& workload, const SharedCrowd& crowd, std::span<const Contender> contenders,
              Clock clock = Clock::kProcessor);

// Each registers its rows. Crowds are made when a row first runs.
void register_flocks();       ///< flock_*: the published boids
void register_visits();       ///< visit_*: a sum over some 30 neighbours
void register_tay();          ///< tay_*, clumped: Tay's own test
void register_tay_widths();   ///< tay_width_*: the same with partitions of several widths
void register_tay_threads();  ///< threads_tay: the same on one thread and two
void register_threads();      ///< threads_*: one thread and two, by the wall clock
void register_density();      ///< density_*: sort() and see() from 1 to 100 neighbours, beside a plain grid
void register_crowded();      ///< crowded_*: the same with most agents in a hundredth of the space
void register_frames();       ///< flock_frame: how many boids fit into a frame of 60 Hz
void register_growth();       ///< growth_*: the same density, from 10 thousand boids to 10 million
void register_lists();        ///< lists_*: neighbours written out, beside a plain grid and nanoflann

}  // namespace juxta::bench
