// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "study_epidemic_rules.h"

#include <juxta/agents/interaction.h>

JUXTA_INTERACTION(Contacts);
