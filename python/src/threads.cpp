// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "threads.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>

#include "errors.h"

namespace juxta::python {
namespace {

std::atomic<unsigned> default_threads{1};

struct Executors {
  std::mutex mutex;
  std::map<unsigned, std::shared_ptr<const TbbExecutor>> of_threads;
};
// Never destroyed: threads of oneTBB may outlive what is static. A forked child has none of its parent's
// threads, and so it begins with executors of its own and never touches those.
std::atomic<Executors*> executors{nullptr};

void forget_executors() {
  executors.store(new Executors, std::memory_order_release);
}

std::shared_ptr<const Executor> executor_of(unsigned threads) {
  Executors& all = *executors.load(std::memory_order_acquire);
  const py::gil_scoped_release release;  // starting threads may take 0.1 s
  const std::lock_guard lock(all.mutex);
  auto& found = all.of_threads[threads];
  if (found == nullptr) {
    auto built = TbbExecutor::build(threads);
    if (!built) {
      const py::gil_scoped_acquire acquire;
      raise(built.error());
    }
    found = std::make_shared<const TbbExecutor>(*std::move(built));
  }
  return found;
}

unsigned number_of(py::handle threads) {
  const auto refuse = [&] {
    raise_value("threads is " + std::string(py::repr(threads)) +
                ". Give a number from 1 to 1024, 0 for as many as this process may use, or None for the "
                "default (juxta.set_default_threads).");
  };
  if (PyBool_Check(threads.ptr()) != 0 || PyIndex_Check(threads.ptr()) == 0) {
    refuse();
  }
  const Py_ssize_t number = PyNumber_AsSsize_t(threads.ptr(), nullptr);
  if (number == -1 && PyErr_Occurred() != nullptr) {
    throw py::error_already_set();
  }
  if (number < 0 || number > 1024) {
    refuse();
  }
  return static_cast<unsigned>(number);
}

}  // namespace

std::shared_ptr<const Executor> executor_for(py::handle threads) {
  unsigned number = threads.is_none() ? default_threads.load(std::memory_order_relaxed) : number_of(threads);
  if (number == 0) {
    static const unsigned usable = usable_threads();
    number = usable;
  }
  return number == 1 ? nullptr : executor_of(number);
}

void load_threads() {
  forget_executors();
  const py::module_ os = py::module_::import("os");
  if (py::hasattr(os, "register_at_fork")) {
    os.attr("register_at_fork")(py::arg("after_in_child") = py::cpp_function(forget_executors));
  }
}

void bind_threads(py::module_& module) {
  load_threads();
  module.def(
      "default_threads", [] { return default_threads.load(std::memory_order_relaxed); },
      R"(The number of threads that calls with ``threads=None`` use.

Returns
-------
int
    1 at first; 0 stands for as many as this process may use.
)");
  module.def(
      "set_default_threads", [](py::object threads) { default_threads = number_of(threads); },
      py::arg("threads"),
      R"(Sets the number of threads that calls with ``threads=None`` use.

Results never depend on it.

Parameters
----------
threads : int
    1 to 1024, or 0: as many as this process may use.
)");
  module.def(
      "usable_threads", [] { return usable_threads(); },
      R"(How many threads this process may run at once.

Counts the CPUs of its affinity mask, and no more than the CPU quota of its control groups.

Returns
-------
int
    At least 1.
)");
}

}  // namespace juxta::python
