/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Layers: sets of axis-aligned boxes (bodies) that answer which of them overlap, and what a box touches.
 * <juxta/c/layer_queries.h> has rays, nearest bodies and frustums. juxta/layer/layer.h has the long
 * description.
 *
 * A box is 2 D floats, lo and then hi: {lx, ly, hx, hy} in 2D, {lx, ly, lz, hx, hy, hz} in 3D. It is closed:
 * touching boxes overlap. Bodies are named by number: body i of a build is box i.
 */
#ifndef JUXTA_C_LAYER_H
#define JUXTA_C_LAYER_H

#include <juxta/c/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A set of boxes. */
typedef struct juxta_layer juxta_layer;

/**
 * What a body is and what it meets, in bits that you name. Two bodies meet when each one's category has a bit
 * in the other one's mask. All bits set: it meets everything.
 */
typedef struct juxta_filter {
  uint32_t category; /**< What it is. */
  uint32_t mask;     /**< What it meets. */
} juxta_filter;

/** The filter that meets everything. */
JUXTA_STABLE JUXTA_API juxta_filter juxta_default_filter(void);

/** Two bodies that overlap. Of one layer: a < b. Of two: a of the first. In a batch: a is the query, b the
 * body. */
typedef struct juxta_pair {
  uint32_t a, b;
} juxta_pair;

/** How to build a layer. From juxta_default_layer_options(). Only `filters` changes an answer. */
typedef struct juxta_layer_options {
  uint32_t cookie;             /**< From juxta_default_layer_options(). */
  const juxta_filter* filters; /**< One per box, or NULL: every body meets every other. */
  bool tight; /**< Takes ten times as long to build; queries take three quarters of the time. */
} juxta_layer_options;

/** No filters, built quickly. */
JUXTA_STABLE JUXTA_API juxta_layer_options juxta_default_layer_options(void);

/**
 * A layer of `count` boxes of `dimensions` (2 or 3) dimensions. Cost: about 15 ns a box at 100k; a stride
 * other than that of packed boxes costs a copy. Errors: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT (inverted
 * box, with its index; dimensions), JUXTA_TOO_LARGE, JUXTA_UNSUPPORTED_CPU, JUXTA_CANCELLED.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_build(int dimensions, const float* boxes, size_t stride,
                                                      size_t count, const juxta_layer_options* options,
                                                      const juxta_context* context, juxta_layer** out,
                                                      juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_layer_free(juxta_layer* layer);

/** The same in place: forgets all bodies and keeps the memory. Ids start anew. Cost and errors as the build.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_rebuild(juxta_layer* layer, const float* boxes, size_t stride,
                                                        size_t count, const juxta_layer_options* options,
                                                        const juxta_context* context, juxta_error* error);
/**
 * All bodies move: box number `body` is its new box; those of dead bodies are ignored. `count` is
 * juxta_layer_capacity(). Cost: about half of a rebuild. Errors: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT
 * (inverted; count).
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_refit(juxta_layer* layer, const float* boxes, size_t stride,
                                                      size_t count, const juxta_context* context,
                                                      juxta_error* error);
/**
 * `count` new bodies: ids[i] names box i. All or none. `filters`: one per box, or NULL. Cost: O(log n) each.
 * Errors: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT, JUXTA_TOO_LARGE.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_insert(juxta_layer* layer, const float* boxes, size_t stride,
                                                       size_t count, const juxta_filter* filters,
                                                       juxta_id* ids, juxta_error* error);
/** One body moves. Cost: O(log n). Errors: JUXTA_NOT_FOUND, JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_move(juxta_layer* layer, juxta_id id, const float* box,
                                                     juxta_error* error);
/** One body goes. Cost: O(log n). Errors: JUXTA_NOT_FOUND. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_remove(juxta_layer* layer, juxta_id id, juxta_error* error);
/** Changes what a body is and meets. Errors: JUXTA_NOT_FOUND. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_set_filter(juxta_layer* layer, juxta_id id,
                                                           juxta_filter filter, juxta_error* error);

/** 2 or 3. */
JUXTA_STABLE JUXTA_API int juxta_layer_dimensions(const juxta_layer* layer);
/** Living bodies. */
JUXTA_STABLE JUXTA_API size_t juxta_layer_size(const juxta_layer* layer);
/** One more than the highest body number ever alive since the last build. */
JUXTA_STABLE JUXTA_API size_t juxta_layer_capacity(const juxta_layer* layer);
/** Whether the id names a living body. */
JUXTA_STABLE JUXTA_API bool juxta_layer_alive(const juxta_layer* layer, juxta_id id);
/** The id of a living body; of a dead or unknown one an id that is not alive. */
JUXTA_STABLE JUXTA_API juxta_id juxta_layer_id_of(const juxta_layer* layer, uint32_t body);
/** The box of a living body, as it was given, to box[0] ... box[2 D - 1]. Errors: JUXTA_NOT_FOUND. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_box_of(const juxta_layer* layer, uint32_t body, float* box,
                                                       juxta_error* error);
/** Bytes that it holds, spare capacity included. */
JUXTA_STABLE JUXTA_API size_t juxta_layer_memory_bytes(const juxta_layer* layer);

/** Writes everything; `path` is UTF-8. Replaces the file as a whole or not at all. Errors: JUXTA_IO. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_save(const juxta_layer* layer, const char* path,
                                                     juxta_error* error);
/** Reads what juxta_layer_save() wrote, of either dimension. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_load(const char* path, juxta_layer** out, juxta_error* error);

/* ---- pairs */

/** How to find pairs. From juxta_default_pair_options(). */
typedef struct juxta_pair_options {
  uint32_t cookie; /**< From juxta_default_pair_options(). */
  bool sorted;     /**< Ascending (a, b); costs about 11 ns a pair. Changes the order only. */
  const uint8_t*
      only; /**< A byte per body of the first layer (its capacity): only non-zero ones take part. Or NULL. */
  const uint8_t* only_b; /**< The same for the second layer. */
} juxta_pair_options;

/** All bodies, in the layer's order. */
JUXTA_STABLE JUXTA_API juxta_pair_options juxta_default_pair_options(void);

/**
 * Every overlapping pair of bodies that meet, each once: of `layer`, or of a body of `layer` and one of
 * `other`, which may be NULL and is not the same handle. The first `most` pairs are written; `result->found`
 * tells how many exist. Cost: about 25 ns a box of a uniform world with two pairs a box. Errors:
 * JUXTA_INVALID_ARGUMENT (dimensions differ).
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_find_pairs(const juxta_layer* layer, const juxta_layer* other,
                                                           juxta_pair* out, size_t most,
                                                           const juxta_pair_options* options,
                                                           const juxta_context* context,
                                                           juxta_query_result* result, juxta_error* error);
/** Gets `count` pairs; returns false to stop. */
typedef bool (*juxta_pair_visitor)(void* user, const juxta_pair* pairs, size_t count);
/** The same pairs in the same order to a function, on the calling thread. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_visit_pairs(const juxta_layer* layer,
                                                            const juxta_layer* other,
                                                            juxta_pair_visitor visitor, void* user,
                                                            const juxta_pair_options* options,
                                                            const juxta_context* context,
                                                            juxta_query_result* result, juxta_error* error);
/** Gets `count` pairs, on any of the executor's threads. */
typedef void (*juxta_exclusive_visitor)(void* user, const juxta_pair* pairs, size_t count);
/**
 * All pairs under the exclusive schedule: no two calls that run at once hold a body in common, so the visitor
 * may write to both bodies of a pair without locks. Each body sees its pairs in one order, on any number of
 * threads.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_visit_pairs_exclusive(
    const juxta_layer* layer, const juxta_layer* other, juxta_exclusive_visitor visitor, void* user,
    const juxta_pair_options* options, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);
/** The same for visitors that write to the body of `layer` alone and read that of `other`. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_visit_pairs_by_first(
    const juxta_layer* layer, const juxta_layer* other, juxta_exclusive_visitor visitor, void* user,
    const juxta_pair_options* options, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
