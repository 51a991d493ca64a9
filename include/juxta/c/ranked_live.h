/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Ranked points that change while others read: insert, remove, move, and change ranks, categories and
 * numbers. Every call changes all points that it names, or none. juxta/ranked/live_points.h has the long
 * description.
 */
#ifndef JUXTA_C_RANKED_LIVE_H
#define JUXTA_C_RANKED_LIVE_H

#include <juxta/c/ranked.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Points that change. Unlike other handles, all calls may be made from any number of threads at once, but
 * juxta_live_points_free(). */
typedef struct juxta_live_points juxta_live_points;

/** The points as they were at one moment. One thread at a time; freed before its juxta_live_points. */
typedef struct juxta_ranked_snapshot juxta_ranked_snapshot;

/** Points as columns. */
typedef struct juxta_ranked_columns {
  juxta_column x, y;          /**< Both JUXTA_FLOAT or both JUXTA_DOUBLE. */
  juxta_column rank;          /**< Of any type. */
  const uint64_t* categories; /**< A mask per point; NULL: no point has a category. */
  size_t count;
  /** Up to two columns of numbers, which the ranges of a filter ask for; as many as the points were built
   * with, or none: no point has a number. */
  const juxta_column* values;
  size_t value_columns; /**< 0 to 2. */
} juxta_ranked_columns;

/** One point. */
typedef struct juxta_ranked_point {
  double x, y;
  int64_t integer_rank; /**< The rank, if it is an integer. */
  double real_rank;     /**< The rank as a double. */
  uint64_t categories;
  uint32_t rank_type;        /**< JUXTA_INT64 or JUXTA_DOUBLE: whether it is an integer. */
  uint32_t value_types[2];   /**< The same of its numbers. */
  int64_t integer_values[2]; /**< Its numbers, if they are integers. */
  double real_values[2];     /**< Its numbers as doubles. NaN: it has none. */
} juxta_ranked_point;

/** From juxta_default_live_points_options(). */
typedef struct juxta_live_points_options {
  uint32_t cookie; /**< From juxta_default_live_points_options(). */
  /** When a tenth of the points has changed, a thread of the library's own builds the index again. Off: call
   * juxta_live_points_merge() where it suits you. */
  bool merge_in_background;
  const juxta_executor* executor; /**< Of that thread; NULL: itself alone. Outlives the points. */
  /** Of points that are kept in files: a change returns when it is on the disk, in place of when it is in the
   * hands of the system. */
  bool sync_to_disk;
} juxta_live_points_options;

/** Merge in the background, on one thread. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_live_points_options juxta_default_live_points_options(void);

/**
 * From columns; with a count of 0, only their types are read. Ids: slot i, generation 1 for point i. Errors:
 * those of juxta_ranked_points_build().
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_build(const juxta_ranked_columns* from,
                                                                  const juxta_live_points_options* options,
                                                                  const juxta_context* context,
                                                                  juxta_live_points** out,
                                                                  juxta_error* error);
/**
 * Keeps the points in files from now on: all in `path`, UTF-8, and each later change in a log beside it.
 * Merges. Errors: JUXTA_INVALID_ARGUMENT (there is a file), JUXTA_IO, JUXTA_CANCELLED. From then on, changes
 * that cannot be written are refused with JUXTA_IO.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_keep(juxta_live_points* points, const char* path,
                                                                 const juxta_context* context,
                                                                 juxta_error* error);
/** The points that were kept, up to the last change that returned. Errors: JUXTA_IO (also when another
 * program has them open), JUXTA_CORRUPT_FILE. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_open(const char* path,
                                                                 const juxta_live_points_options* options,
                                                                 const juxta_context* context,
                                                                 juxta_live_points** out, juxta_error* error);
/** Puts all changes that have returned on the disk. Errors: JUXTA_IO. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_sync(juxta_live_points* points,
                                                                 juxta_error* error);
/** Frees them, and ends a merge that runs. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_live_points_free(juxta_live_points* points);

/**
 * New points; ids[i] is that of point i. Coordinates, and ranks of float, are rounded to the types of the
 * columns that the points were built from. Errors: JUXTA_NOT_FINITE, JUXTA_INVALID_ARGUMENT (the ranks
 * are integers and these are not, or beyond int32), JUXTA_TOO_LARGE.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_insert(juxta_live_points* points,
                                                                   const juxta_ranked_columns* from,
                                                                   juxta_id* ids, juxta_error* error);
/** Errors of these: JUXTA_NOT_FOUND (a dead id, with its index), and those of juxta_live_points_insert(). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_remove(juxta_live_points* points,
                                                                   const juxta_id* ids, size_t count,
                                                                   juxta_error* error);
/** Moves `count` points. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_move(juxta_live_points* points,
                                                                 const juxta_id* ids, juxta_column x,
                                                                 juxta_column y, size_t count,
                                                                 juxta_error* error);
/** Gives `count` points other ranks. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_set_rank(juxta_live_points* points,
                                                                     const juxta_id* ids, juxta_column rank,
                                                                     size_t count, juxta_error* error);
/** Gives `count` points other categories. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_set_categories(juxta_live_points* points,
                                                                           const juxta_id* ids,
                                                                           const uint64_t* categories,
                                                                           size_t count, juxta_error* error);
/** Gives `count` points other numbers in column `column`, 0 or 1; NaN: none. Errors: also
 * JUXTA_INVALID_ARGUMENT (there is no such column; it holds integers and these are not, or beyond int32). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_set_value(juxta_live_points* points,
                                                                      const juxta_id* ids, size_t column,
                                                                      juxta_column numbers, size_t count,
                                                                      juxta_error* error);
/** The point as it is now. Errors: JUXTA_NOT_FOUND. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_find(const juxta_live_points* points, juxta_id id,
                                                                 juxta_ranked_point* out, juxta_error* error);
/** Builds the index again from all points, while others read and change. Errors: JUXTA_CANCELLED. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_merge(juxta_live_points* points,
                                                                  const juxta_context* context,
                                                                  juxta_error* error);
/** Points. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_live_points_size(const juxta_live_points* points);
/** Changes since the last merge. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_live_points_unmerged(const juxta_live_points* points);
/** Bytes that they hold. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_live_points_memory_bytes(const juxta_live_points* points);

/** The points as they are now. While a snapshot lives, what later changes replace is kept. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_live_points_snapshot(const juxta_live_points* points,
                                                                     juxta_ranked_snapshot** out,
                                                                     juxta_error* error);
/** Frees it. NULL is fine. */
JUXTA_EXPERIMENTAL JUXTA_API void juxta_ranked_snapshot_free(juxta_ranked_snapshot* snapshot);
/** Points. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_snapshot_size(const juxta_ranked_snapshot* snapshot);
/** The ids of the k lowest-ranked points in the region, in ascending rank, equal ranks by slot. `filter`,
 * `result` and `error` may be NULL. Errors: JUXTA_OUT_OF_MEMORY. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_snapshot_top(
    juxta_ranked_snapshot* snapshot, const juxta_ranked_region* region, size_t k, juxta_id* out,
    const juxta_ranked_filter* filter, juxta_query_result* result, juxta_error* error);
/** The next page: behind the point whose rank and slot are in `after`. Errors: those of
 * juxta_ranked_points_top_after(). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_snapshot_top_after(
    juxta_ranked_snapshot* snapshot, const juxta_ranked_cursor* after, const juxta_ranked_region* region,
    size_t k, juxta_id* out, const juxta_ranked_filter* filter, juxta_query_result* result,
    juxta_error* error);
/** How many points are in the region: `found` of `result`. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_snapshot_count(juxta_ranked_snapshot* snapshot,
                                                                      const juxta_ranked_region* region,
                                                                      const juxta_ranked_filter* filter,
                                                                      juxta_query_result* result,
                                                                      juxta_error* error);
/** The ids of the k points nearest to (x, y) in ascending distance, equal ones by rank and slot, and their
 * distances, as juxta_ranked_points_nearest(). `options`, `result` and `error` may be NULL. Errors:
 * JUXTA_INVALID_ARGUMENT (options from elsewhere), JUXTA_OUT_OF_MEMORY. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_snapshot_nearest(
    juxta_ranked_snapshot* snapshot, double x, double y, size_t k, juxta_id* out, double* distances,
    const juxta_ranked_nearest_options* options, juxta_query_result* result, juxta_error* error);
/** How many points are in each cell of a grid, as juxta_ranked_points_count_cells(). */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_snapshot_count_cells(
    juxta_ranked_snapshot* snapshot, const juxta_rect* rect, size_t columns, size_t rows, uint32_t* counts,
    const juxta_context* context, juxta_query_result* result, juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
