// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "sector/steer_rules.h"

#include "juxta/agents/interaction.h"

JUXTA_INTERACTION(juxta::sector::Notice);
JUXTA_ACTION(juxta::sector::Flock);
JUXTA_ACTION(juxta::sector::Pilot);
JUXTA_ACTION(juxta::sector::Fly);
JUXTA_ACTION(juxta::sector::Travel);
