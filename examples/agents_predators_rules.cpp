// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents_predators_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(meadow::Nearest);
JUXTA_INTERACTION(meadow::WhoIsNearest);
JUXTA_INTERACTION(meadow::Company);
JUXTA_INTERACTION(meadow::Fear);
JUXTA_ACTION(meadow::Run);
