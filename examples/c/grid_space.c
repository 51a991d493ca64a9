/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* Schelling's model: people who have fewer than three neighbours of their kind move to free cells. */
#include <juxta.h>
#include <stdio.h>
#include <stdlib.h>

#define PEOPLE 3000

static void check(juxta_status status, const juxta_error* error) {
  if (status != JUXTA_OK) {
    fprintf(stderr, "%s\n", error->message);
    exit(1);
  }
}

/* The mean part of people's neighbours who are of their kind. */
static double mean_alike(const juxta_grid_space* city) {
  double sum = 0;
  int counted = 0;
  for (uint32_t person = 0; person < PEOPLE; ++person) {
    const uint32_t alike = juxta_grid_space_alike(city, person);
    const uint32_t all = alike + juxta_grid_space_unlike(city, person);
    if (all > 0) {
      sum += (double)alike / all;
      ++counted;
    }
  }
  return sum / counted;
}

int main(void) {
  juxta_error error;
  juxta_grid_space* city = NULL;
  juxta_grid_space_options options = juxta_default_grid_space_options();
  options.cells[0] = options.cells[1] = 60;
  options.kinds = 2;
  check(juxta_grid_space_build(&options, &city, &error), &error);

  juxta_random_key homes = {42, 0, 0}; /* seed, step, purpose */
  for (uint32_t person = 0; person < PEOPLE; ++person) {
    uint32_t cell = 0;
    check(juxta_grid_space_free_cell(city, homes, person, &cell, &error), &error);
    check(juxta_grid_space_insert(city, person, cell, (uint8_t)(person % 2), &error), &error);
  }
  const double before = mean_alike(city);
  size_t moved = PEOPLE;
  uint32_t step = 1;
  for (; step <= 100 && moved > 0; ++step) {
    const juxta_random_key order = {42, step, 1}, places = {42, step, 2};
    const uint32_t* rows = NULL; /* who moved, if you want to know */
    check(juxta_grid_space_move_below(city, 3, order, places, &rows, &moved, &error), &error);
  }
  const double after = mean_alike(city);
  printf("%.0f %% of the neighbours are alike, and after %u steps %.0f %%\n", 100 * before, step - 1,
         100 * after);
  juxta_grid_space_free(city);
  return moved == 0 && after > before + 0.1 ? 0 : 1;
}
