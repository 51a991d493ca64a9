// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/core/executor.h"

#include <algorithm>
#include <string>
#include <thread>

#if defined(JUXTA_WITH_TBB)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>
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

#if defined(JUXTA_WITH_TBB)
namespace {

class TbbExecutor final : public Executor {
 public:
  explicit TbbExecutor(unsigned threads) : arena_(static_cast<int>(threads)) {
    // oneTBB starts no more workers than the machine has threads, unless told that more are allowed.
    if (threads > std::max(std::thread::hardware_concurrency(), 1U)) {
      allow_.emplace(tbb::global_control::max_allowed_parallelism, threads);
    }
  }

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    const std::size_t ranges = count / grain + (count % grain != 0 ? 1 : 0);
    if (ranges <= 1) {
      if (ranges == 1) {
        body(0, count);  // entering the arena would cost more than it brings
      }
      return;
    }
    // Over range numbers, so that the cut is ours and not the partitioner's.
    arena_.execute([&] {
      tbb::parallel_for(std::size_t{0}, ranges, [&](std::size_t i) {
        const std::size_t first = i * grain;
        body(first, first + std::min(grain, count - first));
      });
    });
  }

 private:
  std::optional<tbb::global_control> allow_;
  mutable tbb::task_arena arena_;
};

constexpr unsigned kMostThreads = 1024;

}  // namespace

Result<std::unique_ptr<Executor>> make_tbb_executor(unsigned threads) {
  if (threads > kMostThreads) {
    return fail(ErrorCode::kInvalidArgument, "ask for at most " + std::to_string(kMostThreads) +
                                                 " threads, or 0 for one per hardware thread");
  }
  if (threads == 0) {
    threads = std::max(std::thread::hardware_concurrency(), 1U);
  }
  return std::make_unique<TbbExecutor>(threads);
}
#else
Result<std::unique_ptr<Executor>> make_tbb_executor(unsigned) {
  return fail(ErrorCode::kInvalidArgument,
              "this library was built with JUXTA_TBB=OFF: build it with oneTBB, use serial_executor(), or "
              "implement juxta::Executor over your own threads");
}
#endif

}  // namespace juxta
