// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include "juxta/core/ranks.h"  // Ranks: agents and fields share them
