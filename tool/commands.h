// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace juxta::tool {

/// What the chosen subcommand does; returns the exit code.
using Run = std::function<int()>;

/// Each adds one subcommand to the command line; when it is chosen, it sets `run`.
void add_top(CLI::App& app, Run& run);
void add_count(CLI::App& app, Run& run);
void add_pairs(CLI::App& app, Run& run);
void add_query(CLI::App& app, Run& run);
void add_ray(CLI::App& app, Run& run);
void add_distance(CLI::App& app, Run& run);
void add_render(CLI::App& app, Run& run);
void add_scene(CLI::App& app, Run& run);
void add_flock(CLI::App& app, Run& run);
void add_model(CLI::App& app, Run& run);
void add_sector(CLI::App& app, Run& run);
void add_view(CLI::App& app, Run& run);
void add_replay(CLI::App& app, Run& run);
void add_index(CLI::App& app, Run& run);
void add_points(CLI::App& app, Run& run);
void add_generate(CLI::App& app, Run& run);
void add_isa(CLI::App& app, Run& run);
void add_demo(CLI::App& app, Run& run);

}  // namespace juxta::tool
