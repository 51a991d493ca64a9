/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Flocks: boids and nothing else, by the rules of the published program. juxta/agents/flock.h has the long
 * description.
 */
#ifndef JUXTA_C_FLOCK_H
#define JUXTA_C_FLOCK_H

#include <juxta/c/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Boids. */
typedef struct juxta_flock juxta_flock;

/**
 * A flock's world and rules. From juxta_default_flock_options(). Lengths in units of the world, speeds in
 * units a second. The world is [-half_size, half_size] on every axis.
 */
typedef struct juxta_flock_options {
  uint32_t cookie;     /**< From juxta_default_flock_options(). */
  uint32_t dimensions; /**< 2 or 3. */
  float half_size;     /**< > 0.02. */
  bool periodic;       /**< No walls: what leaves on one side comes back on the other. */
  float time_step;     /**< Seconds, > 0. */
  float see_radius2;   /**< Squared, > 0: whom a boid follows. */
  float avoid_radius2; /**< Squared, in [0, see_radius2]: whom it avoids. */
  float min_speed;     /**< >= 0. */
  float max_speed;     /**< >= min_speed. */
  float wall_distance; /**< >= 0: where boids turn away from a wall. */
  float wall;          /**< How strongly they turn from walls, */
  float avoid;         /**< keep apart, */
  float align;         /**< take over the velocity of others, */
  float cohere;        /**< and draw together. */
} juxta_flock_options;

/** The world and the rules of the published program. */
JUXTA_STABLE JUXTA_API juxta_flock_options juxta_default_flock_options(void);

/** An empty flock. Errors: JUXTA_INVALID_ARGUMENT, JUXTA_NOT_FINITE (with the name of the option). */
JUXTA_STABLE JUXTA_API juxta_status juxta_flock_build(const juxta_flock_options* options, juxta_flock** out,
                                                      juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_flock_free(juxta_flock* flock);

/** Replaces all boids by `count` random ones, drawn by number from `seed`. Errors: JUXTA_TOO_LARGE. */
JUXTA_STABLE JUXTA_API juxta_status juxta_flock_scatter(juxta_flock* flock, size_t count, uint64_t seed,
                                                        juxta_error* error);
/**
 * Replaces all boids: three floats each for positions and velocities; in 2D the third is not looked at.
 * Errors: JUXTA_INVALID_ARGUMENT (a position outside the world, with the index), JUXTA_NOT_FINITE,
 * JUXTA_TOO_LARGE.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_flock_rebuild(juxta_flock* flock, const float* positions,
                                                        const float* velocities, size_t stride, size_t count,
                                                        juxta_error* error);
/** One time step. Errors: JUXTA_UNSUPPORTED_CPU. */
JUXTA_STABLE JUXTA_API juxta_status juxta_flock_step(juxta_flock* flock, const juxta_context* context,
                                                     juxta_error* error);

/** Boids. */
JUXTA_STABLE JUXTA_API size_t juxta_flock_size(const juxta_flock* flock);
/** Steps since the flock was built. */
JUXTA_STABLE JUXTA_API uint64_t juxta_flock_steps(const juxta_flock* flock);
/**
 * One coordinate of all boids, juxta_flock_size() floats in the order of memory, which every step changes;
 * valid until the next step. `axis` is below the dimensions; else NULL.
 */
JUXTA_STABLE JUXTA_API const float* juxta_flock_position(const juxta_flock* flock, uint32_t axis);
/** The same of velocities. */
JUXTA_STABLE JUXTA_API const float* juxta_flock_velocity(const juxta_flock* flock, uint32_t axis);
/** The number that each boid had when it came, in the same order. */
JUXTA_STABLE JUXTA_API const uint32_t* juxta_flock_numbers(const juxta_flock* flock);
/** Bytes that it holds. */
JUXTA_STABLE JUXTA_API size_t juxta_flock_memory_bytes(const juxta_flock* flock);

#ifdef __cplusplus
}
#endif

#endif
