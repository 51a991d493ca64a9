// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/arg_least_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::test::WhoIsIt);
