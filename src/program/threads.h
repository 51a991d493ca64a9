// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "juxta/core/executor.h"

namespace juxta::program_detail {

/// As many threads as this process may use, or as told; null in a build without oneTBB. Throws
/// std::runtime_error when the system does not start as many.
[[nodiscard]] std::unique_ptr<Executor> make_executor(unsigned threads);

/// Threads of such an executor, for reports.
[[nodiscard]] unsigned thread_count(const Executor* executor, unsigned asked);

}  // namespace juxta::program_detail
