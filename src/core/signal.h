// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: what a thread waits for. Where the platform has no threads (core/mutex.h), nothing comes while
// one waits, so that no wait takes any time.
#pragma once

#include <chrono>

#include "core/mutex.h"

#if !defined(__wasi__) || defined(_REENTRANT)
#include <condition_variable>
#endif

namespace juxta::core_detail {

#if !defined(__wasi__) || defined(_REENTRANT)

using Signal = std::condition_variable;

#else

struct Signal {
  void notify_one() noexcept {}
  template <class Until, class Came>
  bool wait_until(Lock& /*lock*/, const Until& /*until*/, const Came& came) {
    return came();
  }
};

#endif

}  // namespace juxta::core_detail
