// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Begin here. A tick is seven stages, one file each, in the order of kStages:
//
//   spawn    layers      which spawn points are safe; transforms: instances of prefabs, in batches
//   steer    agents      neighbour passes: flock, flee, chase; shapes: casts for asteroids ahead; beside it
//            ranked      the most threatening enemies of every rectangle of the map
//   radar    transforms  turrets aim at them
//   move     agents      everything moves; transforms: the hierarchy follows
//   fire     transforms  bullets leave from where muzzles are in the world
//   hit      layers      who may touch; shapes: who does; both bodies are written to, without locks
//   damage   transforms  ships come apart into wrecks; agents: the dead go, the step ends
#include "sector/tick.h"

namespace juxta::sector {

Result<void> tick(World& world, StageListener* listener) {
  world.tally = {};
  for (std::size_t stage = 0; stage < kStages.size(); ++stage) {
    if (listener != nullptr) {
      listener->begin(stage);
    }
    auto done = kStages[stage].run(world);
    if (listener != nullptr) {
      listener->end(stage);
    }
    if (!done) {
      return done;
    }
  }
  return {};
}

}  // namespace juxta::sector
