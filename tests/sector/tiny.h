// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sector/tick.h"
#include "sector/tiny_scenario.h"
#include "sector/world.h"

namespace juxta::sector::test {

inline std::unique_ptr<World> begun(const Scenario& scenario, const Executor* executor = nullptr) {
  auto world = begin_world(scenario, executor);
  EXPECT_TRUE(world) << world.error().message;
  return world ? std::move(*world) : nullptr;
}

/// The hash after each of so many ticks.
inline std::vector<std::uint64_t> play(World& world, std::uint32_t ticks) {
  std::vector<std::uint64_t> hashes;
  for (std::uint32_t i = 0; i < ticks; ++i) {
    const auto ticked = tick(world);
    EXPECT_TRUE(ticked) << ticked.error().message;
    hashes.push_back(state_hash(world));
  }
  return hashes;
}

}  // namespace juxta::sector::test
