// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/study/sweep.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "study/ledger.h"

namespace juxta {
namespace {

using study_detail::Ledger;

constexpr std::size_t kNobody = ~std::size_t{0};

/// What all threads of a sweep share.
class Work {
 public:
  Work(Ledger& ledger, Monitor* monitor) : ledger_(ledger), monitor_(monitor), finished_(ledger.finished()) {}

  Result<SweepResult> run(const Executor& executor) {
    const std::vector<std::size_t> open = ledger_.unfinished();
    if (goes_on(kNobody)) {
      executor.parallel_for(open.size(), 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
          run_one(open[i]);
        }
      });
    }
    auto result = ledger_.finish(cancelled_);
    if (result) {
      const std::size_t all = ledger_.sweep().replicas();
      (void)report(monitor_, "replicas", all, all);  // nothing is left to cancel
    }
    return result;
  }

 private:
  /// Asked between any two steps. An error of a replica ends those behind it alone: the lowest one that fails
  /// is then the same for any executor.
  bool goes_on(std::size_t replica) {
    if (std::this_thread::get_id() == caller_ && !cancelled_ &&
        !report(monitor_, "replicas", finished_, ledger_.sweep().replicas())) {
      cancelled_ = true;
    }
    return !cancelled_ && !unwritable_ && (replica == kNobody || replica < failed_);
  }

  void run_one(std::size_t replica) {
    if (!goes_on(replica)) {
      return;
    }
    auto outcome = study_detail::outcome_of(ledger_.sweep(), replica, [&] { return goes_on(replica); });
    if (!outcome) {
      return;  // the ledger or run() knows why
    }
    const std::lock_guard lock(mutex_);
    if (!ledger_.note(std::move(*outcome))) {
      unwritable_ = true;
    }
    finished_ = ledger_.finished();
    failed_ = ledger_.first_failed();
  }

  Ledger& ledger_;  // under mutex_ while replicas run
  Monitor* monitor_;
  std::mutex mutex_;
  std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::size_t> finished_;
  std::atomic<std::size_t> failed_ = kNobody;  // the lowest replica that failed
  std::atomic<bool> cancelled_ = false, unwritable_ = false;
};

}  // namespace

std::size_t Sweep::replicas() const noexcept {
  std::size_t count = seeds.size();
  if (together && !vary.empty()) {
    const std::size_t samples = vary.front().second.size();
    const bool fits = samples == 0 || count <= std::numeric_limits<std::size_t>::max() / samples;
    return fits ? count * samples : std::numeric_limits<std::size_t>::max();
  }
  for (const auto& [name, values] : vary) {
    const bool fits = values.empty() || count <= std::numeric_limits<std::size_t>::max() / values.size();
    count = fits ? count * values.size() : std::numeric_limits<std::size_t>::max();
  }
  return count;
}

Result<SweepResult> run_sweep(const Sweep& sweep, const SweepOptions& options, const Context& context) {
  JUXTA_TRY_LET(Ledger ledger, Ledger::open(sweep, options.journal));
  return Work(ledger, context.monitor).run(executor_or_serial(context.executor));
}

}  // namespace juxta
