// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of each model after some steps: one for every compiler, optimisation and instruction set.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "models/models.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

std::uint64_t hash_after(const ModelInfo& info, std::uint32_t steps) {
  const auto small = parameters_of(info, "small");
  auto run = Run::begin(info, small ? *small : *parameters_of(info), 3);
  EXPECT_TRUE(run) << run.error().message;
  for (std::uint32_t step = 0; step < steps; ++step) {
    EXPECT_TRUE(run->step());
  }
  return run->state_hash();
}

TEST(ModelsGolden, StatesAfterTenSteps) {
  test::for_each_isa([&](Isa) {
    for (const auto& [name, hash] : std::initializer_list<std::pair<const char*, std::uint64_t>>{
             {"flocking", 0x1e9bb924c98f6309U},
             {"flock_3d", 0xf4dc5b7619ed4113U},
             {"schelling", 0xec2badaedba4ff3dU},
             {"wolf_sheep", 0xf632c5944541e1ddU},
             {"forest_fire", 0x518c88c456d85c5cU},
             {"dam_break", 0xe515ff0c929e7d11U},
             {"lennard_jones", 0x963c8f035cbf46c4U},
             {"ants", 0x1393ccdedb6fec27U},
             {"tissue", 0xe73da04365e1aac4U},
         }) {
      EXPECT_EQ(hash_after(**find_model(models::published(), name), 10), hash) << name;
    }
  });
}

}  // namespace
}  // namespace juxta
