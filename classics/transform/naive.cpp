// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "classics/transform/naive.h"

#include <vector>

namespace juxta::classics {

Qvvs naive_world_of(const ChunkWorld& world, Id id) {
  std::vector<Id> path;
  for (; world.parent_of(id) != Id{}; id = world.parent_of(id)) {
    path.push_back(id);
  }
  Qvvs at = world.world_of(id);
  for (; !path.empty(); path.pop_back()) {
    const Place place = world.place(path.back());
    if ((world.head(place.chunk).archetype & kCopyParent) != 0) {
      continue;
    }
    const Qvvs& own = world.chunk(place.chunk).world[place.row];
    at = mul(at, world.chunk(place.chunk).local[place.row], own.stretch, own.context);
  }
  return at;
}

}  // namespace juxta::classics
