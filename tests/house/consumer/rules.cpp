// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(Look);
JUXTA_ACTION(Rise);
