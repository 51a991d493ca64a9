// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/study/sweep.h"

namespace juxta::tool {

/// run_sweep() over all ranks of MPI_COMM_WORLD: rank 0 hands out replicas one by one, notes what became of
/// them, and runs some itself. Only there has the result a table. Collective.
[[nodiscard]] Result<SweepResult> run_sweep_over_mpi(const Sweep& sweep, const SweepOptions& options,
                                                     Monitor& monitor);

}  // namespace juxta::tool
