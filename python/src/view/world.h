// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A world that Python tells of, as a ViewServer shows it.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/view/viewed_world.h"

namespace juxta::python {

namespace py = pybind11;

/// Calls a Source of juxta/_view_source.py, which checks what users give and has their exceptions become
/// sentences. Arrays are borrowed: this holds them until the next step, so that they can be read without the
/// GIL.
///
/// KeyboardInterrupt and SystemExit stay set in the thread, as PythonMonitor's do, and Python is not called
/// any more: interrupted() says so. Any other exception is the call's error.
class PythonWorld final : public ViewedWorld {
 public:
  /// With the GIL. Raises what the source raises.
  explicit PythonWorld(py::object source);

  // Called without the GIL.
  ViewInfo info() const override { return info_; }
  ViewThings things(std::size_t group) const override;
  std::uint64_t steps() const override { return steps_; }
  Result<void> step() override;
  std::uint64_t id_of(std::size_t group, std::size_t row) const override;
  std::optional<std::size_t> row_of(std::size_t group, std::uint64_t id) const override;
  std::string more(std::size_t group, std::size_t row) const override;
  std::vector<double> stage_ms() const override { return stage_ms_; }
  std::vector<double> reports() const override { return reports_; }
  std::optional<std::uint64_t> hash() const override;
  Result<void> set(std::string_view name, double value) override;
  Result<void> restart(std::optional<std::uint64_t> seed,
                       std::span<const std::pair<std::string, double>> parameters) override;

  [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }

 private:
  template <class Work>
  Result<void> ask(Work&& work) const;
  Result<void> change(const char* method, const py::tuple& arguments);
  void forget();
  void take(const py::tuple& state);
  void take_info();

  py::object source_;
  ViewInfo info_;
  py::object kept_;  // the arrays that things_ and ids_ look into
  std::vector<ViewThings> things_;
  std::vector<std::span<const std::uint64_t>> ids_;  // by group; empty: things are named by their rows
  std::uint64_t steps_ = 0;
  std::vector<double> reports_, stage_ms_;
  mutable bool interrupted_ = false;
};

}  // namespace juxta::python
