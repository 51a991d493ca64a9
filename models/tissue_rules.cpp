// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/tissue_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::models::Press);
