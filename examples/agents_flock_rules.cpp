// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// In CMake: juxta_add_interactions(my_app agents_flock_rules.cpp). Nothing else belongs into such a file.
#include "agents_flock_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(boids::Flocking);
JUXTA_ACTION(boids::Steer);
