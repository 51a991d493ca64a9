// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "juxta/core/error.h"
#include "juxta/study/table.h"

namespace juxta {

/// The runs of a sweep to look at: curves side by side, a panel for each combination of what varies. Borrows.
struct ViewedSweep {
  std::string title;
  /// As run_sweep() makes it (docs/formats/sweep.md): the columns replica, seed, what varies, step, and what
  /// is reported; a replica's rows stand together, in the order of its steps.
  const Table& table;
};

/// Whether its columns are those of a sweep. Errors: kInvalidArgument.
[[nodiscard]] Result<void> check_sweep(const ViewedSweep& sweep);

}  // namespace juxta
