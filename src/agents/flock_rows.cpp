// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Steps by rows on one machine: all rows are here. flock_row_step.cpp has the step itself.
#include "agents/flock_rows.h"

#include <algorithm>
#include <utility>

#include "agents/flock_row_step.h"
#include "agents/flock_store.h"

namespace juxta::agents_detail {

void keep_rows(FlockStore& store) {
  const auto& axis = store.directory.grid.axis;
  store.rows.begins.resize_discard(axis[1].cells + 1);
  for (std::size_t row = 0; row <= axis[1].cells; ++row) {
    store.rows.begins[row] = store.directory.begins[row * axis[0].cells];
  }
}

bool step_by_rows(FlockStore& store, const Executor& executor) {
  const std::uint32_t rows = RowsOfFlock(store).count;
  if (store.rows.begins.size() == 0 || rows < kRowsAtOnce + 2) {  // a block has two neighbours
    return false;
  }
  {
    StepByRows step(store, {0, rows});
    step.put_cells(store.scratch.take<std::uint32_t>(store.count).data());
    if (!step.find_cells(executor)) {
      return false;
    }
    step.find_begins();
    step.move_rows(step.own(), core_detail::Meanwhile(nullptr), executor);
    std::copy(step.begins().begin(), step.begins().end(), store.rows.begins.begin());
  }
  std::swap(store.now, store.sorted);
  return true;
}

}  // namespace juxta::agents_detail
