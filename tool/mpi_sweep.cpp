// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Replicas over ranks. Two kinds of messages:
//
//   to a worker      an order: the number of a replica; kPause: leave the one under way; kEnd: no more
//   from a worker    an outcome: the text of run_replica(); nothing, at the start and from a replica left
//
// A worker has one replica at a time and answers each number with one outcome. Waiting sleeps and looks now
// and then: MPI's own waiting keeps a core busy, which a replica of the same machine may need.
#include "tool/mpi_sweep.h"

#include <juxta/cluster/mpi_ranks.h>
#include <juxta/study/sweep_ledger.h>
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "juxta/core/try.h"

namespace juxta::tool {
namespace {

using Order = std::int64_t;
constexpr Order kEnd = -1, kPause = -2, kNothing = -3;
constexpr int kOrderTag = 1, kOutcomeTag = 2;

void doze() {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

/// Until all ranks are here.
void meet() {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  for (int met = 0; met == 0;) {
    MPI_Test(&request, &met, MPI_STATUS_IGNORE);
    if (met == 0) {
      doze();
    }
  }
}

/// The order that has arrived, or kNothing.
Order fetch_order() {
  int arrived = 0;
  MPI_Iprobe(0, kOrderTag, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
  Order order = kNothing;
  if (arrived != 0) {
    MPI_Recv(&order, 1, MPI_INT64_T, 0, kOrderTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return order;
}

void send_outcome(const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, kOutcomeTag, MPI_COMM_WORLD);
}

void work(const Sweep& sweep) {
  send_outcome("");
  for (;;) {
    const Order order = fetch_order();
    if (order == kEnd) {
      return meet();
    }
    if (order < 0) {  // nothing yet, or a pause that came when its replica had ended
      doze();
      continue;
    }
    const auto outcome =
        run_replica(sweep, static_cast<std::size_t>(order), [] { return fetch_order() == kNothing; });
    send_outcome(outcome.value_or(""));
  }
}

/// The replica that rank 0 runs beside handing out: on a thread of its own, which does not call MPI.
class OwnReplica {
 public:
  explicit OwnReplica(const Sweep& sweep) : sweep_(sweep) {}
  ~OwnReplica() { pause(); }  // the future waits

  void begin(std::size_t replica) {
    paused_ = false;
    outcome_ = std::async(std::launch::async, [this, replica] {
      return run_replica(sweep_, replica, [this] { return !paused_; }).value_or("");
    });
  }
  void pause() noexcept { paused_ = true; }
  /// What became of it, if it has ended.
  std::optional<std::string> fetch() {
    if (!outcome_.valid() || outcome_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
      return {};
    }
    return outcome_.get();
  }

 private:
  const Sweep& sweep_;
  std::atomic<bool> paused_ = false;
  std::future<std::string> outcome_;
};

class Foreman {
 public:
  Foreman(const Sweep& sweep, SweepLedger& ledger, Monitor& monitor, int ranks)
      : sweep_(sweep),
        ledger_(ledger),
        monitor_(monitor),
        own_(sweep),
        open_(ledger.unfinished()),
        under_way_(static_cast<std::size_t>(ranks), kNothing),
        left_(under_way_.size()) {}

  Result<SweepResult> run() {
    give(0);
    while (left_ != 0) {
      if (!fetch_outcomes()) {
        doze();
      }
      const bool goes_on = monitor_.on_progress("replicas", ledger_.finished(), sweep_.replicas());
      cancelled_ = cancelled_ || !goes_on;
      pause_needless();
    }
    meet();
    return ledger_.finish(cancelled_);
  }

 private:
  /// The next replica for a rank that has none, or its end.
  void give(std::size_t rank) {
    const bool more =
        next_ < open_.size() && !cancelled_ && !unwritable_ && !ledger_.is_needless(open_[next_]);
    const Order order = more ? static_cast<Order>(open_[next_++]) : kEnd;
    under_way_[rank] = order;
    left_ -= more ? 0 : 1;
    if (rank != 0) {
      MPI_Send(&order, 1, MPI_INT64_T, static_cast<int>(rank), kOrderTag, MPI_COMM_WORLD);
    } else if (more) {
      own_.begin(static_cast<std::size_t>(order));
    }
  }

  bool fetch_outcomes() {
    bool any = false;
    if (const auto outcome = own_.fetch()) {
      note(0, *outcome);
      any = true;
    }
    for (int arrived = 1; arrived != 0;) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kOutcomeTag, MPI_COMM_WORLD, &arrived, &status);
      if (arrived != 0) {
        int bytes = 0;
        MPI_Get_count(&status, MPI_CHAR, &bytes);
        std::string outcome(static_cast<std::size_t>(bytes), '\0');
        MPI_Recv(outcome.data(), bytes, MPI_CHAR, status.MPI_SOURCE, kOutcomeTag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        note(static_cast<std::size_t>(status.MPI_SOURCE), outcome);
        any = true;
      }
    }
    return any;
  }

  void note(std::size_t rank, const std::string& outcome) {
    if (!outcome.empty() && !ledger_.note(outcome)) {
      unwritable_ = true;  // finish() tells why
    }
    give(rank);
  }

  /// Replicas under way that are of no use any more.
  void pause_needless() {
    for (std::size_t rank = 0; rank < under_way_.size(); ++rank) {
      Order& order = under_way_[rank];
      if (order < 0 || !(cancelled_ || unwritable_ || ledger_.is_needless(static_cast<std::size_t>(order)))) {
        continue;
      }
      order = kPause;
      if (rank == 0) {
        own_.pause();
      } else {
        MPI_Send(&order, 1, MPI_INT64_T, static_cast<int>(rank), kOrderTag, MPI_COMM_WORLD);
      }
    }
  }

  const Sweep& sweep_;
  SweepLedger& ledger_;
  Monitor& monitor_;
  OwnReplica own_;
  std::vector<std::size_t> open_;
  std::vector<Order> under_way_;  // by rank
  std::size_t next_ = 0, left_ = 0;
  bool cancelled_ = false, unwritable_ = false;
};

}  // namespace

Result<SweepResult> run_sweep_over_mpi(const Sweep& sweep, const SweepOptions& options, Monitor& monitor) {
  JUXTA_TRY_LET(auto ranks, MpiRanks::build(MPI_COMM_WORLD));
  if (ranks->rank() != 0) {
    JUXTA_TRY(agree(*ranks, {}));
    work(sweep);
    JUXTA_TRY(agree(*ranks, {}));
    return SweepResult{};
  }
  auto ledger = SweepLedger::open(sweep, options);
  JUXTA_TRY(agree(*ranks, ledger.map([](const SweepLedger&) {})));
  auto result = Foreman(sweep, *ledger, monitor, static_cast<int>(ranks->size())).run();
  JUXTA_TRY(agree(*ranks, result.map([](const SweepResult&) {})));
  return result;
}

}  // namespace juxta::tool
