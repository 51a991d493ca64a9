// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/reduce_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::test::Totals);
JUXTA_INTERACTION(juxta::test::BoidTotals);
