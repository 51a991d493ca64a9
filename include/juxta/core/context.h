// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/executor.h"

namespace juxta {

class Monitor;
class Workspace;

/// Where a call runs, and who watches it: the last parameter of every call that can take long. It never
/// changes a result. The default runs on the calling thread, with memory of its own, unwatched. Borrowed:
/// what it points to outlives the call.
struct Context {
  const Executor* executor = nullptr;  ///< Null: the calling thread.
  /// Scratch memory that you keep between calls, so that a call of a size seen before allocates nothing.
  /// Null: the call allocates what it needs and frees it. One workspace serves one call at a time.
  Workspace* workspace = nullptr;
  Monitor* monitor = nullptr;  ///< Progress out, cancel in. Null: none.
};

}  // namespace juxta
