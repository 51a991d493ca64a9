// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The rows of bench_models, a file for each model. Contenders of a workload do the same steps from the same
// state.
#pragma once

namespace juxta::bench {

void add_flocking_rows();
void add_schelling_rows();
void add_wolf_sheep_rows();
void add_lennard_jones_rows();
void add_dam_break_rows();
void add_epidemic_rows();

}  // namespace juxta::bench
