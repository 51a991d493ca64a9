// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/flock_3d_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::models::Ahead);
JUXTA_ACTION(juxta::models::Turn);
