// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "program/threads.h"

#include <stdexcept>
#include <utility>

namespace juxta::program_detail {

std::unique_ptr<Executor> make_executor(unsigned threads) {
  auto executor = TbbExecutor::build(threads);
  if (!executor && executor.error().code == ErrorCode::kIo) {
    throw std::runtime_error(executor.error().message);  // main() tells it
  }
  return executor ? std::make_unique<TbbExecutor>(std::move(*executor)) : nullptr;
}

unsigned thread_count(const Executor* executor, unsigned asked) {
  return executor == nullptr ? 1 : asked != 0 ? asked : usable_threads();
}

}  // namespace juxta::program_detail
