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
      EXPECT_EQ(scenario.run().back(), history ? 0xde743c110abbbb6cU : 0xf0f7af9f3098ba1aU);
      const auto bytes = test::saved_bytes(scenario.hierarchy);
      EXPECT_EQ(test::fnv(std::span<const char>(bytes)), history ? 0x2b64488bf290776cU : 0x82d81b3b4019191bU);
    }
  });
}

TEST(TransformGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  test::Scenario scenario({.frames = 10, .history = true}, &executor);
  EXPECT_EQ(scenario.run().back(), 0xde743c110abbbb6cU);
}

}  // namespace
}  // namespace juxta
