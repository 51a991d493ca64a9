// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta count: how many points are inside a rectangle.

#include <memory>

#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

struct CountOptions {
  InputOptions input;
  std::string rect;
};

int run_count(const CountOptions& options) {
  const auto rect = parse_rect(options.rect);
  if (!rect) {
    return complain(rect.error());
  }
  ConsoleProgress progress;
  const auto points = load_points(options.input, &progress);
  progress.clear();
  if (!points) {
    return complain(points.error(), options.input.file);
  }
  print(std::to_string(points->index.count(*rect).count) + "\n");
  return kOk;
}

}  // namespace

void add_count(CLI::App& app, Run& run) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* count = app.add_subcommand("count", "How many points are inside a rectangle, exactly");
  add_input_options(*count, options->input);
  options->input.columns.rank_required = false;
  count->add_option("--rect", options->rect, "lx,ly,hx,hy: edges belong to it; inf and -inf are allowed")
      ->required();
  count->callback([options, &run] { run = [options] { return run_count(*options); }; });
}

}  // namespace juxta::tool
