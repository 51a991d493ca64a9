// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Random rules, worlds and states of a flock; each step against all pairs.
#include <array>
#include <cmath>

#include "agents/flock_states.h"
#include "fuzz/agents/crowd_draw.h"
#include "fuzz/check.h"
#include "juxta/core/isa.h"

namespace juxta::fuzz {
namespace {

float draw_between(CrowdDraw& draw, float lo, float hi) {
  return lo + (hi - lo) * test::draw_unit(draw);
}

FlockOptions draw_options(CrowdDraw& draw) {
  constexpr std::array<float, 6> kHalves{0.05F, 0.5F, 2, 4, 10.5F, 300};
  FlockOptions options;
  options.dimensions = 2 + draw.below(2);
  options.periodic = draw.below(2) == 0;
  options.half_size = kHalves[draw.below(kHalves.size())];
  FlockRules& rules = options.rules;
  if (draw.below(2) == 0) {  // else as published
    const float radius = draw_between(draw, 0.001F, draw.below(4) == 0 ? 3 * options.half_size : 1);
    rules.see_radius2 = radius * radius;
    rules.avoid_radius2 = rules.see_radius2 * test::draw_unit(draw);
    rules.wall_distance = draw_between(draw, 0, options.half_size);
    rules.wall = draw_between(draw, 0, 0.5F);
    rules.cohere = draw_between(draw, -0.2F, 0.4F);
    rules.align = draw_between(draw, 0, 0.4F);
    rules.avoid = draw_between(draw, 0, 0.1F);
  }
  return options;
}

void run(CrowdDraw& draw) {
  const auto& isas = available_isas();
  JUXTA_FUZZ_CHECK(force_isa(isas[draw.below(isas.size())]).has_value());
  auto flock = Flock::build(draw_options(draw)).value();
  for (std::uint32_t round = 1 + draw.below(2); round > 0; --round) {
    const std::size_t count = draw.below(16) == 0 ? draw.below(500) : draw.below(60);
    const auto crowding = test::kCrowdings[draw.below(test::kCrowdings.size())];
    JUXTA_FUZZ_CHECK(test::set(flock, test::draw_boids(draw, flock.options(), crowding, count)).has_value());
    for (std::uint32_t step = 1 + draw.below(4); step > 0; --step) {
      const test::Boids before = test::boids_of(flock);
      JUXTA_FUZZ_CHECK(flock.step().has_value());
      expect_nothing(test::compare_step(flock, before));
    }
  }
}

}  // namespace
}  // namespace juxta::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  juxta::fuzz::CrowdDraw draw(data, size);
  juxta::fuzz::run(draw);
  return 0;
}
