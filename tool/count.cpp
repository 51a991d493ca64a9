// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta count: how many points are inside a rectangle.

#include <memory>
#include <optional>
#include <string>

#include "juxta/core/try.h"
#include "juxta/files/raster.h"
#include "tool/area.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/heat.h"
#include "tool/point_filter.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct CountOptions {
  InputOptions input;
  FilterOptions filter;
  std::string rect;
  bool geographic = false;
  std::string heat, size;
};

/// The picture, once it is known that the file was not damaged where it was read for it.
Result<void> draw_heat(const CountOptions& options, const Points& points, const Area& area) {
  if (area.across()) {
    return fail(ErrorCode::kInvalidArgument,
                "--heat has no picture of a rectangle across the antimeridian: draw its two sides");
  }
  std::optional<PixelSize> size;
  if (!options.size.empty()) {
    JUXTA_TRY_LET(size, parse_size(options.size));
  }
  const auto executor = make_executor(options.input.threads);
  JUXTA_TRY_LET(const Raster image, heat_map(points.index, area.rect, size, {.executor = executor.get()}));
  JUXTA_TRY(points.index.check_read());
  const OutputLock lock;
  return write_png(options.heat, image);
}

int run_count(CountOptions& options) {
  const auto rect = parse_rect(options.rect);
  if (!rect) {
    return complain(rect.error());
  }
  if (const auto asked = ask_for_ranges(options.input, options.filter); !asked) {
    return complain(asked.error());
  }
  if (!options.heat.empty() && options.filter.given()) {
    return complain("--heat draws all points: leave out --any, --all, --none and --range");
  }
  const std::string inputs[] = {options.input.file};
  const NamedFile outputs[] = {{options.heat, "--heat"}};
  if (const auto checked = check_outputs(inputs, outputs); !checked) {
    return complain(checked.error());
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
  const auto filter = filter_of(options.filter, options.input, *points);
  if (!filter) {
    return complain(damage_or(points->index, filter.error()), options.input.file);
  }
  const std::size_t count = count_of(*points, *area, *filter);
  if (const auto checked = points->index.check_read(); !checked) {
    return complain(checked.error(), options.input.file);
  }
  if (!options.heat.empty()) {
    if (const auto drawn = draw_heat(options, *points, *area); !drawn) {
      return complain(drawn.error());
    }
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
  add_filter_columns(*count, options->input);
  add_rect_options(*count, options->rect, options->geographic);
  add_filter_options(*count, options->filter);
  count->add_option("--heat", options->heat,
                    "Also draw how many are where: a PNG, a pixel a cell, in logarithms");
  count->add_option("--size", options->size, "Pixels of the picture [the longer side has 512]")
      ->option_text("WIDTHxHEIGHT");
  count->callback([options, &run] { run = [options] { return run_count(*options); }; });
}

}  // namespace juxta::tool
