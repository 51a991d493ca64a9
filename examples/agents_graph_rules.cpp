// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents_graph_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(graph::Push);
JUXTA_ACTION(graph::Move);
