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
      EXPECT_EQ(scenario.run().back(), history ? 0xa74014683dd14462U : 0xdbef60a553e39944U);
      const auto bytes = test::saved_bytes(scenario.hierarchy);
      EXPECT_EQ(test::fnv(std::span<const char>(bytes)), history ? 0x4e9c0c49bb7a2180U : 0xc28e7cc069b43299U);
    }
  });
}

#if !defined(__wasi__)
TEST(TransformGolden, OnThreads) {
  const test::ThreadsExecutor executor(3);
  test::Scenario scenario({.frames = 10, .history = true}, &executor);
  EXPECT_EQ(scenario.run().back(), 0xa74014683dd14462U);
}
#endif

}  // namespace
}  // namespace juxta
