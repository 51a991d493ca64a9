// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents_boxes_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(boxes::Crowd);
JUXTA_ACTION(boxes::Move);
