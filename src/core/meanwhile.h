// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: work beside messages that are under way.
#pragma once

#include <thread>

#include "juxta/core/ranks.h"

namespace juxta::core_detail {

/// Made by the thread that calls Ranks, called by all that work meanwhile: that one thread alone pokes.
class Meanwhile {
 public:
  /// Null: nothing is under way.
  explicit Meanwhile(Ranks* ranks) noexcept : ranks_(ranks), caller_(std::this_thread::get_id()) {}
  void poke() const noexcept {
    if (ranks_ != nullptr && std::this_thread::get_id() == caller_) {
      ranks_->poke();
    }
  }

 private:
  Ranks* ranks_;
  std::thread::id caller_;
};

}  // namespace juxta::core_detail
