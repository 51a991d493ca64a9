// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// `threads=` of every bulk call: one executor for each number of threads, shared by all calls.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "juxta/core/executor.h"

namespace juxta::python {

/// The executor that `threads=` names; null: the calling thread. None: the default (set_default_threads());
/// 0: as many as this process may use. Holds it for as long as the call runs.
std::shared_ptr<const Executor> executor_for(pybind11::handle threads);

/// Once, when a module is imported that has executors: a forked child begins with none.
void load_threads();

/// default_threads(), set_default_threads(), usable_threads().
void bind_threads(pybind11::module_& module);

}  // namespace juxta::python
