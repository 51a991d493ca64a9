// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo schelling() {
  return {.name = "schelling", .what = "neighbours of two kinds", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
