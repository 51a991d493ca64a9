// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A random history from its begin to its end.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "scenes/draws.h"
#include "transform/history.h"

namespace juxta::test {

/// `steps` times some changes, then some of: comparison, propagation, another step. Seldom nothing between.
/// `done`: counts the changes.
inline void run(History<scenes::Draws>& history, scenes::Draws& draws, std::uint32_t steps,
                std::uint32_t changes, std::uint64_t* done = nullptr) {
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (std::uint32_t i = draws.below(changes) + 1; i > 0; --i) {
      ASSERT_EQ(history.change(), "") << "step " << step;
      if (done != nullptr) {
        ++*done;
      }
    }
    if (draws.below(3) == 0) {
      ASSERT_EQ(history.compare(), "") << "before step " << step;
    }
    if (draws.below(4) == 0) {
      ASSERT_EQ(history.begin_step(), "");
    }
    if (draws.below(3) != 0) {
      ASSERT_EQ(history.propagate(), "") << "step " << step;
      ASSERT_EQ(history.compare(), "") << "after step " << step;
    }
  }
}

}  // namespace juxta::test
