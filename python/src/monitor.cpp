// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "monitor.h"

#include "errors.h"

namespace juxta::python {

PythonMonitor::PythonMonitor(py::handle progress) {
  if (progress.is_none() || progress.ptr() == Py_False) {
    return;
  }
  if (progress.ptr() == Py_True) {
    display_ = py::module_::import("juxta._progress").attr("Display")();
    callback_ = display_;
  } else if (PyCallable_Check(progress.ptr()) != 0) {
    callback_ = py::reinterpret_borrow<py::object>(progress);
  } else {
    raise_type(
        "progress is neither True, False or None nor callable. A callable gets (stage, done, total) and may "
        "return False to stop the call.");
  }
}

PythonMonitor::~PythonMonitor() {
  if (!display_) {
    return;
  }
  const py::error_scope keep;  // an exception may be on its way
  try {
    display_.attr("close")();
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("juxta progress display");
  }
}

bool PythonMonitor::on_progress(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (stopped_) {
    return false;
  }
  const auto now = std::chrono::steady_clock::now();
  const bool news = callback_ && (stage_ != stage || (done == total && total != 0));
  if (!news && now - last_ < std::chrono::milliseconds(20)) {
    return true;
  }
  last_ = now;
  const py::gil_scoped_acquire acquire;
  stopped_ = !ask_python(stage, done, total);
  return !stopped_;
}

bool PythonMonitor::ask_python(std::string_view stage, std::uint64_t done, std::uint64_t total) {
  if (PyErr_CheckSignals() != 0) {
    return false;
  }
  if (!callback_) {
    return true;
  }
  stage_ = stage;
  try {
    const py::object answer = callback_(py::str(stage.data(), stage.size()), done, total);
    return answer.ptr() != Py_False;
  } catch (py::error_already_set& error) {
    error.restore();
    return false;
  }
}

}  // namespace juxta::python
