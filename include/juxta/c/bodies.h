/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Bodies: many shapes, and the layer of their boxes. Answers are exact; of those at one t or distance the
 * lowest body comes first.
 */
#ifndef JUXTA_C_BODIES_H
#define JUXTA_C_BODIES_H

#include <juxta/c/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Shapes that are asked about together. */
typedef struct juxta_bodies juxta_bodies;

/**
 * `count` bodies: body i is shapes[i] at at[i]. What shapes borrow outlives the bodies.
 * Errors: as juxta_check_shape(), with the index; as juxta_layer_build().
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_build(const juxta_shape* shapes, const juxta_qvvs* at,
                                                       size_t stride, size_t count,
                                                       const juxta_layer_options* options,
                                                       const juxta_context* context, juxta_bodies** out,
                                                       juxta_error* error);
/** Frees them. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_bodies_free(juxta_bodies* bodies);
/** All bodies move: at[i] is the new place of body i; `stride` is from one place to the next. */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_refit(juxta_bodies* bodies, const juxta_qvvs* at,
                                                       size_t stride, size_t count,
                                                       const juxta_context* context, juxta_error* error);
/** How many there are. */
JUXTA_STABLE JUXTA_API size_t juxta_bodies_size(const juxta_bodies* bodies);

/* ---- one question: allocates nothing */

/** The body that the ray meets first. */
JUXTA_STABLE JUXTA_API juxta_surface_hit juxta_bodies_raycast_closest(const juxta_bodies* bodies,
                                                                      const juxta_ray* ray,
                                                                      const juxta_query_options* options);
/** Any body that the ray meets. */
JUXTA_STABLE JUXTA_API juxta_surface_hit juxta_bodies_raycast_any(const juxta_bodies* bodies,
                                                                  const juxta_ray* ray,
                                                                  const juxta_query_options* options);
/** All surfaces that the ray meets, of all bodies, by (t, body, part, triangle): each triangle of meshes and
 * height fields, and each convex part once, where the ray enters it. The first `most` are written, and all
 * are counted. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result
juxta_bodies_raycast_every(const juxta_bodies* bodies, const juxta_ray* ray, juxta_surface_hit* out,
                           size_t most, const juxta_query_options* options);
/** The body that a convex shape meets first when it moves by `way` (three floats). */
JUXTA_STABLE JUXTA_API juxta_cast_hit juxta_bodies_cast_closest(const juxta_bodies* bodies,
                                                                const juxta_shape* moving,
                                                                const juxta_qvvs* from, const float* way,
                                                                const juxta_query_options* options);
/** The body that a convex shape meets first when it moves and turns. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_cast_hit juxta_bodies_cast_turning(const juxta_bodies* bodies,
                                                                      const juxta_shape* moving,
                                                                      const juxta_motion* motion,
                                                                      const juxta_query_options* options);
/** The body nearest to a convex shape, within `max_distance`. */
JUXTA_STABLE JUXTA_API juxta_closest_points juxta_bodies_nearest(const juxta_bodies* bodies,
                                                                 const juxta_shape* shape,
                                                                 const juxta_qvvs* at, float max_distance,
                                                                 const juxta_query_options* options);
/** All bodies that a convex shape overlaps, ascending: the first `most` are written, and all are counted. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_bodies_find_all(const juxta_bodies* bodies,
                                                                const juxta_shape* shape,
                                                                const juxta_qvvs* at, uint32_t* out,
                                                                size_t most,
                                                                const juxta_query_options* options);

/* ---- many questions: the answers of single ones, faster */

/** out[i] = the answer to ray i. */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_raycast_closest_batch(
    const juxta_bodies* bodies, const juxta_ray* rays, size_t stride, size_t count, juxta_surface_hit* out,
    const juxta_batch_options* options, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);
/** out[i] = where shapes[i] lands that moves from from[i] by the three floats ways[3 * i]. */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_cast_closest_batch(
    const juxta_bodies* bodies, const juxta_shape* shapes, const juxta_qvvs* from, const float* ways,
    size_t count, juxta_cast_hit* out, const juxta_batch_options* options, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);
/** out[i] = where shapes[i] lands that moves and turns as motions[i] says. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_bodies_cast_turning_batch(
    const juxta_bodies* bodies, const juxta_shape* shapes, const juxta_motion* motions, size_t count,
    juxta_cast_hit* out, const juxta_batch_options* options, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);
/** out[i] = the body nearest to shapes[i] at at[i], within max_distances[i]. */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_nearest_batch(
    const juxta_bodies* bodies, const juxta_shape* shapes, const juxta_qvvs* at, const float* max_distances,
    size_t count, juxta_closest_points* out, const juxta_batch_options* options, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);
/** All {a: asked, b: body} that overlap, ascending: the first `most` are written, and all are counted. */
JUXTA_STABLE JUXTA_API juxta_status
juxta_bodies_find_all_batch(const juxta_bodies* bodies, const juxta_shape* shapes, const juxta_qvvs* at,
                            size_t count, juxta_pair* out, size_t most, const juxta_batch_options* options,
                            const juxta_context* context, juxta_query_result* result, juxta_error* error);

/** Two bodies that touch, and where. */
typedef struct juxta_contact {
  uint32_t a, b;
  juxta_manifold manifold; /**< Shapes that are not convex: one of up to 16, in contacts side by side. */
} juxta_contact;
/** Pairs of bodies that come within `margin` of each other, ascending: the first `most` are written, all
 * counted. A margin below 0 or NaN finds nothing. */
JUXTA_STABLE JUXTA_API juxta_status juxta_bodies_find_contacts(const juxta_bodies* bodies, float margin,
                                                               juxta_contact* out, size_t most,
                                                               const juxta_pair_options* options,
                                                               const juxta_context* context,
                                                               juxta_query_result* result,
                                                               juxta_error* error);

/** A manifold of two bodies, a < b. */
typedef struct juxta_named_contact {
  uint32_t a, b;
  juxta_named_manifold manifold;
} juxta_named_contact;
/** Says whether two bodies whose boxes come near, a < b, may have contacts. It must say the same each
 * time: it is asked twice, on the context's threads, from several at once. */
typedef bool (*juxta_accept_pair)(uint32_t a, uint32_t b, void* user);
/** The contacts of juxta_bodies_find_contacts() with names and parts. Of `options`, `only` is read. `accept`
 * may be NULL. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_bodies_find_named_contacts(
    const juxta_bodies* bodies, float margin, juxta_named_contact* out, size_t most,
    const juxta_pair_options* options, juxta_accept_pair accept, void* user, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);

/** "It continues no point", of juxta_match_contacts(). */
#define JUXTA_NEW_POINT UINT32_MAX
/** What continues from frame to frame. Point j of current[i] is number 4 * i + j. continues[4 * i + j]
 * becomes the number of the point of `previous` that it continues, or JUXTA_NEW_POINT: that with the same
 * feature of the same pair, else the nearest one of the pair within `slack` that no other continues.
 * `continues` has four places for each current contact. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_match_contacts(const juxta_named_contact* previous,
                                                               size_t previous_count,
                                                               const juxta_named_contact* current,
                                                               size_t current_count, float slack,
                                                               uint32_t* continues, juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
