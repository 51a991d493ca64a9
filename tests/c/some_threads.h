// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Threads for a context of C: the library's, or plain ones where it was built without oneTBB (as for the
// thread sanitizer).
#pragma once

#include <cstddef>

#include "juxta.h"
#include "support/executors.h"

namespace juxta::test {

class SomeThreads {
 public:
  explicit SomeThreads(unsigned count) : plain_(count) {
    if (juxta_threads_build(count, &threads_, nullptr) != JUXTA_OK) {
      threads_ = nullptr;
    }
  }
  SomeThreads(const SomeThreads&) = delete;
  SomeThreads& operator=(const SomeThreads&) = delete;
  ~SomeThreads() { juxta_threads_free(threads_); }

  [[nodiscard]] const juxta_executor* executor() const noexcept {
    return threads_ != nullptr ? juxta_threads_executor(threads_) : &mine_;
  }
  /// Null: the library has none.
  [[nodiscard]] const juxta_threads* of_library() const noexcept { return threads_; }

 private:
  static void run(void* user, std::size_t count, std::size_t grain, juxta_body body, void* body_user) {
    static_cast<const SomeThreads*>(user)->plain_.parallel_for(
        count, grain, [&](std::size_t first, std::size_t last) { body(body_user, first, last); });
  }

  ThreadsExecutor plain_;
  juxta_threads* threads_ = nullptr;
  juxta_executor mine_{this, run};
};

}  // namespace juxta::test
