// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/executor.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/os.h"
#include "juxta/core/try.h"

#if defined(JUXTA_WITH_TBB)
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>
#endif

namespace juxta {

Executor::~Executor() = default;

namespace {

class SerialExecutor final : public Executor {
 public:
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    for (std::size_t first = 0; first < count;) {
      const std::size_t last = first + std::min(grain, count - first);
      body(first, last);
      first = last;
    }
  }
};

}  // namespace

const Executor& serial_executor() noexcept {
  static const SerialExecutor executor;
  return executor;
}

unsigned usable_threads() {
  return core_detail::usable_cpus();
}

#if defined(JUXTA_WITH_TBB)
namespace {

/// oneTBB starts no more workers than the affinity mask has CPUs, and warns on the error output about arenas
/// that want more, unless told that more are allowed. The lowest of all such permissions holds, so there is
/// one for all executors: as many as the largest of them wants.
class Allowance {
 public:
  explicit Allowance(unsigned threads) : threads_(threads) {
    const std::lock_guard lock(mutex());
    wanted().push_back(threads);
    allow_most();
  }
  Allowance(const Allowance&) = delete;
  Allowance& operator=(const Allowance&) = delete;
  ~Allowance() {
    const std::lock_guard lock(mutex());
    wanted().erase(std::ranges::find(wanted(), threads_));
    allow_most();
  }

 private:
  using Control = tbb::global_control;
  // Never destroyed: an executor may live until the end of the program.
  static std::mutex& mutex() {
    static auto* const one = new std::mutex;
    return *one;
  }
  static std::vector<unsigned>& wanted() {
    static auto* const one = new std::vector<unsigned>;
    return *one;
  }
  static void allow_most() {
    static auto* const control = new std::unique_ptr<Control>;
    static unsigned allowed = 0;
    const auto most = std::ranges::max_element(wanted());
    const unsigned now = most == wanted().end() ? 0 : *most;
    if (now != allowed) {
      allowed = now;
      auto next = now == 0 ? nullptr : std::make_unique<Control>(Control::max_allowed_parallelism, now);
      control->swap(next);  // the old one ends when the new one is there
    }
  }

  unsigned threads_;
};

constexpr unsigned kMostThreads = 1024;

/// Threads that are tried for an executor of `threads`, with the caller: some more, for what workers
/// allocate.
constexpr unsigned tried_for(unsigned threads) {
  return threads + 2 + threads / 16;
}

/// oneTBB ends the program when it cannot start a thread, so that is tried first.
Result<void> try_threads(unsigned threads) {
  if (threads == 1) {
    return {};
  }
  const std::size_t stack = tbb::global_control::active_value(tbb::global_control::thread_stack_size);
  const unsigned started = core_detail::startable_threads(tried_for(threads) - 1, stack) + 1;
  if (started == tried_for(threads)) {
    return {};
  }
  unsigned possible = threads - 1;
  while (possible > 1 && tried_for(possible) > started) {
    --possible;
  }
  return fail(ErrorCode::kIo, "the system does not start " + std::to_string(threads) +
                                  " threads: ask for at most " + std::to_string(possible) +
                                  ", or raise the limits of memory (ulimit -v) and of processes (ulimit -u)");
}

}  // namespace

struct TbbExecutor::Arena {
  explicit Arena(unsigned wanted) : threads(wanted), arena(static_cast<int>(wanted)) {
    if (threads > static_cast<unsigned>(tbb::info::default_concurrency())) {
      allowance.emplace(threads);
    }
    start_workers();
  }

  void run(std::size_t count, std::size_t grain, Body body) {
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t ranges = count / grain + (count % grain != 0 ? 1 : 0);
    if (ranges <= 1) {
      if (ranges == 1) {
        body(0, count);  // entering the arena would cost more than it brings
      }
      return;
    }
    // Over range numbers, so that the cut is ours and not the partitioner's.
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, ranges, [&](std::size_t i) {
        const std::size_t first = i * grain;
        body(first, first + std::min(grain, count - first));
      });
    });
  }

  /// Every thread waits for all others, so that as many workers are started; they then sleep until there is
  /// work. When another arena keeps workers busy, nobody waits for those that come late: the threads exist.
  void start_workers() {
    std::mutex mutex;
    std::condition_variable all_here;
    unsigned here = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    run(threads, 1, [&](std::size_t, std::size_t) {
      std::unique_lock lock(mutex);
      if (++here == threads) {
        all_here.notify_all();
      }
      all_here.wait_until(lock, deadline, [&] { return here == threads; });
    });
  }

  unsigned threads;
  std::optional<Allowance> allowance;
  tbb::task_arena arena;
};

Result<TbbExecutor> TbbExecutor::build(unsigned threads) {
  if (threads > kMostThreads) {
    return fail(ErrorCode::kInvalidArgument, "ask for at most " + std::to_string(kMostThreads) +
                                                 " threads, or 0 for as many as this process may use");
  }
  if (threads == 0) {
    threads = usable_threads();
  }
  try {
    JUXTA_TRY(try_threads(threads));
    return TbbExecutor(make_owned<Arena>(threads));
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of oneTBB: an arena or a limit that it could not make
    return fail(ErrorCode::kIo, std::string("oneTBB: ") + error.what());
  }
}

void TbbExecutor::parallel_for(std::size_t count, std::size_t grain, Body body) const {
  const_cast<Arena&>(*arena_).run(count, grain, body);  // oneTBB's own locks guard it
}
#else
struct TbbExecutor::Arena {
  unsigned threads = 1;
};

Result<TbbExecutor> TbbExecutor::build(unsigned) {
  return fail(ErrorCode::kInvalidArgument,
              "this library was built with JUXTA_TBB=OFF: build it with oneTBB, use serial_executor(), or "
              "implement juxta::Executor over your own threads");
}

void TbbExecutor::parallel_for(std::size_t count, std::size_t grain, Body body) const {
  serial_executor().parallel_for(count, grain, body);
}
#endif

TbbExecutor::TbbExecutor(Owned<Arena> arena) noexcept : arena_(std::move(arena)) {}
TbbExecutor::TbbExecutor(TbbExecutor&&) noexcept = default;
TbbExecutor& TbbExecutor::operator=(TbbExecutor&&) noexcept = default;
TbbExecutor::~TbbExecutor() = default;

unsigned TbbExecutor::threads() const noexcept {
  return arena_->threads;
}

}  // namespace juxta
