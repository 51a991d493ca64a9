// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "juxta/core/executor.h"

namespace juxta::test {

/// A user's own executor: one thread, ranges in an order that no library code may rely on.
class ShuffledExecutor final : public Executor {
 public:
  enum class Order { kReversed, kShuffled };
  explicit ShuffledExecutor(Order order) : order_(order) {}

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    std::vector<std::size_t> begins;
    for (std::size_t first = 0; first < count; first += grain) {
      begins.push_back(first);
    }
    std::reverse(begins.begin(), begins.end());
    if (order_ == Order::kShuffled) {
      unsigned state = 12345;
      for (std::size_t i = begins.size(); i > 1; --i) {
        state = state * 1664525U + 1013904223U;
        std::swap(begins[i - 1], begins[(state >> 8) % i]);
      }
    }
    for (const std::size_t first : begins) {
      body(first, std::min(first + grain, count));
    }
  }

 private:
  Order order_;
};

#if !defined(__wasi__)
/// A user's own executor: plain threads that take the next range. All of it is compiled here, so the thread
/// sanitizer sees every hand-over; Debian's oneTBB is not instrumented, and hides races behind false ones.
class ThreadsExecutor final : public Executor {
 public:
  explicit ThreadsExecutor(unsigned threads) : threads_(threads) {}

  void parallel_for(std::size_t count, std::size_t grain, Body body) const override {
    grain = std::max<std::size_t>(grain, 1);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t first; (first = next.fetch_add(grain, std::memory_order_relaxed)) < count;) {
        body(first, std::min(first + grain, count));
      }
    };
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads_ && i * grain < count; ++i) {
      others.emplace_back(work);
    }
    work();
    for (std::thread& other : others) {
      other.join();
    }
  }

 private:
  unsigned threads_;
};
#endif

/// Calls `body(executor)` with the calling thread, reversed and shuffled ranges, plain threads, and 1, 2, 3
/// and 8 threads of oneTBB where the library has it. The calling thread comes first, as null.
template <class Body>
void for_each_executor(Body&& body) {
  {
    SCOPED_TRACE("calling thread");
    body(static_cast<const Executor*>(nullptr));
  }
  for (const auto order : {ShuffledExecutor::Order::kReversed, ShuffledExecutor::Order::kShuffled}) {
    SCOPED_TRACE(order == ShuffledExecutor::Order::kReversed ? "reversed" : "shuffled");
    const ShuffledExecutor executor(order);
    body(static_cast<const Executor*>(&executor));
  }
#if !defined(__wasi__)
  {
    SCOPED_TRACE("plain threads");
    const ThreadsExecutor executor(4);
    body(static_cast<const Executor*>(&executor));
  }
#endif
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    if (const auto executor = TbbExecutor::build(threads); executor) {
      body(static_cast<const Executor*>(&*executor));
    }
  }
}

}  // namespace juxta::test
