/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * The neighbours of all agents of a sorted population, as lists one behind the other or as pairs.
 * juxta/agents/neighbour_lists.h has the long description.
 */
#ifndef JUXTA_C_AGENTS_LISTS_H
#define JUXTA_C_AGENTS_LISTS_H

#include <juxta/c/agents_passes.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Which neighbours are listed. From juxta_default_neighbour_list_options(). */
typedef struct juxta_neighbour_list_options {
  uint32_t cookie; /**< From juxta_default_neighbour_list_options(). */
  uint32_t metric; /**< A juxta_metric. */
  uint32_t radii;  /**< A column of floats: each seer's own radius, none above the call's; JUXTA_NO_COLUMN. */
  bool half;       /**< Of one population: only neighbours in a higher row. Not together with radii. */
  /** In a periodic world with a radius of half a period or more, which is refused otherwise: each neighbour
   * once, by its nearest image. */
  bool nearest_images;
} juxta_neighbour_list_options;

/** An agent and one that is near it, by their rows. */
typedef struct juxta_row_pair {
  uint32_t a; /**< Of the seer. */
  uint32_t b; /**< Of the agent that it sees. */
} juxta_row_pair;

/** Where neighbours go, entry after entry. What is NULL is not wanted. What stands behind the entries written
 * is unspecified. */
typedef struct juxta_neighbour_outputs {
  size_t size;           /**< How many entries fit into each of the arrays below. */
  uint32_t* rows;        /**< The neighbour's row. */
  juxta_row_pair* pairs; /**< The seer's row and the neighbour's. */
  float* distance2;      /**< Of the two positions; with extents, of the gaps between the two boxes. */
  float* distance;       /**< Its root. */
  float* displacement; /**< As many as the world has dimensions: the neighbour's position less the seer's. */
} juxta_neighbour_outputs;

/** Balls, all of them, and no more than half a period. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_neighbour_list_options juxta_default_neighbour_list_options(void);

/**
 * The neighbours of each agent of `seers` among `seen`, itself left out when the two are one; ascending. The
 * list of row i is entries offsets[i] to offsets[i + 1] - 1. `offsets` has one element more than the seers;
 * NULL if you need none. `outputs` may be NULL: the call then counts, as it does beyond `size`.
 *
 * `found` of the result is the number of all entries, `written` how many were stored. Errors, and nothing was
 * written: JUXTA_INVALID_ARGUMENT (the radius; `seen` not sorted since it changed; populations of two
 * simulations; `half` with two populations or with radii; half a period or more).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_population_neighbour_lists(
    const juxta_population* seers, const juxta_population* seen, float radius, uint64_t* offsets,
    const juxta_neighbour_outputs* outputs, const juxta_neighbour_list_options* options,
    const juxta_context* context, juxta_query_result* result, juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
