// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A user of juxta::study. Exit 0 when the table of a sweep has a row for each replica, and all stood at 0 at
// first.
#include <juxta/study/sweep.h>

#include "walk.h"

int main() {
  const juxta::ModelInfo model = walk();
  juxta::Sweep sweep;
  sweep.model = &model;
  sweep.parameters = juxta::Parameters(model.parameters);
  sweep.steps = 100;
  sweep.every = 100;
  sweep.seeds = {1, 2};
  sweep.vary = {{"walkers", {5, 25, 125}}};
  const auto result = juxta::run_sweep(sweep);
  if (!result || result->table.rows() != 12) {
    return 1;
  }
  const auto sum = result->table.column("sum");
  return sum.size() == 12 && sum[0] == 0 && sum[10] == 0 && (sum[9] != 0 || sum[11] != 0) ? 0 : 2;
}
