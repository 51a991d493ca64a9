// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

// Edge and World, which agents and fields have in common.
#include "juxta/math/world.h"
