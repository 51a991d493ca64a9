// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/lennard_jones_rules.h"
