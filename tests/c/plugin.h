/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
/* What a plug-in with a library of its own tells. */
#ifndef JUXTA_TESTS_C_PLUGIN_H
#define JUXTA_TESTS_C_PLUGIN_H

#include <stddef.h>

typedef struct plugin_report {
  char library[4096]; /* the file that its juxta_version() comes from */
  size_t own;         /* frames of that file below a callback, */
  size_t foreign;     /* and of other files called libjuxta_c_version... */
  size_t pairs;
} plugin_report;

int run_1(plugin_report* report);
int run_2(plugin_report* report);

#endif
