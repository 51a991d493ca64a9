// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Progress out, Ctrl-C in.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "juxta/core/monitor.h"

namespace juxta::python {

/// Asks Python for pending signals and reports to `progress=`, some fifty times a second at most. When it
/// stops a call because Python raised something (KeyboardInterrupt, an exception of a callback), that
/// exception stays set in the thread.
class PythonMonitor final : public Monitor {
 public:
  /// `progress`: None or False: nothing is shown; True: a display of our own; or a callable.
  explicit PythonMonitor(pybind11::handle progress);
  PythonMonitor(const PythonMonitor&) = delete;
  PythonMonitor& operator=(const PythonMonitor&) = delete;
  /// Ends the display. With the GIL.
  ~PythonMonitor() override;

  /// Called without the GIL.
  bool on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) override;

 private:
  bool ask_python(std::string_view stage, std::uint64_t done, std::uint64_t total);

  pybind11::object callback_;
  pybind11::object display_;  // closed at the end
  std::string stage_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool stopped_ = false;
};

}  // namespace juxta::python
