// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shoppers on a square with two kinds of stalls, one agent a cell: who has more of the other kind near than
// of its own walks to the nearest free cell. How many are content, before and after (docs/grid.md).
#include <juxta/core/try.h>
#include <juxta/grid/grid_space.h>

#include <cstdio>
#include <vector>

namespace {

using namespace juxta;

constexpr std::uint32_t kAgents = 1500, kSteps = 30;

std::uint32_t content(const GridSpace& space) {
  std::uint32_t count = 0;
  for (std::uint32_t row = 0; row < kAgents; ++row) {
    count += space.alike(row) >= space.unlike(row) ? 1 : 0;
  }
  return count;
}

Result<void> run() {
  const CellGrid grid{.cells = {50, 40, 1}, .edges = {Edge::kPeriodic, Edge::kPeriodic}};
  JUXTA_TRY_LET(GridSpace space, GridSpace::build({.grid = grid, .kinds = 2, .near = {2}}));
  for (std::uint32_t row = 0; row < kAgents; ++row) {
    JUXTA_TRY_LET(const std::uint32_t cell, space.free_cell({.seed = 1}, row));
    JUXTA_TRY(space.insert(row, cell, row % 2));
  }
  const std::uint32_t before = content(space);
  std::vector<std::uint32_t> order(kAgents);
  for (std::uint32_t step = 0; step < kSteps; ++step) {
    random_order({.seed = 1, .step = step, .purpose = 1}, order);
    for (const std::uint32_t row : order) {
      if (space.alike(row) < space.unlike(row)) {
        JUXTA_TRY_LET(const std::uint32_t cell, space.nearest_free(space.cell_of(row)));
        JUXTA_TRY(space.move(row, cell));
      }
    }
  }
  const std::uint32_t after = content(space);
  std::printf("%u of %u agents are content at first, %u after %u steps\n", before, kAgents, after, kSteps);
  return after > before ? Result<void>() : fail(ErrorCode::kNotFound, "nobody found a better place");
}

}  // namespace

int main() {
  const Result<void> done = run();
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error().message.c_str());
  }
  return done ? 0 : 1;
}
