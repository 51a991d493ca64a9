// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Compiled once per instruction set (docs/interactions.md).
#include "tool/flock_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::tool::Headings);
