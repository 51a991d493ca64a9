// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <array>

#include "models/models.h"

namespace juxta::models {

std::span<const ModelInfo> published() {
  static const std::array all = {flocking(),  flock_3d(),      schelling(), wolf_sheep(), forest_fire(),
                                 dam_break(), lennard_jones(), ants(),      tissue()};
  return all;
}

}  // namespace juxta::models
