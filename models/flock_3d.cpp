// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo flock_3d() {
  return {.name = "flock_3d", .what = "boids in a cube", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
