// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a sweep has finished, and its table.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/function_ref.h"
#include "juxta/study/sweep.h"
#include "study/sweep_journal.h"

namespace juxta::study_detail {

/// What became of one replica.
struct ReplicaOutcome {
  enum class Kind { kRows, kDiverged, kFailed } kind = Kind::kRows;
  ReplicaRows rows;  // its number alone, unless kRows
  Error error;
};

/// All steps of a replica. Errors: kCancelled.
[[nodiscard]] Result<ReplicaOutcome> outcome_of(const Sweep& sweep, std::size_t replica,
                                                FunctionRef<bool()> goes_on);
/// The journal's group, or a word, the code and the message of an error.
[[nodiscard]] std::string outcome_text(const ReplicaOutcome& outcome);
/// Errors: kParse.
[[nodiscard]] Result<ReplicaOutcome> read_outcome(const Sweep& sweep, std::string_view text);

/// One thread at a time.
class Ledger {
 public:
  /// Errors: those of run_sweep() for a sweep and a journal.
  [[nodiscard]] static Result<Ledger> open(const Sweep& sweep, std::string_view journal);

  [[nodiscard]] std::vector<std::size_t> unfinished() const;
  /// Errors: kIo (of the journal; of all calls from then on).
  [[nodiscard]] Result<void> note(ReplicaOutcome outcome);
  [[nodiscard]] std::size_t first_failed() const noexcept { return failed_; }
  [[nodiscard]] std::size_t finished() const noexcept { return finished_; }
  [[nodiscard]] const Sweep& sweep() const noexcept { return sweep_; }
  [[nodiscard]] Result<SweepResult> finish(bool cancelled);

 private:
  explicit Ledger(const Sweep& sweep) : sweep_(sweep), all_(sweep.replicas()) {}
  void keep(ReplicaRows&& rows);
  [[nodiscard]] Result<Table> table() const;

  struct Finished {
    std::size_t columns;  // which of columns_; one for all, unless the model is at fault
    std::vector<Cell> values;
  };
  const Sweep& sweep_;
  std::vector<std::optional<Finished>> all_;
  std::vector<std::vector<TableColumn>> columns_;
  std::optional<SweepJournal> journal_;
  std::size_t finished_ = 0, resumed_ = 0;
  std::size_t failed_ = ~std::size_t{0};  // the lowest replica that failed
  Error error_;
  std::optional<Error> unwritten_;
  std::vector<Error> diverged_;
};

}  // namespace juxta::study_detail
