// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "start_agents_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(Crowd);
