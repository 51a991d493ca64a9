// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "tool/commands.h"

namespace juxta::tool {

/// Adds "boxes" under "generate".
void add_generate_boxes(CLI::App& generate, Run& run);

}  // namespace juxta::tool
