/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Agents and their neighbours: the order of space, and the passes that are built in. juxta/agents/reduce.h,
 * nearest.h and find_near.h have the long description.
 */
#ifndef JUXTA_C_AGENTS_PASSES_H
#define JUXTA_C_AGENTS_PASSES_H

#include <juxta/c/agents.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How agents stand in memory, and how neighbours are looked up. Never changes a set of neighbours. */
typedef enum juxta_arrangement {
  JUXTA_ARRANGE_AUTO = 0, /**< By the world, the radius and the sizes of agents. */
  JUXTA_ARRANGE_ROWS = 1, /**< A table of cells, row by row. */
  JUXTA_ARRANGE_MORTON = 2,
  JUXTA_ARRANGE_HILBERT = 3,
  JUXTA_ARRANGE_HASHED = 4, /**< Only rows of cells that hold agents. For wide and empty worlds. */
  JUXTA_ARRANGE_TREE = 5    /**< Blocks of 16 agents. For agents of unlike sizes. */
} juxta_arrangement;

/** How to sort. From juxta_default_sort_options(). */
typedef struct juxta_sort_options {
  uint32_t cookie;      /**< From juxta_default_sort_options(). */
  float radius;         /**< That the coming passes ask for: finite, > 0. Yours to set. */
  float skin;           /**< >= 0. The order is kept until an agent has moved by more than half of it. */
  uint32_t arrangement; /**< A juxta_arrangement. */
} juxta_sort_options;

/** What sorting did. */
typedef struct juxta_sort_report {
  juxta_arrangement arrangement; /**< The one that was taken. */
  size_t cells;                  /**< In its table; blocks of a tree. */
  bool sorted;                   /**< False: within the skin, all stayed where they were. */
} juxta_sort_report;

/** When a neighbour is near. With extents, d is the gap between the boxes on each axis. */
typedef enum juxta_metric {
  JUXTA_METRIC_BALL = 0, /**< dx*dx + dy*dy (+ dz*dz) <= radius * radius. */
  JUXTA_METRIC_BOX = 1   /**< |dx| <= radius and |dy| <= radius (and |dz| <= radius). */
} juxta_metric;

/** juxta_see_options: all agents have the radius of the call; all are seen. */
#define JUXTA_NO_COLUMN UINT32_MAX

/** How to see. From juxta_default_see_options(). */
typedef struct juxta_see_options {
  uint32_t cookie; /**< From juxta_default_see_options(). */
  uint32_t metric; /**< A juxta_metric. */
  uint32_t radii;  /**< A column of floats: each seer's own radius, none above the call's; JUXTA_NO_COLUMN. */
  uint32_t among;  /**< A column of uint8_t of the seen: only agents whose mark is not 0 are seen;
                      JUXTA_NO_COLUMN. */
} juxta_see_options;

/** What is made of the neighbours, and what an agent without any gets. */
typedef enum juxta_reduction {
  JUXTA_REDUCE_COUNT = 0,   /**< 0 */
  JUXTA_REDUCE_SUM = 1,     /**< 0 */
  JUXTA_REDUCE_MEAN = 2,    /**< NaN */
  JUXTA_REDUCE_LEAST = 3,   /**< +infinity */
  JUXTA_REDUCE_GREATEST = 4 /**< -infinity */
} juxta_reduction;

/** The rules of boids. From juxta_default_boid_rules(). */
typedef struct juxta_boid_rules {
  uint32_t cookie;         /**< From juxta_default_boid_rules(). */
  float see_radius;        /**< Whom a boid follows: finite, > 0. Sort for it. */
  float avoid_radius;      /**< Whom it avoids: in [0, see_radius]. */
  float cohere;            /**< To the middle of its neighbours. */
  float avoid;             /**< Away from those that are too near. */
  float align;             /**< Along with its neighbours. */
  const char* velocity[3]; /**< Names of columns of floats; in 2D the third is not looked at. */
} juxta_boid_rules;

/** No radius yet, no skin, JUXTA_ARRANGE_AUTO. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_sort_options juxta_default_sort_options(void);
/** JUXTA_METRIC_BALL, and one radius for all. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_see_options juxta_default_see_options(void);
/** The parameters of the published flock; velocities are "vx", "vy", "vz". */
JUXTA_EXPERIMENTAL JUXTA_API juxta_boid_rules juxta_default_boid_rules(void);

/**
 * Puts all agents into the order of space and prepares the search for neighbours; brings those in periodic
 * worlds back into [lo, hi). `report` may be NULL. Errors, and nothing was changed: JUXTA_INVALID_ARGUMENT
 * (radius or skin; an agent outside a wall, with its row as index), JUXTA_NOT_FINITE (a position).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_sort(juxta_population* population,
                                                                const juxta_sort_options* options,
                                                                const juxta_context* context,
                                                                juxta_sort_report* report,
                                                                juxta_error* error);
/** No position was written, and no agent came or went, since the last sort. */
JUXTA_EXPERIMENTAL JUXTA_API bool juxta_population_sorted(const juxta_population* population);

/**
 * For each agent of `seers`, one number made of the column `of` over all agents of `seen` within `radius`,
 * itself left out when the two are one. It goes to the seers' column `into`, which may be the one that is
 * read. Both are columns of floats; JUXTA_REDUCE_COUNT does not look at `of`, which may then be NULL.
 * `result`, which may be NULL, has `tested` alone. Errors, and no column was written: JUXTA_INVALID_ARGUMENT
 * (the radius; `seen` not sorted since it changed; a column of another kind), JUXTA_NOT_FOUND (a column),
 * JUXTA_UNSUPPORTED_CPU.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_reduce(
    juxta_population* seers, const juxta_population* seen, float radius, juxta_reduction reduction,
    const char* of, const char* into, const juxta_see_options* options, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);

/**
 * One step of the rules: each boid's new velocity, from those of its neighbours. To move, to limit the speed
 * and to turn from walls is up to you. Result and errors: as juxta_population_reduce().
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_steer_boids(juxta_population* boids,
                                                                       const juxta_boid_rules* rules,
                                                                       const juxta_context* context,
                                                                       juxta_query_result* result,
                                                                       juxta_error* error);

/**
 * For each agent of `seers`, its `k` nearest of `seen` within `radius` (which may be infinite), itself left
 * out when the two are one. `rows` and `distance2` have k values a seer, nearest first, filled up with
 * JUXTA_NO_ROW and infinity; `counts` has one. Errors, and nothing was written: JUXTA_INVALID_ARGUMENT (the
 * radius; `seen` not sorted since it changed; populations of two simulations; an array that is NULL).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status
juxta_population_nearest(const juxta_population* seers, const juxta_population* seen, uint32_t k,
                         float radius, uint32_t* rows, float* distance2, uint32_t* counts,
                         const juxta_context* context, juxta_query_result* result, juxta_error* error);

/**
 * Who is near a point now, looked for among all: for a few agents, or many near ones. `point` has as many
 * floats as the world has dimensions. Rows ascend; the first `size` are written, all are counted. `rows` may
 * be NULL with size 0.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result juxta_population_find_near(const juxta_population* population,
                                                                           const float* point, float radius,
                                                                           uint32_t* rows, size_t size);

#ifdef __cplusplus
}
#endif

#endif
