// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents_cloth_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(cloth::KeepApart);
JUXTA_ACTION(cloth::Fall);
