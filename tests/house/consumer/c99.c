/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* The same as main.cpp in C99: the best points of a square, boxes that touch on threads of the library, an
 * error with its place, and the version. Exit 0 when the answers are right. */
#include <juxta.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool ranked_is_right(void) {
  static const float x[3] = {1, 2, 9}, y[3] = {1, 2, 9};
  static const int32_t ranks[3] = {5, 3, 1};
  const juxta_column xs = {x, 0, JUXTA_FLOAT}, ys = {y, 0, JUXTA_FLOAT}, by = {ranks, 0, JUXTA_INT32};
  const juxta_rect square = {0, 0, 3, 3};
  juxta_ranked_points* points = NULL;
  uint32_t best[2] = {0, 0};
  if (juxta_ranked_points_build(xs, ys, by, 3, NULL, NULL, &points, NULL) != JUXTA_OK) {
    return false;
  }
  const juxta_query_result found = juxta_ranked_points_top(points, &square, 2, best);
  juxta_ranked_points_free(points);
  return found.written == 2 && best[0] == 1 && best[1] == 0;
}

static bool pairs_are_right(void) {
  static const float boxes[18] = {0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 1, 1, 5, 0, 0, 6, 1, 1};
  juxta_layer* layer = NULL;
  juxta_threads* threads = NULL;
  juxta_pair pair = {0, 0};
  juxta_query_result found = {0, 0, 0, 0};
  juxta_error error;
  juxta_context context = juxta_default_context();
  if (juxta_threads_build(2, &threads, &error) == JUXTA_OK) {
    context.executor = juxta_threads_executor(threads);
  } else if (error.code != JUXTA_INVALID_ARGUMENT) { /* built without oneTBB */
    return false;
  }
  if (juxta_layer_build(3, boxes, 0, 3, NULL, &context, &layer, NULL) == JUXTA_OK) {
    juxta_layer_find_pairs(layer, NULL, &pair, 1, NULL, &context, &found, NULL);
  }
  juxta_layer_free(layer);
  juxta_threads_free(threads);
  return found.found == 1 && pair.a == 0 && pair.b == 1;
}

static bool error_is_right(void) {
  const float boxes[8] = {0, 0, 1, 1, 0, 0, NAN, 1};
  juxta_layer* layer = NULL;
  juxta_error error;
  memset(&error, 0, sizeof(error));
  return juxta_layer_build(2, boxes, 0, 2, NULL, NULL, &layer, &error) == JUXTA_NOT_FINITE && layer == NULL &&
         error.code == JUXTA_NOT_FINITE && error.index == 1 && strlen(error.message) > 0;
}

int main(void) {
  const bool right =
      ranked_is_right() && pairs_are_right() && error_is_right() && juxta_version() == JUXTA_C_VERSION;
  printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
