// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/core/context.h"
#include "juxta/core/error.h"
#include "juxta/study/model.h"
#include "juxta/study/table.h"
#include "juxta/study/until.h"

namespace juxta {

/// Every combination of some values of some parameters, or a sample of them, each with every seed: a replica
/// is one run.
struct Sweep {
  const ModelInfo* model = nullptr;
  Parameters parameters;  ///< Of all replicas, but for those that vary.
  std::uint32_t steps = 0;
  std::uint32_t every =
      0;  ///< Rows of the table: every so many steps from step 0 on; 0: the last step alone.
  /// A replica ends before `steps` when what it reports meets this. With `every`, the step that a replica
  /// ends at has a row too, whichever it is.
  std::optional<Until> until = {};
  std::vector<std::uint64_t> seeds;
  std::vector<std::pair<std::string, std::vector<double>>> vary;  ///< The first varies slowest.
  /// In place of every combination: the first values of all that vary, the second values of all, and so on,
  /// as sample() makes them (juxta/study/sample.h).
  bool together = false;

  [[nodiscard]] std::size_t replicas() const noexcept;
};

/// Reads a TOML file (docs/formats/sweep.md). Errors: kIo, kParse with the line: no TOML; a word that is not
/// known; a model, a preset or a parameter that is not there; a value out of its range, which is named; too
/// many replicas.
[[nodiscard]] Result<Sweep> read_sweep(std::string_view path, std::span<const ModelInfo> models);

struct SweepOptions {
  /// What finished is noted here at once, and not done again when the same sweep is started anew; empty:
  /// nowhere.
  std::string_view journal = {};
};

/// What a sweep did.
struct SweepResult {
  Table table;              ///< replica, seed, what varies, step, what was reported; by replica, then step.
  std::size_t resumed = 0;  ///< Replicas found in the journal.
  /// Replicas whose numbers left what their model allows, by number: kInvalidArgument, Error::index and a
  /// message. The table has no rows of them, and the journal does not note them.
  std::vector<Error> diverged = {};
};

/// Runs all replicas, side by side on the executor, each on one thread; the monitor is told of each that
/// ends. The result is a function of the sweep alone: not of threads, not of the order in which replicas
/// ended, not of interruptions. A replica that diverges is told in the result, and the others go on. Errors:
/// of the model otherwise, naming the replica; kCancelled, kIo: what had finished is in the journal.
///         kInvalidArgument: the journal is that of another sweep.
[[nodiscard]] Result<SweepResult> run_sweep(const Sweep& sweep, const SweepOptions& options = {},
                                            const Context& context = {});

}  // namespace juxta
