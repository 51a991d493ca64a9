/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* Which boxes overlap, and what a ship sees ahead: boxes that are members of your own structs. */
#include <juxta.h>
#include <math.h>
#include <stdio.h>

typedef struct Ship {
  char name[8];
  float box[6]; /* lo x, y, z, hi x, y, z */
} Ship;

int main(void) {
  static const Ship ships[4] = {{"Ant", {0, 0, 0, 2, 2, 2}},
                                {"Bee", {1, 1, 1, 3, 3, 3}},
                                {"Cat", {9, 0, 0, 10, 1, 1}},
                                {"Dog", {20, 0, 0, 21, 1, 1}}};
  juxta_error error;
  juxta_layer* layer = NULL;
  /* The stride says how far one box is from the next: no copy of your own is needed. */
  if (juxta_layer_build(3, ships[0].box, sizeof(Ship), 4, NULL, NULL, &layer, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }

  juxta_pair pairs[8];
  juxta_query_result found;
  if (juxta_layer_find_pairs(layer, NULL, pairs, 8, NULL, NULL, &found, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  for (size_t i = 0; i < found.written; ++i) {
    printf("%s meets %s\n", ships[pairs[i].a].name, ships[pairs[i].b].name);
  }

  /* A ray from inside Ant: without `ignore` it would hit Ant itself. */
  const uint32_t own = 0;
  const juxta_ray ray = {{0.5F, 0.5F, 0.5F}, {1, 0, 0}, INFINITY};
  juxta_query_options options = juxta_default_query_options();
  options.ignore = &own;
  options.ignore_count = 1;
  const juxta_ray_hit hit = juxta_layer_raycast_closest(layer, &ray, &options);
  if (hit.body != JUXTA_NO_BODY) {
    printf("Ant sees %s at %.1f\n", ships[hit.body].name, hit.t);
  }
  juxta_layer_free(layer);
  return found.found == 1 && hit.body == 2 ? 0 : 1;
}
