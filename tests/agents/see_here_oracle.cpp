// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/see_here_oracle.h"

namespace juxta::test {

NearestSeen nearest_seen(const World& world, const Crowd& all, std::size_t row, float radius) {
  NearestSeen nearest;
  for_each_seen(world, Metric::kBall, all, row, all, true, radius,
                [&](std::size_t other, const Sight& sight) {
                  if (sight.distance2 < nearest.distance2) {
                    nearest = {sight.distance2, other};
                  }
                });
  return nearest;
}

}  // namespace juxta::test
