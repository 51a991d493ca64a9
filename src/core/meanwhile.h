// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: work beside messages that are under way.
#pragma once

#include "juxta/core/ranks.h"

namespace juxta::core_detail {

/// Made by the thread that calls Ranks, called by all that work meanwhile: that one thread alone pokes.
class Meanwhile {
 public:
  /// Null: nothing is under way.
  explicit Meanwhile(Ranks* ranks) noexcept : ranks_(ranks), caller_(this_thread()) {}
  void poke() const noexcept {
    if (ranks_ != nullptr && this_thread() == caller_) {
      ranks_->poke();
    }
  }

 private:
  /// Another address on each. WebAssembly's library has no std::this_thread.
  [[nodiscard]] static const void* this_thread() noexcept {
    static thread_local const char mark = 0;
    return &mark;
  }

  Ranks* ranks_;
  const void* caller_;
};

}  // namespace juxta::core_detail
