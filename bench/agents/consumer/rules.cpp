// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Compiled once for each instruction set: see juxta_add_interactions() in CMakeLists.txt.
#include "rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(rules::Flocking);
JUXTA_INTERACTION(rules::Visit<1>);
JUXTA_INTERACTION(rules::Visit<10>);
JUXTA_INTERACTION(rules::TaySee);
JUXTA_INTERACTION(rules::Headings2);
JUXTA_INTERACTION(rules::Headings3);
JUXTA_ACTION(rules::Steer);
JUXTA_ACTION(rules::Reflect2);
JUXTA_ACTION(rules::Reflect3);
JUXTA_ACTION(rules::TayAct);
