// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "models/flock_3d_rules.h"
