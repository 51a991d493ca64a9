// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "juxta/core/task_trace.h"

// Fork-join work as it was recorded, and how long it takes on some workers.
//
//   strand 0 --- loop 0 ------------- strand 5      a strand runs on one worker, without a wait
//                 task 0: strand 1         |        a loop begins where a strand ends, and its tasks may
//                 task 1: strand 2 -- loop 1 ...    run side by side; the strand after it waits for all
//                 task 2: strand 4

namespace juxta::core_detail {

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

struct Strand {
  double ns = 0;
  std::uint32_t loop = kNoIndex;    // begins at its end; kNoIndex: its task ends
  std::uint32_t parent = kNoIndex;  // the loop of its task; kNoIndex: the whole
  std::uint32_t after = kNoIndex;   // the loop that it follows; kNoIndex: it is the first of its task
};

struct Loop {
  std::uint32_t site = 0;
  std::uint32_t first_task = 0;  // in TaskGraph::tasks
  std::uint32_t tasks = 0;
  std::uint32_t next = kNoIndex;  // the strand after it
};

struct TaskGraph {
  std::vector<Strand> strands;  // in the order of one thread
  std::vector<Loop> loops;
  std::vector<std::uint32_t> tasks;  // first strand of each
};

/// Plays the graph on `workers`, each of which takes the ready strand that comes first in the order of one
/// thread. Returns when the last one ends. `lost_ns`, if not null, gets for each strand its share of the time
/// in which workers were idle while it ran, divided by the number of workers.
[[nodiscard]] double play(const TaskGraph& graph, std::size_t workers, const HandOver& cost,
                          std::vector<double>* lost_ns = nullptr);

/// The longest chain of strands that wait for each other.
[[nodiscard]] double longest_chain(const TaskGraph& graph);

}  // namespace juxta::core_detail
