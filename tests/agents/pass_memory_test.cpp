// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who sorts and sees the same agents again and again asks for no more memory.
#include <gtest/gtest.h>

#include "agents/crowds.h"
#include "agents/pass_check.h"
#include "juxta/agents/act.h"
#include "scenes/draws.h"
#include "support/counting_resource.h"

namespace juxta {
namespace {

TEST(PassMemory, TheSameStepAgainAllocatesNothing) {
  for (const Arrangement arrangement : {Arrangement::kRows, Arrangement::kMorton, Arrangement::kHilbert,
                                        Arrangement::kHashed, Arrangement::kTree}) {
    SCOPED_TRACE(static_cast<int>(arrangement));
    test::CountingResource resource;
    {
      scenes::Draws draws(4);
      auto simulation = Simulation::build(test::make_world(2, 8), 1, &resource).value();
      Population& agents = *simulation.add_population("agents").value();
      test::fill(agents, test::draw_crowd(draws, simulation.world(), test::Crowding::kUniform, 3000, 0.5F),
                 draws);
      // Each axis turned by one agent: other neighbours, the same extent.
      const auto step = [&](std::size_t by) {
        for (std::uint32_t axis = 0; axis < 2; ++axis) {
          const auto at = agents.write(agents.position(axis));
          std::rotate(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(by + axis), at.end());
        }
        ASSERT_TRUE(agents.sort({.radius = 0.5F, .arrangement = arrangement}));
        ASSERT_TRUE(see(agents, agents, 0.5F, test::Push{}));
        ASSERT_TRUE(see(agents, agents, 0.3F, test::Census{}));
      };
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_NO_FATAL_FAILURE(step(i));
      }
      const std::size_t before = resource.calls();
      for (std::size_t i = 3; i < 6; ++i) {
        ASSERT_NO_FATAL_FAILURE(step(i));
      }
      EXPECT_EQ(resource.calls(), before);
      EXPECT_GT(before, 0u);
    }
    EXPECT_EQ(resource.held(), 0u);
  }
}

}  // namespace
}  // namespace juxta
