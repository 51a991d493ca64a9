// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// For the files of juxta_add_interactions(), which are compiled once per instruction set:
//
//   #include <juxta/agents/interaction.h>
//   #include "rules.h"
//   JUXTA_INTERACTION(Flocking);
//   JUXTA_ACTION(Steer);
//
// docs/interactions.md says how to write the rules themselves.
#pragma once

#include "juxta/agents/detail/act_loop.h"
#include "juxta/agents/detail/dispatch.h"
#include "juxta/agents/detail/pair_loop.h"
