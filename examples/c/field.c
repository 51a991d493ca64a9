/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* 500 ants leave a scent and climb it: how strong is it where they are, against the mean of the plane? */
#include <juxta.h>
#include <stdio.h>
#include <stdlib.h>

#define ANTS 500

typedef struct Ant {
  float x, y;
} Ant;

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
  juxta_field* scent = NULL;
  juxta_field_options options = juxta_default_field_options();
  options.world.dimensions = 2;
  for (int axis = 0; axis < 2; ++axis) {
    options.world.edges[axis] = JUXTA_EDGE_PERIODIC;
    options.world.hi[axis] = 100;
    options.cells[axis] = 200;
  }
  check(juxta_field_build(&options, &scent, &error), &error);
  juxta_diffusion spread = juxta_default_diffusion();
  spread.amount = 0.2F;
  spread.decay = 0.02F;
  spread.steps = 4;

  static Ant ants[ANTS];
  static float slope_x[ANTS], slope_y[ANTS], smell[ANTS];
  uint32_t random = 1;
  for (int i = 0; i < ANTS; ++i) {
    ants[i].x = 50 + 50 * noise(&random);
    ants[i].y = 50 + 50 * noise(&random);
  }
  const float drop = 1; /* the same of every ant */
  for (int step = 0; step < 200; ++step) {
    /* The stride says how far one ant is from the next: no copy of your own is needed. */
    check(juxta_field_deposit(scent, &ants[0].x, &ants[0].y, NULL, sizeof(Ant), ANTS, &drop, 0, 1, NULL,
                              &error),
          &error);
    check(juxta_field_diffuse(scent, &spread, NULL, &error), &error);
    check(juxta_field_gradient(scent, &ants[0].x, &ants[0].y, NULL, sizeof(Ant), ANTS, slope_x, slope_y, NULL,
                               NULL, NULL, &error),
          &error);
    for (int i = 0; i < ANTS; ++i) {
      ants[i].x += (slope_x[i] > 0 ? 0.3F : -0.3F) + 0.5F * noise(&random);
      ants[i].y += (slope_y[i] > 0 ? 0.3F : -0.3F) + 0.5F * noise(&random);
    }
  }
  double total = 0, smelt = 0;
  check(juxta_field_total(scent, 0, NULL, &total, &error), &error);
  check(juxta_field_sample(scent, &ants[0].x, &ants[0].y, NULL, sizeof(Ant), ANTS, smell, NULL, NULL, &error),
        &error);
  for (int i = 0; i < ANTS; ++i) {
    smelt += smell[i];
  }
  const double mean = total / (double)juxta_field_cells(scent);
  printf("the scent is %.1f times as strong where ants are as it is on average\n", smelt / ANTS / mean);
  juxta_field_free(scent);
  return smelt / ANTS > 2 * mean ? 0 : 1;
}
