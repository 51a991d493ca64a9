// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/models.h"

namespace juxta::models {

ModelInfo dam_break() {
  return {.name = "dam_break", .what = "water behind a dam", .parameters = {}, .presets = {}};
}

}  // namespace juxta::models
