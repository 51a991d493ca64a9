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
      EXPECT_EQ(scenario.run().back(), history ? 0x3176ddf36cb74fd9U : 0xde1f8c226230d06fU);
      const auto bytes = test::saved_bytes(scenario.hierarchy);
      EXPECT_EQ(test::fnv(std::span<const char>(bytes)), history ? 0xdc688593f355a7f7U : 0xff7ea6dbcfda7c65U);
    }
  });
}

TEST(TransformGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  test::Scenario scenario({.frames = 10, .history = true}, &executor);
  EXPECT_EQ(scenario.run().back(), 0x3176ddf36cb74fd9U);
}

}  // namespace
}  // namespace juxta
