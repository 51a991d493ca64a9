// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta/agents for JavaScript: the flock.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "common.h"
#include "juxta/agents/flock.h"
#include "juxta/core/workspace.h"

using namespace juxta;
using namespace juxta::wasm;

namespace {

struct FlockAndMemory {
  explicit FlockAndMemory(Flock&& made) noexcept : flock(std::move(made)) {}
  Flock flock;
  Workspace workspace;
};

// Floats in the scratch memory, in the order of FlockRules.
FlockRules rules_from(const float* n) noexcept {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]};
}

}  // namespace

// Rules at scratch, then half_size.
JUXTA_JS(FlockAndMemory*, flock_build)(std::uint32_t dimensions, bool periodic) {
  const auto* const n = scratch_as<float>();
  auto flock = Flock::build(
      {.dimensions = dimensions, .half_size = n[10], .periodic = periodic, .rules = rules_from(n)});
  return ok(flock) ? new FlockAndMemory(std::move(*flock)) : nullptr;
}
JUXTA_JS(void, flock_defaults)() {
  const FlockOptions o;
  const FlockRules& r = o.rules;
  const float n[] = {r.time_step, r.see_radius2, r.avoid_radius2, r.min_speed, r.max_speed, r.wall_distance,
                     r.wall,      r.avoid,       r.align,         r.cohere,    o.half_size};
  std::memcpy(scratch_bytes(), n, sizeof n);
}
JUXTA_JS(void, flock_free)(FlockAndMemory* it) {
  delete it;
}
JUXTA_JS(bool, flock_scatter)(FlockAndMemory* it, std::size_t count, double seed) {
  auto done = it->flock.scatter(count, static_cast<std::uint64_t>(seed));
  return ok(done);
}
JUXTA_JS(bool, flock_rebuild)
(FlockAndMemory* it, const Vec3* positions, const Vec3* velocities, std::size_t count) {
  auto done = it->flock.rebuild({positions, count}, {velocities, count});
  return ok(done);
}
JUXTA_JS(bool, flock_set_rules)(FlockAndMemory* it) {
  auto done = it->flock.set_rules(rules_from(scratch_as<float>()));
  return ok(done);
}
JUXTA_JS(bool, flock_step)(FlockAndMemory* it, std::uint32_t steps) {
  for (std::uint32_t i = 0; i < steps; ++i) {
    auto done = it->flock.step({.workspace = &it->workspace});
    if (!ok(done)) {
      return false;
    }
  }
  return true;
}
JUXTA_JS(std::size_t, flock_size)(const FlockAndMemory* it) {
  return it->flock.size();
}
JUXTA_JS(double, flock_steps)(const FlockAndMemory* it) {
  return number(it->flock.steps());
}
JUXTA_JS(const float*, flock_position)(const FlockAndMemory* it, std::uint32_t axis) {
  return it->flock.position(axis).data();
}
JUXTA_JS(const float*, flock_velocity)(const FlockAndMemory* it, std::uint32_t axis) {
  return it->flock.velocity(axis).data();
}
JUXTA_JS(const std::uint32_t*, flock_numbers)(const FlockAndMemory* it) {
  return it->flock.numbers().data();
}
JUXTA_JS(std::size_t, flock_memory_bytes)(const FlockAndMemory* it) {
  return it->flock.memory_bytes();
}
