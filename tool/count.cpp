// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta count: how many points are inside a rectangle.

#include <memory>

#include "tool/area.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

struct CountOptions {
  InputOptions input;
  std::string rect;
  bool geographic = false;
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
  tell_left_out(*points, options.input.file);
  const auto area = area_of(*rect, *points, options.geographic);
  if (!area) {
    return complain(damage_or(points->index, area.error()));
  }
  const std::size_t count = count_of(*points, *area);
  if (const auto checked = points->index.check_read(); !checked) {
    return complain(checked.error(), options.input.file);
  }
  print(std::to_string(count) + "\n");
  return kOk;
}

}  // namespace

void add_count(CLI::App& app, Run& run) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* count = app.add_subcommand("count", "How many points are inside a rectangle, exactly");
  add_input_options(*count, options->input);
  options->input.columns.rank_required = false;
  add_rect_options(*count, options->rect, options->geographic);
  count->callback([options, &run] { run = [options] { return run_count(*options); }; });
}

}  // namespace juxta::tool
