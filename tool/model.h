// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "program/model.h"
#include "tool/console.h"

namespace juxta::tool {

/// As those of commands.h, for a program that has other defaults.
void add_model(CLI::App& app, std::function<int()>& run, const ModelSettings& defaults);
void add_sweep(CLI::App& app, std::function<int()>& run, const ModelSettings& defaults);

}  // namespace juxta::tool
