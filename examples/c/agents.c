/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* A disease among 5,000 people who walk about in a square: who is near an ill person may fall ill. */
#include <juxta.h>
#include <stdio.h>
#include <stdlib.h>

static void check(juxta_status status, const juxta_error* error) {
  if (status != JUXTA_OK) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
  }
}

/* A small generator: the same numbers on every machine. In [-1, 1). */
static float noise(uint32_t* state) {
  *state = *state * 1664525U + 1013904223U;
  return (float)(*state >> 8) / 8388608.0F - 1;
}

int main(void) {
  juxta_error error;
  juxta_world world = juxta_default_world();
  world.dimensions = 2;
  for (int axis = 0; axis < 2; ++axis) {
    world.edges[axis] = JUXTA_EDGE_PERIODIC;
    world.hi[axis] = 100;
  }
  juxta_simulation* simulation = NULL;
  juxta_population* people = NULL;
  uint32_t ill = 0, near_ill = 0;
  check(juxta_simulation_build(&world, 1, &simulation, &error), &error);
  check(juxta_simulation_add_population(simulation, "people", &people, &error), &error);
  check(juxta_population_add_column(people, "ill", JUXTA_COLUMN_FLOAT, NULL, &ill, &error), &error);
  check(juxta_population_add_column(people, "near_ill", JUXTA_COLUMN_RESULT, NULL, &near_ill, &error),
        &error);
  check(juxta_population_insert(people, 5000, NULL, &error), &error);
  uint32_t random = 1;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    float* const place = juxta_population_write(people, axis, JUXTA_COLUMN_FLOAT);
    for (size_t i = 0; i < 5000; ++i) {
      place[i] = 50 + 50 * noise(&random);
    }
  }
  ((float*)juxta_population_write(people, ill, JUXTA_COLUMN_FLOAT))[0] = 1;

  juxta_sort_options sort = juxta_default_sort_options();
  sort.radius = 1.5F;
  for (int day = 0; day < 60; ++day) {
    check(juxta_population_sort(people, &sort, NULL, NULL, &error), &error);
    check(juxta_population_reduce(people, people, 1.5F, JUXTA_REDUCE_SUM, "ill", "near_ill", NULL, NULL, NULL,
                                  &error),
          &error);
    float* const x = juxta_population_write(people, 0, JUXTA_COLUMN_FLOAT);
    float* const y = juxta_population_write(people, 1, JUXTA_COLUMN_FLOAT);
    float* const is_ill = juxta_population_write(people, ill, JUXTA_COLUMN_FLOAT);
    const float* const neighbours = juxta_population_read(people, near_ill, JUXTA_COLUMN_FLOAT);
    for (size_t i = 0; i < juxta_population_size(people); ++i) {
      if (neighbours[i] > 0 && noise(&random) > 0.4F) {
        is_ill[i] = 1;
      }
      x[i] += noise(&random);
      y[i] += noise(&random);
    }
    check(juxta_simulation_end_step(simulation, NULL, 0, &error), &error);
  }
  const float* const is_ill = juxta_population_read(people, ill, JUXTA_COLUMN_FLOAT);
  int count = 0;
  for (size_t i = 0; i < 5000; ++i) {
    count += is_ill[i] > 0;
  }
  printf("after %u days %d of 5000 people are ill\n", juxta_simulation_step(simulation), count);
  juxta_simulation_free(simulation);
  return count > 1 ? 0 : 1;
}
