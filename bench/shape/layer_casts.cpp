// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// layer_casts: 10k capsules move by 20 and ask 100k bodies that rest where they would stop. One iteration is
// one cast.
#include "bench/shape/layer_world.h"
#include "bench/shape/rows.h"

namespace juxta::bench {

void add_layer_casts_rows() {
  add_layer_rows({.name = "layer_casts",
                  .ask = [](BodyAsker& asker, const LayerWorld& world,
                            std::size_t i) { return asker.cast(world.casts[i]); },
                  .brute_force =
                      [](const LayerWorld& world, std::size_t i) {
                        const BodyCast& c = world.casts[i];
                        BodyAnswer best;
                        for (std::uint32_t body = 0; body < world.bodies.size(); ++body) {
                          const Body& b = world.bodies.body(body);
                          if (const CastHit hit = cast(c.shape, c.from, c.way, b.shape, b.at);
                              hit && (best.body == kNoBody || hit.t < best.value)) {
                            best = {body, hit.t};
                          }
                        }
                        return best;
                      },
                  .tolerance = 2e-2F / 20},
                 false);
}

}  // namespace juxta::bench
