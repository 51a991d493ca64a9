// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/lennard_jones_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(juxta::models::LennardJones);
JUXTA_INTERACTION(juxta::models::LennardJonesMeasured);
