/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/**
 * @file
 * Ranked points: the k most important points in a rectangle, and how many are in it. Lower rank is more
 * important; equal ranks go by input order. juxta/ranked/ranked_points.h has the long description.
 */
#ifndef JUXTA_C_RANKED_H
#define JUXTA_C_RANKED_H

#include <juxta/c/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A set of points with ranks. */
typedef struct juxta_ranked_points juxta_ranked_points;

/** What the elements of a juxta_column are. */
typedef enum juxta_scalar {
  JUXTA_INT32 = 0,
  JUXTA_INT64 = 1,
  JUXTA_FLOAT = 2,
  JUXTA_DOUBLE = 3
} juxta_scalar;

/** A column of numbers, possibly one member of an array of structs, at any alignment. */
typedef struct juxta_column {
  const void* data;
  size_t stride; /**< Bytes from one element to the next; 0: they follow each other. */
  uint32_t type; /**< A juxta_scalar. */
} juxta_column;

/** The closed rectangle [lx, hx] x [ly, hy]. Inverted or NaN: empty. Sides may be infinite. */
typedef struct juxta_rect {
  double lx, ly, hx, hy;
} juxta_rect;

/** How to build. From juxta_default_ranked_options(). */
typedef struct juxta_ranked_options {
  uint32_t cookie; /**< From juxta_default_ranked_options(). */
  /** Do not copy the coordinates: your columns stay unchanged while you ask. Saves 8 bytes a point (16 for
   * double). */
  bool borrow_coordinates;
  /** Up to 64 categories: a mask per point, read while building; NULL: no point has a category. At most 10
   * bytes a point and category that it has. */
  const uint64_t* categories;
  /** Keep the ranks, for juxta_ranked_points_top_after(): 4 bytes a point, 8 for JUXTA_INT64 and
   * JUXTA_DOUBLE.
   */
  bool keep_ranks;
  /** Up to two columns of numbers, a time or a price for example, which the ranges of a filter ask for. Each
   * has a number for every point; NaN: the point has none. Copied; 17 bytes a point and column of
   * JUXTA_INT32 or JUXTA_FLOAT, 21 of the others, 4 more a point when there are two; and up to 1.3 MB a
   * column. */
  const juxta_column* values;
  size_t value_columns; /**< 0 to 2. */
} juxta_ranked_options;

/** What the ends of a juxta_ranked_range are. */
typedef enum juxta_ranked_range_kind {
  JUXTA_RANGE_OPEN = 0,     /**< No ends: every point passes, with a number or not. */
  JUXTA_RANGE_INTEGERS = 1, /**< `integer_least` and `integer_most`. */
  JUXTA_RANGE_REALS = 2     /**< `least` and `most`, which may be infinite. */
} juxta_ranked_range_kind;

/** Numbers from one end to the other, both included. Integers and reals are compared exactly, whatever the
 * column's type. An inverted or NaN range holds no number. {0} is open. */
typedef struct juxta_ranked_range {
  int64_t integer_least, integer_most;
  double least, most;
  uint32_t kind; /**< A juxta_ranked_range_kind; any other number lets no point pass. */
} juxta_ranked_range;

/** Which points a question is about: those whose categories have all bits of `all`, none of `none`, and at
 * least one of `any` unless that is 0, and whose number in column i is in ranges[i]. {0} lets every point
 * pass. No point has a category or a number that was not given when building. */
typedef struct juxta_ranked_filter {
  uint64_t any, all, none;
  juxta_ranked_range ranges[2];
} juxta_ranked_filter;

/** Coordinates are copied, there are no categories, and ranks are not kept. */
JUXTA_STABLE JUXTA_API juxta_ranked_options juxta_default_ranked_options(void);

/**
 * `count` points: x and y are both JUXTA_FLOAT or both JUXTA_DOUBLE, ranks of any type. Cost: a few seconds
 * for 10 million points on one thread. Errors: JUXTA_INVALID_ARGUMENT (types), JUXTA_NOT_FINITE (with the
 * index), JUXTA_TOO_LARGE, JUXTA_UNSUPPORTED_CPU, JUXTA_CANCELLED.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_ranked_points_build(juxta_column x, juxta_column y,
                                                              juxta_column rank, size_t count,
                                                              const juxta_ranked_options* options,
                                                              const juxta_context* context,
                                                              juxta_ranked_points** out, juxta_error* error);
/** The same in place. On an error the points are as they were, but after JUXTA_CANCELLED there are none. */
JUXTA_STABLE JUXTA_API juxta_status juxta_ranked_points_rebuild(
    juxta_ranked_points* points, juxta_column x, juxta_column y, juxta_column rank, size_t count,
    const juxta_ranked_options* options, const juxta_context* context, juxta_error* error);
/** Frees them. NULL is fine. */
JUXTA_STABLE JUXTA_API void juxta_ranked_points_free(juxta_ranked_points* points);

/** The input indices of the k lowest-ranked points in the rectangle, in ascending rank, to out[0] ...
 * out[written - 1]. */
JUXTA_STABLE JUXTA_API juxta_query_result juxta_ranked_points_top(const juxta_ranked_points* points,
                                                                  const juxta_rect* rect, size_t k,
                                                                  uint32_t* out);
/** The same for `count` rectangles, faster: answer i in out[i * k] and behind, counts[i] long. */
JUXTA_STABLE JUXTA_API juxta_status
juxta_ranked_points_top_batch(const juxta_ranked_points* points, const juxta_rect* rects, size_t stride,
                              size_t count, size_t k, uint32_t* out, uint32_t* counts,
                              const juxta_context* context, juxta_query_result* result, juxta_error* error);
/** How many points are in the rectangle. */
JUXTA_STABLE JUXTA_API size_t juxta_ranked_points_count(const juxta_ranked_points* points,
                                                        const juxta_rect* rect);

/** juxta_ranked_points_top() of the points that pass. One category takes about as long as a set of its points
 * alone. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result
juxta_ranked_points_top_filtered(const juxta_ranked_points* points, const juxta_rect* rect, size_t k,
                                 uint32_t* out, const juxta_ranked_filter* filter);
/** juxta_ranked_points_top_batch() of the points that pass. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_top_filtered_batch(
    const juxta_ranked_points* points, const juxta_rect* rects, size_t stride, size_t count, size_t k,
    uint32_t* out, uint32_t* counts, const juxta_ranked_filter* filter, const juxta_context* context,
    juxta_query_result* result, juxta_error* error);
/** How many points that pass are in the rectangle. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_points_count_filtered(const juxta_ranked_points* points,
                                                                       const juxta_rect* rect,
                                                                       const juxta_ranked_filter* filter);
/** The same for `count` rectangles: counts[i]. `result` may be NULL; its `found` is the sum. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_count_filtered_batch(
    const juxta_ranked_points* points, const juxta_rect* rects, size_t stride, size_t count, uint32_t* counts,
    const juxta_ranked_filter* filter, const juxta_context* context, juxta_query_result* result,
    juxta_error* error);

/** A part of the plane, closed. From the functions below. */
typedef struct juxta_ranked_region {
  uint32_t kind;             /**< Of the library. */
  double numbers[4];         /**< Of the library. */
  const double *xs, *ys;     /**< Of a polygon: the caller's corners. */
  const uint32_t* ring_ends; /**< Of a polygon: the caller's. */
  size_t corners, rings;
} juxta_ranked_region;

/** A rectangle. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_region juxta_ranked_region_rect(juxta_rect rect);
/** A rectangle on a map that ends at the antimeridian: with lx > hx, every x >= lx or <= hx. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_region juxta_ranked_region_across(juxta_rect rect);
/** What is at a distance of `inner` to `outer` from (x, y); a circle when `inner` is 0. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_region juxta_ranked_region_ring(double x, double y, double inner,
                                                                          double outer);
/**
 * The inside of a polygon by the even-odd rule, and its borders, exactly. Ring r has the corners from the end
 * of ring r - 1 up to ring_ends[r]; NULL and 0: one ring. The arrays stay the caller's, and unchanged while
 * the region is used. Corners that are not finite or beyond 1e150: empty.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_region juxta_ranked_region_polygon(const double* xs,
                                                                             const double* ys, size_t corners,
                                                                             const uint32_t* ring_ends,
                                                                             size_t rings);
/** juxta_ranked_points_top() in a region. `filter` may be NULL. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result
juxta_ranked_points_top_in_region(const juxta_ranked_points* points, const juxta_ranked_region* region,
                                  size_t k, uint32_t* out, const juxta_ranked_filter* filter);
/** How many points are in a region. `filter` may be NULL. */
JUXTA_EXPERIMENTAL JUXTA_API size_t juxta_ranked_points_count_in_region(const juxta_ranked_points* points,
                                                                        const juxta_ranked_region* region,
                                                                        const juxta_ranked_filter* filter);

/** A place in the order of ranks, for pages: behind the point of this rank and input index. From one of the
 * two functions below. It stays valid when other points are removed or added. */
typedef struct juxta_ranked_cursor {
  int64_t integer; /**< The rank, if it is an integer. */
  double real;     /**< The rank, if it is not. */
  uint32_t type;   /**< JUXTA_INT64 or JUXTA_DOUBLE: which of them. */
  uint32_t index;  /**< The input index. */
} juxta_ranked_cursor;

/** Behind a point whose rank is an integer. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_cursor juxta_ranked_cursor_after_integer(int64_t rank,
                                                                                   uint32_t index);
/** Behind a point whose rank is a float or a double. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_cursor juxta_ranked_cursor_after_real(double rank, uint32_t index);

/**
 * The next page: the k lowest-ranked points in the rectangle behind `after` in the order of ranks. Begin with
 * juxta_ranked_points_top(), and go on with the last point of each page. `filter` and `result` may be NULL.
 * Cost: 1 to 10 us for small k and up to some thousand points on the pages before. Errors:
 * JUXTA_INVALID_ARGUMENT (built without keep_ranks; a rank that does not suit those of the points),
 * JUXTA_NOT_FINITE (a rank that is NaN).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_top_after(
    const juxta_ranked_points* points, const juxta_ranked_cursor* after, const juxta_rect* rect, size_t k,
    uint32_t* out, const juxta_ranked_filter* filter, juxta_query_result* result, juxta_error* error);
/** The same in a region. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_top_after_in_region(
    const juxta_ranked_points* points, const juxta_ranked_cursor* after, const juxta_ranked_region* region,
    size_t k, uint32_t* out, const juxta_ranked_filter* filter, juxta_query_result* result,
    juxta_error* error);

/** What juxta_ranked_points_nearest() looks at. From juxta_default_ranked_nearest_options(). */
typedef struct juxta_ranked_nearest_options {
  uint32_t cookie; /**< From juxta_default_ranked_nearest_options(). */
  /** Only the points whose place in the rank order of all points is below it. */
  size_t most_important;
  juxta_ranked_filter filter; /**< Only the points that pass. */
  double max_distance;        /**< Only the points within it, its border included. */
} juxta_ranked_nearest_options;

/** All points, at any distance. */
JUXTA_EXPERIMENTAL JUXTA_API juxta_ranked_nearest_options juxta_default_ranked_nearest_options(void);
/**
 * The input indices of the k points nearest to (x, y) in ascending distance, equal ones by rank, to out[0]
 * ... out[written - 1], and their distances, in double, to distances[0] ... `options` may be NULL. Options
 * from elsewhere, a point that is not finite, a negative or NaN max_distance: nothing is found.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_query_result
juxta_ranked_points_nearest(const juxta_ranked_points* points, double x, double y, size_t k, uint32_t* out,
                            double* distances, const juxta_ranked_nearest_options* options);

/** The categories that some point has. */
JUXTA_EXPERIMENTAL JUXTA_API uint64_t juxta_ranked_points_categories(const juxta_ranked_points* points);

/**
 * How many points are in each cell of a grid over the rectangle, for heat maps: counts[row * columns +
 * column] with row 0 at ly; `counts` has columns * rows places. Column i begins at i * ((hx - lx) / columns)
 * + lx, and what is on an edge is in the cell behind it, as with numpy.histogram2d. `result` may be NULL; its
 * `found` is the sum. Errors: JUXTA_INVALID_ARGUMENT (no columns or rows, or more than 65,535; the rectangle
 * is not finite or has no width or height).
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_count_cells(
    const juxta_ranked_points* points, const juxta_rect* rect, size_t columns, size_t rows, uint32_t* counts,
    const juxta_context* context, juxta_query_result* result, juxta_error* error);

/** Points. */
JUXTA_STABLE JUXTA_API size_t juxta_ranked_points_size(const juxta_ranked_points* points);
/** Bytes that they hold. */
JUXTA_STABLE JUXTA_API size_t juxta_ranked_points_memory_bytes(const juxta_ranked_points* points);
/** The smallest rectangle around all points; an empty one when there are none. */
JUXTA_STABLE JUXTA_API juxta_rect juxta_ranked_points_bounds(const juxta_ranked_points* points);

/**
 * Writes one file, which replaces what was there as a whole or not at all; `path` is UTF-8. `attachment`:
 * `attachment_size` bytes of yours that belong to these points, or NULL. Errors: JUXTA_IO.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_ranked_points_save(const juxta_ranked_points* points,
                                                             const char* path, const void* attachment,
                                                             size_t attachment_size, juxta_error* error);
/** Maps a file that was saved, which must not change while it is used. Errors: JUXTA_IO, JUXTA_CORRUPT_FILE.
 */
JUXTA_STABLE JUXTA_API juxta_status juxta_ranked_points_load(const char* path, juxta_ranked_points** out,
                                                             juxta_error* error);
/**
 * Maps such a file in milliseconds, and checks only what keeps queries inside of it. Answers of a damaged
 * file count only when juxta_ranked_points_check_read() has found nothing after them; until then an index can
 * even be the number of points or more. For a program that asks little and ends. Errors: as
 * juxta_ranked_points_load().
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_open(const char* path,
                                                                   juxta_ranked_points** out,
                                                                   juxta_error* error);
/**
 * Of points that were opened: whether all that was read of the file so far is as it was saved. A page that
 * the system took away since, as a rule for want of memory, counts as not read. Errors: JUXTA_CORRUPT_FILE.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_check_read(const juxta_ranked_points* points,
                                                                         juxta_error* error);
/** The bytes that a loaded file was saved with, and how many; NULL and 0 when there are none. */
JUXTA_STABLE JUXTA_API const void* juxta_ranked_points_attachment(const juxta_ranked_points* points,
                                                                  size_t* size);
/**
 * Copies `size` of these bytes, from byte `at` on, to `out`. Of points that were opened they are checked
 * first, so that juxta_ranked_points_check_read() need not be asked about them: for some rows of a long
 * table, 10 us each. Errors: JUXTA_INVALID_ARGUMENT (there are not so many), JUXTA_IO, JUXTA_CORRUPT_FILE.
 */
JUXTA_EXPERIMENTAL JUXTA_API juxta_status juxta_ranked_points_copy_attachment(
    const juxta_ranked_points* points, size_t at, void* out, size_t size, juxta_error* error);

#ifdef __cplusplus
}
#endif

#endif
