// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/c/flock.h"

#include <utility>

#include "c/call.h"
#include "juxta/agents/flock.h"
#include "juxta/core/try.h"

struct juxta_flock {
  juxta::Flock of;
};

using namespace juxta::c_detail;
using juxta::Result;

juxta_flock_options juxta_default_flock_options(void) {
  const juxta::FlockOptions options;
  const juxta::FlockRules& rules = options.rules;
  return {static_cast<std::uint32_t>(Cookie::kFlockOptions),
          options.dimensions,
          options.half_size,
          options.periodic,
          rules.time_step,
          rules.see_radius2,
          rules.avoid_radius2,
          rules.min_speed,
          rules.max_speed,
          rules.wall_distance,
          rules.wall,
          rules.avoid,
          rules.align,
          rules.cohere};
}

juxta_status juxta_flock_build(const juxta_flock_options* options, juxta_flock** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY(check_cookie(options, Cookie::kFlockOptions, "juxta_flock_options"));
    const juxta_flock_options given = options != nullptr ? *options : juxta_default_flock_options();
    JUXTA_TRY_LET(juxta::Flock made, juxta::Flock::build({.dimensions = given.dimensions,
                                                          .half_size = given.half_size,
                                                          .periodic = given.periodic,
                                                          .rules = {.time_step = given.time_step,
                                                                    .see_radius2 = given.see_radius2,
                                                                    .avoid_radius2 = given.avoid_radius2,
                                                                    .min_speed = given.min_speed,
                                                                    .max_speed = given.max_speed,
                                                                    .wall_distance = given.wall_distance,
                                                                    .wall = given.wall,
                                                                    .avoid = given.avoid,
                                                                    .align = given.align,
                                                                    .cohere = given.cohere}}));
    *out = new juxta_flock{std::move(made)};
    return {};
  });
}
void juxta_flock_free(juxta_flock* flock) {
  delete flock;
}

juxta_status juxta_flock_scatter(juxta_flock* flock, size_t count, uint64_t seed, juxta_error* error) {
  return guarded(error, [&] { return flock->of.scatter(count, seed); });
}
juxta_status juxta_flock_rebuild(juxta_flock* flock, const float* positions, const float* velocities,
                                 size_t stride, size_t count, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto at, packed<juxta::Vec3>(positions, stride, count, call.workspace()));
    JUXTA_TRY_LET(const auto by, packed<juxta::Vec3>(velocities, stride, count, call.workspace()));
    return flock->of.rebuild(at, by);
  });
}
juxta_status juxta_flock_step(juxta_flock* flock, const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    return flock->of.step(*call);
  });
}

size_t juxta_flock_size(const juxta_flock* flock) {
  return flock->of.size();
}
uint64_t juxta_flock_steps(const juxta_flock* flock) {
  return flock->of.steps();
}
const float* juxta_flock_position(const juxta_flock* flock, uint32_t axis) {
  return axis < flock->of.options().dimensions ? flock->of.position(axis).data() : nullptr;
}
const float* juxta_flock_velocity(const juxta_flock* flock, uint32_t axis) {
  return axis < flock->of.options().dimensions ? flock->of.velocity(axis).data() : nullptr;
}
const uint32_t* juxta_flock_numbers(const juxta_flock* flock) {
  return flock->of.numbers().data();
}
size_t juxta_flock_memory_bytes(const juxta_flock* flock) {
  return flock->of.memory_bytes();
}
