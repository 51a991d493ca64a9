/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Labels of a map: those that a view shows, so that none overlap and panning changes none.
 * juxta/ranked/labels.h has the long description.
 */
#ifndef JUXTA_C_RANKED_LABELS_H
#define JUXTA_C_RANKED_LABELS_H

#include <juxta/c/core.h>
#include <juxta/c/ranked.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What juxta_ranked_labels_appears_at_zoom() returns for a point that no zoom shows. */
#define JUXTA_NEVER_SHOWN 255

/** Points with labels. */
typedef struct juxta_ranked_labels juxta_ranked_labels;

/** How to build. From juxta_default_ranked_labels_options(). */
typedef struct juxta_ranked_labels_options {
  uint32_t cookie; /**< From juxta_default_ranked_labels_options(). */
  /** Pixels, one for each label, read while building; NULL: all have `width`, or `height`. 1/64 to 4,096. */
  const float *widths, *heights;
  float width, height; /**< 80 and 20. */
  /** Units of the coordinates for each pixel at zoom 0: 1. Each zoom has half of it. */
  double units_per_pixel;
  uint32_t first_zoom, last_zoom; /**< 0 and 20; at most 30. */
} juxta_ranked_labels_options;

/** Labels of 80 x 20 pixels for zooms 0 to 20, and one unit a pixel at zoom 0. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_labels_options juxta_default_ranked_labels_options(void);

/**
 * `count` points: x and y are both JUXTA_FLOAT or both JUXTA_DOUBLE, ranks of any type. Cost: about 2 s
 * for a million points on one thread. Errors: JUXTA_INVALID_ARGUMENT (types, sizes, zooms), JUXTA_NOT_FINITE
 * (with the index), JUXTA_TOO_LARGE, JUXTA_UNSUPPORTED_CPU, JUXTA_CANCELLED.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status
juxta_ranked_labels_build(juxta_column x, juxta_column y, juxta_column rank, size_t count,
                          const juxta_ranked_labels_options* options, const juxta_context* context,
                          juxta_ranked_labels** out, juxta_error* error);
/** Frees them. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_ranked_labels_free(juxta_ranked_labels* labels);

/** The input indices of up to k labels that `zoom`, rounded down, shows and whose point is in the view, in
 * ascending rank, to out[0] ... out[written - 1]. `found` counts all of them. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result juxta_ranked_labels_top(const juxta_ranked_labels* labels,
                                                                        const juxta_rect* view, double zoom,
                                                                        size_t k, uint32_t* out);
/** The first zoom that shows a point, or JUXTA_NEVER_SHOWN; also when there is no such point. */
JUXTA_EXPERIMENTAL JUXTA_API uint8_t juxta_ranked_labels_appears_at_zoom(const juxta_ranked_labels* labels,
                                                                         size_t index);

/** Points. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_labels_size(const juxta_ranked_labels* labels);
/** Points that the last zoom shows. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_labels_shown(const juxta_ranked_labels* labels);
/** Bytes that they hold. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_labels_memory_bytes(const juxta_ranked_labels* labels);

#ifdef __cplusplus
}
#endif

#endif
