/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * What a box, a ray, a point or a frustum touches in a layer. A query about one thing allocates nothing and
 * runs on your thread. Many at once give the same answers, faster: they are sorted by space first. Answers
 * come in the layer's order.
 */
#ifndef JUXTA_C_LAYER_QUERIES_H
#define JUXTA_C_LAYER_QUERIES_H

#include <juxta/c/layer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What one query leaves out. From juxta_default_query_options(). With a wrong cookie, a query finds nothing.
 */
typedef struct juxta_query_options {
  uint32_t cookie;        /**< From juxta_default_query_options(). */
  juxta_filter filter;    /**< What the query is and what it meets. */
  const uint32_t* ignore; /**< `ignore_count` bodies to leave out: a few. */
  size_t ignore_count;
  /** Says whether a body that the query touches may be an answer: the same each time. NULL: every body may.
   */
  bool (*accept)(void* user, uint32_t body);
  void* user; /**< Yours: handed to `accept`. */
} juxta_query_options;

/** Nothing is left out. */
JUXTA_STABLE JUXTA_API juxta_query_options juxta_default_query_options(void);

/** What many queries leave out. From juxta_default_batch_options(). */
typedef struct juxta_batch_options {
  uint32_t cookie;        /**< From juxta_default_batch_options(). */
  juxta_filter filter;    /**< Of every query. */
  const uint32_t* ignore; /**< ignore[i]: the body that query i leaves out, or JUXTA_NO_BODY. NULL: none. */
  /** As juxta_query_options::accept; called on the executor's threads, from several at once. */
  bool (*accept)(void* user, uint32_t query, uint32_t body);
  void* user;  /**< Yours: handed to `accept`. */
  bool sorted; /**< Answers of all queries in one array: ascending (query, body). Changes the order. */
} juxta_batch_options;

/** Nothing is left out, and answers are not sorted. */
JUXTA_STABLE JUXTA_API juxta_batch_options juxta_default_batch_options(void);

/* ---- boxes: 2 D floats each; sides may be infinite */

/** A body that overlaps the box, or JUXTA_NO_BODY. Cost: about 100 ns at 100k bodies. */
JUXTA_STABLE JUXTA_API uint32_t juxta_layer_find_any(const juxta_layer* layer, const float* box,
                                                     const juxta_query_options* options);
/** The first bodies in the layer's order, at most `most`. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_find_first(const juxta_layer* layer, const float* box,
                                                                 uint32_t* out, size_t most,
                                                                 const juxta_query_options* options);
/** All bodies: the first `most` are written, and all are counted. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_find_all(const juxta_layer* layer, const float* box,
                                                               uint32_t* out, size_t most,
                                                               const juxta_query_options* options);
/** How many bodies overlap the box. */
JUXTA_STABLE JUXTA_API size_t juxta_layer_count(const juxta_layer* layer, const float* box,
                                                const juxta_query_options* options);
/** Gets one body; returns false to stop. */
typedef bool (*juxta_body_visitor)(void* user, uint32_t body);
/** Hands over each body that overlaps the box. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_visit(const juxta_layer* layer, const float* box,
                                                            juxta_body_visitor visitor, void* user,
                                                            const juxta_query_options* options);

/** out[i] = a body that overlaps box i, or JUXTA_NO_BODY. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_find_any_batch(const juxta_layer* layer, const float* boxes,
                                                               size_t stride, size_t count, uint32_t* out,
                                                               const juxta_batch_options* options,
                                                               const juxta_context* context,
                                                               juxta_query_result* result,
                                                               juxta_error* error);
/** All {a: query, b: body} that overlap: the first `most` are written, and all are counted. */
JUXTA_STABLE JUXTA_API juxta_status
juxta_layer_find_all_batch(const juxta_layer* layer, const float* boxes, size_t stride, size_t count,
                           juxta_pair* out, size_t most, const juxta_batch_options* options,
                           const juxta_context* context, juxta_query_result* result, juxta_error* error);
/** The first bodies of box i, at most `most`, in out[i * most] and behind; there are counts[i]. */
JUXTA_STABLE JUXTA_API juxta_status
juxta_layer_find_first_batch(const juxta_layer* layer, const float* boxes, size_t stride, size_t count,
                             size_t most, uint32_t* out, uint32_t* counts, const juxta_batch_options* options,
                             const juxta_context* context, juxta_query_result* result, juxta_error* error);
/** counts[i] = how many bodies overlap box i. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_count_batch(const juxta_layer* layer, const float* boxes,
                                                            size_t stride, size_t count, uint32_t* counts,
                                                            const juxta_batch_options* options,
                                                            const juxta_context* context,
                                                            juxta_query_result* result, juxta_error* error);

/* ---- rays */

/** The points origin + t * direction, 0 <= t <= max. In 2D the third coordinates are not read. */
typedef struct juxta_ray {
  float origin[3];
  float direction[3]; /**< Of any length; t counts in lengths of it. */
  float max;          /**< May be INFINITY. */
} juxta_ray;

/** Where a ray enters a box: t = 0 when it starts inside. No hit: JUXTA_NO_BODY and INFINITY. */
typedef struct juxta_ray_hit {
  uint32_t body;
  float t;
} juxta_ray_hit;

/** The body that the ray enters first; of several at the same t the lowest number. */
JUXTA_STABLE JUXTA_API juxta_ray_hit juxta_layer_raycast_closest(const juxta_layer* layer,
                                                                 const juxta_ray* ray,
                                                                 const juxta_query_options* options);
/** Any body that the ray touches: for lines of sight. */
JUXTA_STABLE JUXTA_API juxta_ray_hit juxta_layer_raycast_any(const juxta_layer* layer, const juxta_ray* ray,
                                                             const juxta_query_options* options);
/** All bodies in order of (t, body): the first `most` are written, and all are counted. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_raycast_all(const juxta_layer* layer,
                                                                  const juxta_ray* ray, juxta_ray_hit* out,
                                                                  size_t most,
                                                                  const juxta_query_options* options);
/** Returns the new end of the ray: hit.t for nearer ones only, INFINITY to go on as before, below 0 to stop.
 */
typedef float (*juxta_ray_visitor)(void* user, juxta_ray_hit hit);
/** Hands over hits in the layer's order. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_visit_ray(const juxta_layer* layer,
                                                                const juxta_ray* ray,
                                                                juxta_ray_visitor visitor, void* user,
                                                                const juxta_query_options* options);

/** out[i] = the closest hit of ray i. `stride` is from one juxta_ray to the next. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_raycast_closest_batch(
    const juxta_layer* layer, const juxta_ray* rays, size_t stride, size_t count, juxta_ray_hit* out,
    const juxta_batch_options* options, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);
/** out[i] = any hit of ray i. */
JUXTA_STABLE JUXTA_API juxta_status
juxta_layer_raycast_any_batch(const juxta_layer* layer, const juxta_ray* rays, size_t stride, size_t count,
                              juxta_ray_hit* out, const juxta_batch_options* options,
                              const juxta_context* context, juxta_query_result* result, juxta_error* error);
/**
 * All hits of ray i in out[offsets[i]] ... out[offsets[i + 1] - 1], in order of (t, body); there are count +
 * 1 offsets. The first `most` hits are written, and all are counted.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_raycast_all_batch(
    const juxta_layer* layer, const juxta_ray* rays, size_t stride, size_t count, size_t* offsets,
    juxta_ray_hit* out, size_t most, const juxta_batch_options* options, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);

/* ---- points and frustums */

/** The body nearest to a point; `distance2` is squared, 0 inside a box. None: JUXTA_NO_BODY and INFINITY. */
typedef struct juxta_nearest_hit {
  uint32_t body;
  float distance2;
} juxta_nearest_hit;

/** The box nearest to the point (D floats), at most `max_distance` away; of several the lowest number. */
JUXTA_STABLE JUXTA_API juxta_nearest_hit juxta_layer_nearest(const juxta_layer* layer, const float* point,
                                                             float max_distance,
                                                             const juxta_query_options* options);
/** out[i] = the answer to point i. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_nearest_batch(const juxta_layer* layer, const float* points,
                                                              size_t stride, size_t count, float max_distance,
                                                              juxta_nearest_hit* out,
                                                              const juxta_batch_options* options,
                                                              const juxta_context* context,
                                                              juxta_query_result* result, juxta_error* error);
/**
 * All bodies that no plane has wholly on its outer side: the usual test of a view frustum. Planes are D + 1
 * floats each, packed: the normal, which points inside, and the offset. The first `most` bodies are written,
 * and all are counted.
 */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_layer_find_in_frustum(const juxta_layer* layer,
                                                                      const float* planes, size_t plane_count,
                                                                      uint32_t* out, size_t most,
                                                                      const juxta_query_options* options);
/** The same for `count` frustums of `plane_count` planes each, one after the other: {a: frustum, b: body}. */
JUXTA_STABLE JUXTA_API juxta_status juxta_layer_find_in_frustum_batch(
    const juxta_layer* layer, const float* planes, size_t plane_count, size_t count, juxta_pair* out,
    size_t most, const juxta_batch_options* options, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
