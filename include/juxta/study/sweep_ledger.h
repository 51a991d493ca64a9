// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/owned.h"
#include "juxta/study/sweep.h"

namespace juxta {

/// Runs one replica, on this thread, and tells what became of it: text for SweepLedger::note(), on this
/// machine or another one. `goes_on` is asked between any two steps. For a sweep that SweepLedger::open()
/// took. Errors: kCancelled (it said no). An error of the model is part of the text.
[[nodiscard]] Result<std::string> run_replica(const Sweep& sweep, std::size_t replica,
                                              FunctionRef<bool()> goes_on);

/// What a sweep has finished, for those who hand out replicas themselves, say to other machines; run_sweep()
/// does it on this one. Experimental.
///
/// Threads: one at a time.
class SweepLedger {
 public:
  /// Takes what the journal holds. `sweep` lives for as long as the ledger. Errors: those of run_sweep() for
  /// a sweep and a journal.
  [[nodiscard]] static Result<SweepLedger> open(const Sweep& sweep, const SweepOptions& options = {});

  /// Replicas of which nothing is known, ascending. Hand them out in this order.
  [[nodiscard]] std::vector<std::size_t> unfinished() const;
  /// What run_replica() told; into the journal at once. Errors: kIo, kParse (another text).
  [[nodiscard]] Result<void> note(std::string_view outcome);
  /// No need to begin this replica or to go on with it: one before it failed.
  [[nodiscard]] bool is_needless(std::size_t replica) const noexcept;
  /// How many finished, those in the journal included.
  [[nodiscard]] std::size_t finished() const noexcept;

  /// The table of what was noted; call it once. `cancelled`: somebody asked the sweep to stop, which is its
  /// error then. Errors: those of run_sweep().
  [[nodiscard]] Result<SweepResult> finish(bool cancelled);

 private:
  struct State;
  explicit SweepLedger(Owned<State> state) noexcept;
  Owned<State> state_;
};

}  // namespace juxta
