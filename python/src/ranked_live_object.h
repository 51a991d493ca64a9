// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What juxta.LiveRankedPoints and juxta.RankedSnapshot hold.
#pragma once

#include <memory>
#include <utility>

#include "bind.h"
#include "guard.h"
#include "juxta/core/executor.h"
#include "juxta/ranked/live_points.h"

namespace juxta::python {

struct LiveObject : Guarded {
  std::shared_ptr<const Executor> executor;  // of the thread that merges
  LiveRankedPoints points;
  LiveObject(std::shared_ptr<const Executor> merging, LiveRankedPoints made)
      : executor(std::move(merging)), points(std::move(made)) {}
};

struct SnapshotObject : Guarded {
  RankedSnapshot snapshot;
  explicit SnapshotObject(RankedSnapshot taken) : snapshot(std::move(taken)) {}
};

/// The questions about places of both: nearest() and count_cells().
void bind_live_places(py::class_<SnapshotObject>& snapshot);
void bind_live_places(py::class_<LiveObject>& live);

}  // namespace juxta::python
