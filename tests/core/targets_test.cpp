// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// What the machine has, and which copy of a kernel runs.
#include <gtest/gtest.h>

#include <cstddef>

#include "core/simd/dispatch.h"
#include "hwy/targets.h"
#include "juxta/core/isa.h"

namespace juxta {
namespace {

#ifdef JUXTA_TEST_HIGHWAY
// Highway's library, which Juxta does not link, is the second oracle.
TEST(Targets, AreThoseThatHighwayFinds) {
  EXPECT_EQ(core_detail::supported_targets() & HWY_TARGETS, hwy::SupportedTargets() & HWY_TARGETS);
}
#endif

TEST(Targets, KernelsRunOnTheBestSetUntilAnotherIsForced) {
  hwy::ChosenTarget best;
  best.Update(core_detail::supported_targets());
  const std::size_t index = best.GetIndex();
  EXPECT_EQ(core_detail::chosen_target().GetIndex(), index);
  for (const Isa isa : available_isas()) {
    ASSERT_TRUE(force_isa(isa));
    EXPECT_GE(core_detail::chosen_target().GetIndex(), index);
  }
  ASSERT_TRUE(force_isa(available_isas().front()));
  EXPECT_EQ(core_detail::chosen_target().GetIndex(), index);
}

}  // namespace
}  // namespace juxta
