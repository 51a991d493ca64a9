// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/math_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_ACTION(juxta::test::Functions);
