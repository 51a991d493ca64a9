// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What most tests include: precompiled where JUXTA_PRECOMPILE is on.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "core.h"
