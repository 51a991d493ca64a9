// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo wolf_sheep() {
  return {.name = "wolf_sheep", .what = "wolves, sheep and grass", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
