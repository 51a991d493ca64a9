/* Copyright (c) the juxta authors. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "plugin.h"

static int check(int version, const plugin_report* report) {
  printf("plug-in %d: %s, %zu frames of its own, %zu foreign, %zu pairs\n", version, report->library, report->own,
         report->foreign, report->pairs);
  return report->pairs == 19999 && report->own > 2 && report->foreign == 0;
}

int main(void) {
  static plugin_report one, two;
  if (run_1(&one) != 0 || run_2(&two) != 0) {
    return 1;
  }
  const int good = check(1, &one) & check(2, &two);
  return good && strcmp(one.library, two.library) != 0 ? 0 : 1;
}
