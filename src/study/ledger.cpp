// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study/ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/path.h"
#include "juxta/core/try.h"
#include "juxta/study/sweep_ledger.h"
#include "study/replica.h"

namespace juxta {
namespace study_detail {
namespace {

using Kind = ReplicaOutcome::Kind;

constexpr std::string_view kDiverged = "diverged", kFailed = "failed";

}  // namespace

Result<ReplicaOutcome> outcome_of(const Sweep& sweep, std::size_t replica, FunctionRef<bool()> goes_on) {
  bool stopped = false;
  Replica one(sweep, replica);
  auto rows = one.run([&] {
    stopped = !goes_on();
    return !stopped;
  });
  if (stopped) {
    return tl::unexpected<Error>(std::move(rows.error()));
  }
  ReplicaOutcome outcome;
  outcome.rows.replica = replica;
  if (rows) {
    outcome.rows = std::move(*rows);
  } else {
    outcome.kind = one.diverged() ? Kind::kDiverged : Kind::kFailed;
    outcome.error = std::move(rows.error());
  }
  return outcome;
}

//   failed | 17 | 3      what became of it, the replica, the code, with tabs; below it the message
std::string outcome_text(const ReplicaOutcome& outcome) {
  if (outcome.kind == Kind::kRows) {
    return group_text(outcome.rows);
  }
  return fmt::format("{}\t{}\t{}\n{}", outcome.kind == Kind::kDiverged ? kDiverged : kFailed,
                     outcome.rows.replica, static_cast<int>(outcome.error.code), outcome.error.message);
}

Result<ReplicaOutcome> read_outcome(const Sweep& sweep, std::string_view text) {
  ReplicaOutcome outcome;
  std::size_t groups = 0;
  const std::size_t read =
      read_groups(text, sweep.replicas(), rows_of_replica(sweep), [&](ReplicaRows&& rows) {
        outcome.rows = std::move(rows);
        ++groups;
      });
  if (groups == 1 && read == text.size()) {
    return outcome;
  }
  const std::size_t end = text.find('\n');
  const auto cells = cells_of(text.substr(0, end));
  int code = 0;
  if (groups != 0 || end == std::string_view::npos || cells.size() != 3 ||
      (cells[0] != kDiverged && cells[0] != kFailed) || !reads_number(cells[1], outcome.rows.replica) ||
      outcome.rows.replica >= sweep.replicas() || !reads_number(cells[2], code) || code < 0 ||
      code > std::numeric_limits<std::uint8_t>::max()) {
    return fail(ErrorCode::kParse, "this is not what became of a replica of this sweep");
  }
  outcome.kind = cells[0] == kDiverged ? Kind::kDiverged : Kind::kFailed;
  outcome.error.code = static_cast<ErrorCode>(code);
  outcome.error.message = text.substr(end + 1);
  outcome.error.index = outcome.rows.replica;
  return outcome;
}

Result<Ledger> Ledger::open(const Sweep& sweep, std::string_view journal) {
  JUXTA_TRY(check_sweep(sweep));
  Ledger ledger(sweep);
  if (!journal.empty()) {
    const auto take = [&](ReplicaRows&& found) { ledger.keep(std::move(found)); };
    JUXTA_TRY_LET(auto opened, SweepJournal::open(path_of(journal), fingerprint(sweep), sweep.replicas(),
                                                  rows_of_replica(sweep), take));
    ledger.journal_.emplace(std::move(opened));
  }
  ledger.resumed_ = ledger.finished_;
  return ledger;
}

std::vector<std::size_t> Ledger::unfinished() const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (!all_[i]) {
      open.push_back(i);
    }
  }
  return open;
}

Result<void> Ledger::note(ReplicaOutcome outcome) {
  if (outcome.kind == Kind::kDiverged) {
    diverged_.push_back(std::move(outcome.error));  // of this replica alone: the others go on
    return {};
  }
  if (outcome.kind == Kind::kFailed) {
    if (outcome.rows.replica < failed_) {
      failed_ = outcome.rows.replica;
      error_ = std::move(outcome.error);
    }
    return {};
  }
  if (journal_ && !unwritten_) {
    if (auto added = journal_->add(outcome.rows); !added) {
      unwritten_ = std::move(added.error());
    }
  }
  keep(std::move(outcome.rows));
  return unwritten_ ? Result<void>(tl::unexpected(*unwritten_)) : Result<void>();
}

void Ledger::keep(ReplicaRows&& rows) {
  const auto columns = std::ranges::find(columns_, rows.columns);
  const auto number = static_cast<std::size_t>(columns - columns_.begin());
  if (columns == columns_.end()) {
    columns_.push_back(std::move(rows.columns));
  }
  finished_ += all_[rows.replica] ? 0 : 1;
  all_[rows.replica] = Finished{number, std::move(rows.values)};
}

Result<SweepResult> Ledger::finish(bool cancelled) {
  if (unwritten_) {
    return tl::unexpected(*unwritten_);
  }
  if (journal_) {
    JUXTA_TRY(journal_->flush());
  }
  if (cancelled) {
    return fail(ErrorCode::kCancelled,
                fmt::format("the sweep was cancelled; {} of {} replicas are finished{}", finished_,
                            all_.size(), journal_ ? " and in the journal: start it again to go on" : ""));
  }
  if (failed_ != ~std::size_t{0}) {
    return tl::unexpected(error_);
  }
  std::ranges::sort(diverged_, {}, &Error::index);
  return table().map([&](Table&& whole) {
    return SweepResult{std::move(whole), resumed_, std::move(diverged_)};
  });
}

Result<Table> Ledger::table() const {
  // A seed that does not fit into a whole number of a table is rounded.
  const bool fit = std::ranges::none_of(sweep_.seeds, [](std::uint64_t seed) { return seed >> 63 != 0; });
  std::vector<TableColumn> columns = {{"replica", CellKind::kWhole},
                                      {"seed", fit ? CellKind::kWhole : CellKind::kNumber}};
  for (const auto& [name, values] : sweep_.vary) {
    columns.push_back({name, CellKind::kNumber});
  }
  const auto front = std::ranges::find_if(all_, [](const auto& finished) { return finished.has_value(); });
  if (front != all_.end()) {
    const auto& reported = columns_[(*front)->columns];
    columns.insert(columns.end(), reported.begin(), reported.end());
  }
  const std::size_t first_reported = 2 + sweep_.vary.size();
  const std::size_t width = columns.size() - first_reported;
  Table table = Table::of(std::move(columns));
  std::vector<Cell> row;
  for (std::size_t number = 0; number < all_.size(); ++number) {
    if (!all_[number]) {
      continue;  // it diverged
    }
    const Finished& finished = *all_[number];
    if (finished.columns != (*front)->columns) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("replica {} reports other columns than replica {}: the model must report the "
                              "same for all parameters; if it was changed, remove the journal",
                              number, front - all_.begin()),
                  number);
    }
    const Replica replica(sweep_, number);
    for (std::size_t at = 0; at < finished.values.size(); at += width) {
      row.clear();
      row.emplace_back(static_cast<std::int64_t>(number));
      if (fit) {
        row.emplace_back(static_cast<std::int64_t>(replica.seed()));
      } else {
        row.emplace_back(static_cast<double>(replica.seed()));
      }
      row.insert(row.end(), replica.values().begin(), replica.values().end());
      const auto begin = finished.values.begin() + static_cast<std::ptrdiff_t>(at);
      row.insert(row.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
      table.append(row);
    }
  }
  return table;
}

}  // namespace study_detail

struct SweepLedger::State {
  study_detail::Ledger ledger;
};

SweepLedger::SweepLedger(Owned<State> state) noexcept : state_(std::move(state)) {}

Result<SweepLedger> SweepLedger::open(const Sweep& sweep, const SweepOptions& options) {
  JUXTA_TRY_LET(study_detail::Ledger ledger, study_detail::Ledger::open(sweep, options.journal));
  return SweepLedger(make_owned<State>(State{std::move(ledger)}));
}

std::vector<std::size_t> SweepLedger::unfinished() const {
  return state_->ledger.unfinished();
}

Result<void> SweepLedger::note(std::string_view outcome) {
  JUXTA_TRY_LET(auto read, study_detail::read_outcome(state_->ledger.sweep(), outcome));
  return state_->ledger.note(std::move(read));
}

bool SweepLedger::is_needless(std::size_t replica) const noexcept {
  return replica > state_->ledger.first_failed();
}

std::size_t SweepLedger::finished() const noexcept {
  return state_->ledger.finished();
}

Result<SweepResult> SweepLedger::finish(bool cancelled) {
  return state_->ledger.finish(cancelled);
}

Result<std::string> run_replica(const Sweep& sweep, std::size_t replica, FunctionRef<bool()> goes_on) {
  return study_detail::outcome_of(sweep, replica, goes_on).map(study_detail::outcome_text);
}

}  // namespace juxta
