// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::test::Census);
JUXTA_INTERACTION(juxta::test::Push);
JUXTA_INTERACTION(juxta::test::Count);
JUXTA_INTERACTION(juxta::test::Misspelt);
JUXTA_ACTION(juxta::test::Drift);
