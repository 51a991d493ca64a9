// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What the command shares with programs of modellers (juxta/study/program.h) stands in src/program.
#pragma once

#include "program/console.h"
#include "program/threads.h"

namespace juxta::tool {
using namespace program_detail;
}  // namespace juxta::tool
