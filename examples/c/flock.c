/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* A flock on threads, with progress out and cancel in left to you: the middle of 2,000 boids after two seconds. */
#include <juxta.h>
#include <stdio.h>

int main(void) {
  juxta_flock* flock = NULL;
  juxta_threads* threads = NULL;
  juxta_error error;
  if (juxta_flock_build(NULL, &flock, &error) != JUXTA_OK ||
      juxta_flock_scatter(flock, 2000, 1, &error) != JUXTA_OK ||
      juxta_threads_build(2, &threads, &error) != JUXTA_OK) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  juxta_context context = juxta_default_context();
  context.executor = juxta_threads_executor(threads);
  for (int step = 0; step < 120; ++step) {
    if (juxta_flock_step(flock, &context, &error) != JUXTA_OK) {
      fprintf(stderr, "%s\n", error.message);
      return 1;
    }
  }
  double sum = 0;
  const float* const x = juxta_flock_position(flock, 0);
  for (size_t i = 0; i < juxta_flock_size(flock); ++i) {
    sum += x[i];
  }
  printf("after %d steps the middle is at x = %.2f\n", (int)juxta_flock_steps(flock), sum / 2000);
  juxta_threads_free(threads);
  juxta_flock_free(flock);
  return 0;
}
