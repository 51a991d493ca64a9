// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta top: the most important points inside a rectangle.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "juxta/files/output_file.h"
#include "juxta/files/table_file.h"
#include "tool/answers.h"
#include "tool/area.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct TopOptions {
  InputOptions input;
  std::string rect, svg;
  bool geographic = false;
  std::size_t k = 20;
  Format format = Format::kTable;
};

int draw(const TopOptions& options, const Points& points, const Area& area,
         std::span<const std::uint32_t> answer) {
  if (!points.has_table) {
    return complain(fmt::format(
        "{} has no table of its points: a map needs their coordinates, build it with 'juxta index'",
        options.input.file));
  }
  if (const auto checked = check_point_table(points.table); !checked) {
    return complain(checked.error(), options.input.file);
  }
  SvgMapOptions map;
  map.rect = area.whole();
  map.title = fmt::format("The {} most important of {} points inside the rectangle", answer.size(),
                          grouped(count_of(points, area)));
  map.note = fmt::format("{} points; {} by {} ({} first)", grouped(points.table.size()), "ranked",
                         points.table.rank_title, points.table.descending ? "largest" : "smallest");
  const OutputLock lock;
  const auto written = write_file(options.svg, draw_answer(points.table, answer, area, map));
  return written ? kOk : complain(written.error());
}

int run_top(const TopOptions& options) {
  const auto rect = parse_rect(options.rect);
  if (!rect) {
    return complain(rect.error());
  }
  const std::string inputs[] = {options.input.file};
  const NamedFile outputs[] = {{options.svg, "--svg"}};
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
    return complain(area.error());
  }
  QueryResult result;
  const Stopwatch watch;
  const auto answer = top_of(*points, *area, options.k, result);
  const double seconds = watch.seconds();
  if (!options.svg.empty()) {
    if (const int status = draw(options, *points, *area, answer); status != kOk) {
      return status;
    }
  }
  print(format_answer(*points, answer, options.format));
  if (error_is_terminal()) {
    const std::string text =
        fmt::format("{} of {} points, {:.1f} us, {} tested\n", answer.size(), grouped(points->index.size()),
                    seconds * 1e6, grouped(result.tested));
    std::fputs(text.c_str(), stderr);
  }
  return kOk;
}

}  // namespace

void add_top(CLI::App& app, Run& run) {
  auto options = std::make_shared<TopOptions>();
  CLI::App* top = app.add_subcommand("top", "The k most important points inside a rectangle");
  add_input_options(*top, options->input);
  add_rect_options(*top, options->rect, options->geographic);
  top->add_option("-k", options->k, "How many points")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  const std::map<std::string, Format> formats = {
      {"table", Format::kTable}, {"csv", Format::kCsv}, {"json", Format::kJson}};
  top->add_option("--format", options->format, "table, csv or json [table]")
      ->transform(CLI::CheckedTransformer(formats))
      ->option_text("FORMAT");
  top->add_option("--svg", options->svg,
                  "Also draw a map: all points, the rectangle, the names of the answer");
  top->callback([options, &run] { run = [options] { return run_top(*options); }; });
}

}  // namespace juxta::tool
