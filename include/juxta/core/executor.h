// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "juxta/core/error.h"
#include "juxta/core/export.h"
#include "juxta/core/function_ref.h"
#include "juxta/core/owned.h"

namespace juxta {

/// Where work runs. Implement this one function to run the library on your own job system.
///
/// Contract of an implementation: it calls `body` once for every range [i * grain, min((i + 1) * grain,
/// count)), on any thread and in any order, and returns when all calls have returned. The ranges do not
/// depend on the number of threads, and so no result of the library does. Bodies do not throw. They may call
/// parallel_for.
class JUXTA_API Executor {
 public:
  using Body = FunctionRef<void(std::size_t first, std::size_t last)>;

  virtual ~Executor();

  /// Runs `body` over [0, count) in ranges of `grain` (at least 1; 0 counts as 1).
  virtual void parallel_for(std::size_t count, std::size_t grain, Body body) const = 0;
};

/// Runs everything on the calling thread, ranges in ascending order.
[[nodiscard]] JUXTA_API const Executor& serial_executor() noexcept;

/// How many threads this process may run at once: the CPUs of its affinity mask (taskset, cpusets), and no
/// more than the CPU quota of its control groups, rounded up (containers). At least 1. Reads /proc: about
/// 150 us.
[[nodiscard]] JUXTA_API unsigned usable_threads();

/// Threads of oneTBB, the caller's included. build() starts them: oneTBB alone would start them at the first
/// loop, and end the program if the system refuses.
class JUXTA_API TbbExecutor final : public Executor {
 public:
  /// Starts `threads` threads; 0 means usable_threads(). A larger number is taken as given.
  ///
  /// Cost:    about 0.3 ms of processor time a thread, once. Waits until all run, for at most 0.1 s.
  /// Errors:  kInvalidArgument when the library was built with JUXTA_TBB=OFF (the message says so), or for
  ///          more than 1024 threads; kIo when the system starts fewer (limits of memory or of processes),
  ///          with the number that it starts.
  [[nodiscard]] static Result<TbbExecutor> build(unsigned threads = 0);
  TbbExecutor(TbbExecutor&&) noexcept;
  TbbExecutor& operator=(TbbExecutor&&) noexcept;
  ~TbbExecutor() override;

  /// The number of threads that it was built with.
  [[nodiscard]] unsigned threads() const noexcept;
  void parallel_for(std::size_t count, std::size_t grain, Body body) const override;

 private:
  struct Arena;
  explicit TbbExecutor(Owned<Arena> arena) noexcept;
  Owned<Arena> arena_;
};

/// The executor of a Context: null means the calling thread.
[[nodiscard]] inline const Executor& executor_or_serial(const Executor* executor) noexcept {
  return executor != nullptr ? *executor : serial_executor();
}

}  // namespace juxta
