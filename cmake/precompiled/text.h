// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What most files that write text include: precompiled where JUXTA_PRECOMPILE is on.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core.h"
#include "fmt_once.h"
