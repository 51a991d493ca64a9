// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/dam_break_rules.h"
