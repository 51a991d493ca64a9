// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "core/path.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "study/replica.h"
#include "study/sweep_journal.h"

namespace juxta {
namespace {

using study_detail::Replica;
using study_detail::ReplicaRows;
using study_detail::SweepJournal;

constexpr std::size_t kNobody = ~std::size_t{0};

/// What all threads of a sweep share.
class Work {
 public:
  Work(const Sweep& sweep, Monitor* monitor) : sweep_(sweep), monitor_(monitor), all_(sweep.replicas()) {}

  /// Takes what the journal holds, and notes there what finishes from now on.
  Result<void> resume(const std::filesystem::path& path) {
    const std::size_t rows = study_detail::rows_of_replica(sweep_);
    const auto take = [&](ReplicaRows&& found) { keep(std::move(found)); };
    return SweepJournal::open(path, study_detail::fingerprint(sweep_), all_.size(), rows, take)
        .map([&](SweepJournal&& journal) { journal_.emplace(std::move(journal)); });
  }
  [[nodiscard]] std::size_t finished() const noexcept { return finished_; }

  Result<void> run(const Executor& executor) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (!all_[i]) {
        open.push_back(i);
      }
    }
    if (goes_on(kNobody)) {
      executor.parallel_for(open.size(), 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          run_one(open[i]);
        }
      });
    }
    return outcome();
  }

  /// By replica.
  [[nodiscard]] std::vector<Error> diverged() {
    std::ranges::sort(diverged_, {}, &Error::index);
    return std::move(diverged_);
  }

  [[nodiscard]] Result<Table> table() const {
    std::vector<std::string> names = {"replica", "seed"};
    for (const auto& [name, values] : sweep_.vary) {
      names.push_back(name);
    }
    const auto front = std::ranges::find_if(all_, [](const auto& finished) { return finished.has_value(); });
    if (front != all_.end()) {
      const auto& reported = names_[(*front)->names];
      names.insert(names.end(), reported.begin(), reported.end());
    }
    const std::size_t first_reported = 2 + sweep_.vary.size();
    const std::size_t width = names.size() - first_reported;
    Table table(std::move(names));
    std::vector<double> row;
    for (std::size_t number = 0; number < all_.size(); ++number) {
      if (!all_[number]) {
        continue;  // it diverged
      }
      const Finished& finished = *all_[number];
      if (finished.names != (*front)->names) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("replica {} reports other columns than replica {}: the model must report the "
                                "same for all parameters; if it was changed, remove the journal",
                                number, front - all_.begin()),
                    number);
      }
      const Replica replica(sweep_, number);
      for (std::size_t at = 0; at < finished.values.size(); at += width) {
        row.assign({static_cast<double>(number), static_cast<double>(replica.seed())});
        row.insert(row.end(), replica.values().begin(), replica.values().end());
        const auto begin = finished.values.begin() + static_cast<std::ptrdiff_t>(at);
        row.insert(row.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
        table.append(row);
      }
    }
    return table;
  }

 private:
  /// Asked between any two steps. An error of a replica ends those behind it alone: the lowest one that fails
  /// is then the same for any executor.
  bool goes_on(std::size_t replica) {
    if (std::this_thread::get_id() == caller_ && !cancelled_ &&
        !report(monitor_, "replicas", finished_, all_.size())) {
      cancelled_ = true;
    }
    return !cancelled_ && !unwritable_ && (replica == kNobody || replica < failed_);
  }

  void run_one(std::size_t replica) {
    if (!goes_on(replica)) {
      return;
    }
    bool stopped = false;
    Replica one(sweep_, replica);
    auto rows = one.run([&] {
      stopped = !goes_on(replica);
      return !stopped;
    });
    if (stopped) {
      return;  // outcome() knows why
    }
    const std::lock_guard lock(mutex_);
    if (!rows && one.diverged()) {
      diverged_.push_back(std::move(rows.error()));  // of this replica alone: the others go on
      return;
    }
    if (!rows) {
      if (replica < failed_) {
        failed_ = replica;
        error_ = rows.error();
      }
      return;
    }
    if (journal_ && !unwritable_) {
      if (auto added = journal_->add(*rows); !added) {
        unwritable_ = true;
        unwritten_ = std::move(added.error());
      }
    }
    keep(std::move(*rows));
  }
  void keep(ReplicaRows&& rows) {
    const auto names = std::ranges::find(names_, rows.names);
    const auto number = static_cast<std::size_t>(names - names_.begin());
    if (names == names_.end()) {
      names_.push_back(std::move(rows.names));
    }
    finished_ += all_[rows.replica] ? 0 : 1;
    all_[rows.replica] = Finished{number, std::move(rows.values)};
  }

  Result<void> outcome() {
    if (unwritable_) {
      return tl::unexpected(unwritten_);
    }
    if (journal_) {
      JUXTA_TRY(journal_->flush());
    }
    if (cancelled_) {
      return fail(ErrorCode::kCancelled,
                  fmt::format("the sweep was cancelled; {} of {} replicas are finished{}", finished_.load(),
                              all_.size(), journal_ ? " and in the journal: start it again to go on" : ""));
    }
    if (failed_ != kNobody) {
      return tl::unexpected(error_);
    }
    (void)report(monitor_, "replicas", all_.size(), all_.size());  // nothing is left to cancel
    return {};
  }

  const Sweep& sweep_;
  Monitor* monitor_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<std::size_t> failed_ = kNobody;  // the lowest replica that failed
  std::atomic<bool> cancelled_ = false, unwritable_ = false;

  std::mutex mutex_;  // over all below
  struct Finished {
    std::size_t names;  // which of names_; one for all, unless the model is at fault
    std::vector<double> values;
  };
  std::vector<std::optional<Finished>> all_;
  std::vector<std::vector<std::string>> names_;
  std::optional<SweepJournal> journal_;
  Error error_, unwritten_;
  std::vector<Error> diverged_;
};

}  // namespace

std::size_t Sweep::replicas() const noexcept {
  std::size_t count = seeds.size();
  for (const auto& [name, values] : vary) {
    const bool fits = values.empty() || count <= std::numeric_limits<std::size_t>::max() / values.size();
    count = fits ? count * values.size() : std::numeric_limits<std::size_t>::max();
  }
  return count;
}

Result<SweepResult> run_sweep(const Sweep& sweep, const SweepOptions& options, const Context& context) {
  JUXTA_TRY(study_detail::check_sweep(sweep));
  Work work(sweep, context.monitor);
  if (!options.journal.empty()) {
    JUXTA_TRY(work.resume(path_of(options.journal)));
  }
  const std::size_t resumed = work.finished();
  return work.run(executor_or_serial(context.executor))
      .and_then([&] { return work.table(); })
      .map([&](Table&& table) {
        return SweepResult{std::move(table), resumed, work.diverged()};
      });
}

}  // namespace juxta
