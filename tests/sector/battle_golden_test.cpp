// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The battle for a thousand ticks, on one to eight threads and every instruction set: one literal hash, the
// same with gcc and with clang. Some minutes; build/clang/bin/sector_battle_golden_test runs the other one.
#include "sector/worlds.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta::sector::test {
namespace {

constexpr std::uint64_t kAfterAThousand = 0x762edc051889b49fU;

void expect_golden(const Executor* executor) {
  const auto world = begun(preset("battle").value(), executor);
  ASSERT_TRUE(world);
  ASSERT_TRUE(play(*world, 1'000));
  EXPECT_EQ(state_hash(*world), kAfterAThousand) << std::hex << state_hash(*world);
}

TEST(SectorBattle, OneToEightThreads) {
  expect_golden(nullptr);
  for (unsigned threads = 1; threads <= 8 && !HasFailure(); ++threads) {
    SCOPED_TRACE(threads);
    if (const auto executor = TbbExecutor::build(threads); executor) {
      expect_golden(&*executor);
    }
  }
}

TEST(SectorBattle, EveryInstructionSet) {
  const auto executor = TbbExecutor::build(2);
  juxta::test::for_each_isa([&](Isa) { expect_golden(executor ? &*executor : nullptr); });
}

}  // namespace
}  // namespace juxta::sector::test
