/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* The most important places in view, of an array of structs. */
#include <juxta.h>
#include <stdio.h>

typedef struct City {
  const char* name;
  double longitude, latitude;
  int32_t rank; /* lower is more important */
} City;

int main(void) {
  static const City cities[5] = {{"Paris", 2.35, 48.86, 1},
                                 {"Lyon", 4.84, 45.76, 3},
                                 {"Marseille", 5.37, 43.30, 2},
                                 {"Toulouse", 1.44, 43.60, 4},
                                 {"Berlin", 13.40, 52.52, 0}};
  const juxta_column x = {&cities[0].longitude, sizeof(City), JUXTA_DOUBLE};
  const juxta_column y = {&cities[0].latitude, sizeof(City), JUXTA_DOUBLE};
  const juxta_column rank = {&cities[0].rank, sizeof(City), JUXTA_INT32};
  juxta_ranked_points* points = NULL;
  juxta_error error;
  if (juxta_ranked_points_build(x, y, rank, 5, NULL, NULL, &points, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  const juxta_rect south = {-5, 42, 8, 47};
  uint32_t best[2];
  const juxta_query_result found = juxta_ranked_points_top(points, &south, 2, best);
  for (size_t i = 0; i < found.written; ++i) {
    printf("%zu. %s\n", i + 1, cities[best[i]].name);
  }
  printf("%zu cities in view\n", juxta_ranked_points_count(points, &south));
  juxta_ranked_points_free(points);
  return found.written == 2 && best[0] == 2 && best[1] == 1 ? 0 : 1;
}
