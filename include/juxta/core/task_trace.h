// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "juxta/core/executor.h"
#include "juxta/core/export.h"
#include "juxta/core/owned.h"

namespace juxta {

/// What it costs an executor to hand work to other threads, in nanoseconds.
struct HandOver {
  double range_ns = 0;  ///< for each range of a loop
  double loop_ns = 0;   ///< for each loop of two or more ranges, until the caller goes on
};

/// A part of the work during which workers have nothing to do. It is named by loops, the calls of
/// parallel_for(). Calls from one place are one loop: see TaskTrace::callers().
struct Bottleneck {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  double lost_ns = 0;  ///< how much sooner everything would end if the idle workers could share this part
  double work_ns = 0;  ///< how long the part takes by itself
  std::uint32_t inside = kNone;  ///< the loop to whose ranges it belongs; kNone: to no loop
  std::uint32_t after = kNone;   ///< it follows this loop; kNone: it comes first
  std::uint32_t before = kNone;  ///< and ends where this loop begins; kNone: it comes last
};

/// An executor that says how much faster the same work would be on more threads than the machine has. It
/// runs everything on the calling thread, ranges in ascending order, and writes down how long each range took
/// and what waited for what. From that it plays the work on any number of workers.
///
///   TaskTrace trace;
///   trace.begin();
///   const auto sorted = population.sort({.radius = 1}, {.executor = &trace});
///   trace.end();
///   trace.work_ns() / trace.forecast_ns(64);  // the speedup on 64 threads, if memory keeps up
///
/// A forecast assumes that a range takes as long on any worker, whatever the others do: it knows nothing of
/// memory bandwidth, shared caches or clock rates, and so it is a bound that real machines stay below.
///
/// Cost: two looks at the clock (about 50 ns) a range, less what is known of that, and the names of the
/// callers (about 2 us) a loop, which do not count as work; 32 bytes a range. Use it from one thread. Record
/// one step, and not a whole run.
class JUXTA_API TaskTrace final : public Executor {
 public:
  /// Nanoseconds since any moment; null: std::chrono::steady_clock. Give the processor time of the thread
  /// where other programs share its core.
  using Clock = double (*)();

  explicit TaskTrace(Clock clock = nullptr);
  TaskTrace(TaskTrace&&) noexcept;
  TaskTrace& operator=(TaskTrace&&) noexcept;
  ~TaskTrace() override;

  /// Forgets what was recorded, and records from here ...
  void begin();
  /// ... to here. Before begin() and after end(), loops run and nothing is recorded.
  void end();

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override;

  /// How long one worker needs: the sum of all parts.
  [[nodiscard]] double work_ns() const;
  /// How long any number of workers needs: the longest chain of parts that wait for each other.
  [[nodiscard]] double span_ns() const;
  /// How long `workers` need (0 counts as 1) that take ranges as they come, in the order of one thread.
  ///
  /// Cost: O(n log n) of n ranges.
  [[nodiscard]] double forecast_ns(std::size_t workers, const HandOver& cost = {}) const;

  /// The parts for which `workers` wait, those first that cost most; parts between the same loops are one.
  /// Returns how many there are, and writes as many as fit.
  std::size_t bottlenecks(std::size_t workers, std::span<Bottleneck> out, const HandOver& cost = {}) const;

  /// Where a loop was called, as return addresses: the caller of parallel_for() first, then its caller.
  /// Empty where the platform does not tell. addr2line and debuggers turn addresses into names.
  [[nodiscard]] std::span<const void* const> callers(std::uint32_t loop) const;

 private:
  struct Recording;
  Owned<Recording> recording_;
};

}  // namespace juxta
