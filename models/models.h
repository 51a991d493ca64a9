// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The published models, one file each: templates to copy. `juxta model --list` tells them.
#pragma once

#include <span>

#include "juxta/study/model.h"

namespace juxta::models {

[[nodiscard]] ModelInfo flocking();
[[nodiscard]] ModelInfo flock_3d();
[[nodiscard]] ModelInfo schelling();
[[nodiscard]] ModelInfo wolf_sheep();
[[nodiscard]] ModelInfo forest_fire();
[[nodiscard]] ModelInfo lennard_jones();
[[nodiscard]] ModelInfo dam_break();
[[nodiscard]] ModelInfo ants();
[[nodiscard]] ModelInfo tissue();

/// All of them.
[[nodiscard]] std::span<const ModelInfo> published();

}  // namespace juxta::models
