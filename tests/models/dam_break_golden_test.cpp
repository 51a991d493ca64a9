// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One result for every compiler and level of optimisation.
#include <gtest/gtest.h>

#include "support/fnv.h"
#include "tests/models/dam_break_run.h"

namespace juxta::test {
namespace {

std::uint64_t hash_after_steps(std::initializer_list<std::string_view> assignments) {
  DamRun run(assignments);
  run.step(60);
  std::uint64_t hash = fnv(run.place(0));
  for (const char* name : {"y", "ux", "uy", "vx", "vy", "compression", "push", "head", "fx", "fy", "rate"}) {
    hash = fnv(run.column(name), hash);
  }
  return hash;
}

TEST(DamBreakGolden, In2D) {
  EXPECT_EQ(hash_after_steps({"across=10"}), 0x966dc003e60c188eU);
}

TEST(DamBreakGolden, In3D) {
  EXPECT_EQ(hash_after_steps({"dimensions=3", "across=8", "depth=8", "smoothing=1.3", "tank=2", "wall=2"}),
            0xcd1ec12fbbcceba9U);
}

}  // namespace
}  // namespace juxta::test
