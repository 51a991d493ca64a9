// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo flocking() {
  return {.name = "flocking", .what = "birds that see, one after the other", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
