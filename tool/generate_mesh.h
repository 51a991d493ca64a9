// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>

#include "tool/commands.h"

namespace juxta::tool {

/// Adds "mesh" under "generate".
void add_generate_mesh(CLI::App& generate, Run& run);

}  // namespace juxta::tool
