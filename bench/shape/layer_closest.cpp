// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// layer_closest: 10k capsules that touch nothing ask 100k bodies that rest for the nearest one, within 5. One
// iteration is one question.
#include "bench/shape/layer_world.h"
#include "bench/shape/rows.h"

namespace juxta::bench {

void add_layer_closest_rows() {
  add_layer_rows(
      {.name = "layer_closest",
       .ask = [](BodyAsker& asker, const LayerWorld& world,
                 std::size_t i) { return asker.closest(world.casts[i].shape, world.casts[i].from); },
       .brute_force =
           [](const LayerWorld& world, std::size_t i) {
             const BodyCast& c = world.casts[i];
             BodyAnswer best;
             for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
               const Body& b = world.bodies.body(body);
               if (const ClosestPoints near = closest(c.shape, c.from, b.shape, b.at, kMostDistance);
                   near && (best.body == kNoBody || near.distance < best.value)) {
                 best = {body, near.distance};
               }
             }
             return best;
           },
       .tolerance = 1e-3F},
      false);
}

}  // namespace juxta::bench
