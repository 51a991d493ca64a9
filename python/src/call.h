// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A bulk call: where it runs, who watches it, and the way in and out of the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "errors.h"
#include "juxta/core/context.h"
#include "juxta/core/workspace.h"
#include "monitor.h"
#include "threads.h"

namespace juxta::python {

/// A workspace for one call at a time, out of a few that are kept between calls.
class LeasedWorkspace {
 public:
  LeasedWorkspace();
  LeasedWorkspace(const LeasedWorkspace&) = delete;
  LeasedWorkspace& operator=(const LeasedWorkspace&) = delete;
  ~LeasedWorkspace();
  [[nodiscard]] Workspace& operator*() const noexcept { return *workspace_; }
  [[nodiscard]] Workspace* operator->() const noexcept { return workspace_.get(); }

 private:
  std::unique_ptr<Workspace> workspace_;
};

/// One bulk call: the executor of `threads=`, the monitor of `progress=`, a workspace.
///
///   Call call(threads, progress);
///   Layer layer = call.run([&](const Context& context) { return Layer::build(boxes, {}, context); });
class Call {
 public:
  Call(pybind11::handle threads, pybind11::handle progress)
      : executor_(executor_for(threads)), monitor_(progress) {}

  [[nodiscard]] Workspace& workspace() const noexcept { return *workspace_; }
  [[nodiscard]] const Executor* executor() const noexcept { return executor_.get(); }
  [[nodiscard]] Context context() noexcept {
    return {.executor = executor_.get(), .workspace = &*workspace_, .monitor = &monitor_};
  }

  /// Runs `work(context)`, which returns a Result, without the GIL. Returns its value, or raises its error or
  /// what Python raised meanwhile.
  template <class Work>
  auto run(Work&& work) {
    auto result = released([&] { return work(context()); });
    raise_pending();
    return unwrap(std::move(result));
  }

  /// Runs `work()` without the GIL.
  template <class Work>
  static auto released(Work&& work) {
    const pybind11::gil_scoped_release release;
    return work();
  }

  /// Runs work(context, first, last) over [0, count) in long ranges, one after the other, and looks for
  /// Ctrl-C between them: for batches of queries, which do not report themselves.
  template <class Work>
  void run_ranges(std::size_t count, std::string_view stage, Work&& work) {
    for (std::size_t first = 0; first < count || first == 0;) {
      const std::size_t last = std::min(count, first + kRange);
      run([&](const Context& context) { return work(context, first, last); });
      first = last;
      report_range(stage, first, count);
      if (first == count) {
        break;
      }
    }
  }
  /// Runs work(context) `count` times, and looks for Ctrl-C in between.
  template <class Work>
  void run_steps(std::size_t count, std::string_view stage, Work&& work) {
    for (std::size_t done = 0; done < count;) {
      run(work);
      report_range(stage, ++done, count);
    }
  }
  /// Queries in one range: a second of work at most, and enough to sort them by place.
  static constexpr std::size_t kRange = std::size_t{1} << 20;

 private:
  void report_range(std::string_view stage, std::size_t done, std::size_t total);
  static void raise_pending() {
    if (PyErr_Occurred() != nullptr) {
      throw pybind11::error_already_set();
    }
  }

  std::shared_ptr<const Executor> executor_;
  LeasedWorkspace workspace_;
  PythonMonitor monitor_;
};

}  // namespace juxta::python
