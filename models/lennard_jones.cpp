// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo lennard_jones() {
  return {.name = "lennard_jones", .what = "a melt of atoms", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
