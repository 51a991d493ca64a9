// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of frames and of a whole saved file: one for every compiler, optimisation, instruction set
// and executor.
#include <gtest/gtest.h>

#include "support/each_isa.h"
#include "support/executors.h"
#include "transform/saved_bytes.h"
#include "transform/scenario.h"

namespace juxta {
namespace {

TEST(TransformGolden, FramesAndFile) {
  test::for_each_isa([&](Isa) {
    for (const bool history : {false, true}) {
      test::Scenario scenario({.frames = 10, .history = history}, nullptr);
      EXPECT_EQ(scenario.run().back(), history ? 0x6ffdb720b5c0caf3U : 0x1b7d862528a1a6cdU);
      const auto bytes = test::saved_bytes(scenario.hierarchy);
      EXPECT_EQ(test::fnv(std::span<const char>(bytes)), history ? 0xc030fca2facf00e0U : 0xc3b124e041ba817aU);
    }
  });
}

TEST(TransformGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  test::Scenario scenario({.frames = 10, .history = true}, &executor);
  EXPECT_EQ(scenario.run().back(), 0x6ffdb720b5c0caf3U);
}

}  // namespace
}  // namespace juxta
