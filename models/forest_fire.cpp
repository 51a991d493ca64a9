// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo forest_fire() {
  return {.name = "forest_fire", .what = "a fire in a forest", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
