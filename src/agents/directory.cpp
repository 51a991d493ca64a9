// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/directory.h"

#include <limits>

#include "agents/directory_runs.h"
#include "agents/rows_of_cells.h"

namespace juxta::agents_detail {
std::size_t Directory::memory_bytes() const noexcept {
  return begins.memory_bytes() + boxes.memory_bytes() + curve.numbers.memory_bytes() +
         hashed.cell_x.memory_bytes() + hashed.row_key.memory_bytes() + hashed.row_cell.memory_bytes() +
         hashed.slots.memory_bytes() + tree.flat.memory_bytes() + tree.deep.memory_bytes();
}

Reach::Reach(const Directory& directory, float radius, bool ball) noexcept : round(ball) {
  constexpr float kEpsilon = std::numeric_limits<float>::epsilon();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Below it squares are coarse or 0: whoever is as near as that is near.
  constexpr float kSmall = 0x1p-60F;
  const bool bounded = directory.arrangement == Arrangement::kTree;  // its bounds have the extents in them
  float furthest = radius;
  if (ball && radius < kSmall) {
    radius = kSmall;
    round = false;
  } else if (ball && !(radius * radius < kInfinity)) {  // everybody's square of the distance is not above it
    radius = kInfinity;
  }
  for (std::uint32_t a = 0; a < directory.grid.dimensions; ++a) {
    wide[a] = radius + directory.moved + directory.largest[a];
    on[a] = bounded ? radius + directory.moved : wide[a];
    round = round && (bounded || directory.largest[a] == 0) && on[a] * on[a] < kInfinity;
    furthest = std::max(furthest, wide[a] < kInfinity ? wide[a] : 0.0F);
  }
  slack = 32 * kEpsilon * (directory.magnitude + furthest);
  for (std::uint32_t a = 0; a < 3; ++a) {
    on[a] += slack;
    wide[a] += slack;
  }
}

void for_each_run(const Directory& directory, const Bounds& box, const Reach& reach,
                  FunctionRef<void(Run run)> visit) {
  switch (directory.arrangement) {
    case Arrangement::kMorton:
    case Arrangement::kHilbert:
      return for_each_run_of_curve(directory, box, reach, visit);
    case Arrangement::kHashed:
      return for_each_run_of_hashed(directory, box, reach, visit);
    case Arrangement::kTree:
      return for_each_run_of_tree(directory, box, reach, visit);
    case Arrangement::kAuto:
    case Arrangement::kRows:
      return visit_runs_of_rows(directory, box, reach, visit);
  }
}

}  // namespace juxta::agents_detail
