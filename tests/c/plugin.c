/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* Builds a layer with a job system of its own, and looks from there at who called. */
#include "plugin.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <juxta.h>
#include <stdlib.h>
#include <string.h>

static void look(plugin_report* report) {
  void* frames[64];
  const int count = backtrace(frames, 64);
  for (int i = 0; i < count; ++i) {
    Dl_info info;
    if (dladdr(frames[i], &info) != 0 && strstr(info.dli_fname, "juxta_c_version") != NULL) {
      ++*(strcmp(info.dli_fname, report->library) == 0 ? &report->own : &report->foreign);
    }
  }
}

static void run_all(void* user, size_t count, size_t grain, juxta_body body, void* body_user) {
  look((plugin_report*)user);
  for (size_t first = 0; first < count; first += grain) {
    body(body_user, first, first + grain < count ? first + grain : count);
  }
}

int RUN(plugin_report* report) {
  enum { kBoxes = 20000 };
  Dl_info info;
  int (*const version)(void) = juxta_version;
  void* address;
  memset(report, 0, sizeof(*report));
  memcpy(&address, &version, sizeof(address));
  if (dladdr(address, &info) == 0) {
    return 1;
  }
  strncpy(report->library, info.dli_fname, sizeof(report->library) - 1);

  float* const boxes = malloc(kBoxes * 4 * sizeof(float));
  for (int i = 0; i < kBoxes; ++i) {
    boxes[4 * i] = (float)i;
    boxes[4 * i + 1] = 0;
    boxes[4 * i + 2] = (float)i + 1;
    boxes[4 * i + 3] = 1;
  }
  const juxta_executor executor = {report, run_all};
  juxta_context context = juxta_default_context();
  context.executor = &executor;
  juxta_layer* layer = NULL;
  juxta_query_result found = {0, 0, 0, 0};
  int failed = juxta_layer_build(2, boxes, 0, kBoxes, NULL, &context, &layer, NULL) != JUXTA_OK ||
               juxta_layer_find_pairs(layer, NULL, NULL, 0, NULL, &context, &found, NULL) != JUXTA_OK;
  report->pairs = found.found;
  juxta_layer_free(layer);
  free(boxes);
  return failed;
}
