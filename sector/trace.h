// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who worked when: an executor that notes every task, and a file that Perfetto (ui.perfetto.dev) and
// chrome://tracing open.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "sector/tick.h"

namespace juxta::sector {

/// Runs tasks on another executor and notes thread, begin and end of each, under the stage that runs.
/// Never changes a result.
///
/// Threads: parallel_for() and the tasks as the other executor; begin(), end() and write() between them.
/// Memory:  24 bytes each for the last `most` tasks and stages: long runs forget the earliest.
/// Cost:    two looks at the clock and a lock for each task, about 0.1 us.
class TracingExecutor final : public Executor, public StageListener {
 public:
  explicit TracingExecutor(const Executor& on, std::size_t most = std::size_t{1} << 20);
  ~TracingExecutor() override;
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override;
  void begin(std::size_t stage) override;
  void end(std::size_t stage) override;
  /// Trace-event JSON of complete events ("ph": "X", microseconds since this was made): a row of stages, and
  /// one of tasks for each thread, the calling one first. Errors: kIo.
  [[nodiscard]] Result<void> write(const std::filesystem::path& path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace juxta::sector
