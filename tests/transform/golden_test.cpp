// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of frames and of a whole saved file: one for every compiler, optimisation, instruction set
// and executor.
#include <gtest/gtest.h>

#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/scenario.h"

namespace juxta {
namespace {

TEST(TransformGolden, FramesAndFile) {
  test::for_each_isa([&](Isa) {
    for (const bool history : {false, true}) {
      test::Scenario scenario({.frames = 10, .history = history}, nullptr);
      EXPECT_EQ(scenario.run().back(), history ? 0xd5adb801d02ac8acU : 0x88e238151e4a9e92U);
      const auto bytes = test::saved_bytes(scenario.hierarchy);
      EXPECT_EQ(test::fnv(std::span<const char>(bytes)), history ? 0x6128f6005e1d7135U : 0xb28714e992178b81U);
    }
  });
}

TEST(TransformGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  test::Scenario scenario({.frames = 10, .history = true}, &executor);
  EXPECT_EQ(scenario.run().back(), 0xd5adb801d02ac8acU);
}

}  // namespace
}  // namespace juxta
