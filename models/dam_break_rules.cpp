// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/dam_break_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(juxta::models::Touch);
JUXTA_INTERACTION(juxta::models::See2D);
JUXTA_INTERACTION(juxta::models::See3D);
JUXTA_ACTION(juxta::models::Carry);
JUXTA_ACTION(juxta::models::Step2D);
JUXTA_ACTION(juxta::models::Step3D);
