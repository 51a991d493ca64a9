// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta top: the most important points inside a rectangle.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/table_file.h"
#include "tool/answers.h"
#include "tool/area.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/point_filter.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct TopOptions {
  InputOptions input;
  FilterOptions filter;
  std::string rect, svg;
  bool geographic = false;
  std::size_t k = 20;
  Format format = Format::kTable;
};

/// The map as SVG.
Result<std::string> draw(const TopOptions& options, const Points& points, const Area& area,
                         const RankedFilter& filter, std::span<const std::uint32_t> answer) {
  if (!points.has_table) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{} has no table of its points: a map needs their coordinates, build it with 'juxta index'",
            options.input.file));
  }
  JUXTA_TRY(check_point_table(points.table));
  SvgMapOptions map;
  map.rect = area.whole();
  map.title = fmt::format("The {} most important of {} points inside the rectangle{}", answer.size(),
                          grouped(count_of(points, area, filter)),
                          options.filter.given() ? " that pass the filter" : "");
  map.note = fmt::format("{} points; {} by {} ({} first)", grouped(points.table.size()), "ranked",
                         points.table.rank_title, points.table.descending ? "largest" : "smallest");
  return draw_answer(points.table, answer, area, map);
}

/// Texts to print, and of the map.
struct TopTexts {
  std::string answer, map;
};
Result<TopTexts> texts_of(const TopOptions& options, const Points& points, const Area& area,
                          const RankedFilter& filter, std::span<const std::uint32_t> answer) {
  const auto rows = rows_of(points, answer);
  JUXTA_TRY(points.index.check_read());  // damage first: it explains rows that cannot be
  if (!rows) {
    return tl::unexpected<Error>(rows.error());
  }
  TopTexts texts;
  texts.answer = format_answer(points, *rows, answer, options.format);
  if (!options.svg.empty()) {
    JUXTA_TRY_LET(texts.map, draw(options, points, area, filter, answer));
    JUXTA_TRY(points.index.check_read());
  }
  return texts;
}

int run_top(TopOptions& options) {
  const auto rect = parse_rect(options.rect);
  if (!rect) {
    return complain(rect.error());
  }
  if (const auto asked = ask_for_ranges(options.input, options.filter); !asked) {
    return complain(asked.error());
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
    return complain(damage_or(points->index, area.error()));
  }
  const auto filter = filter_of(options.filter, options.input, *points);
  if (!filter) {
    return complain(damage_or(points->index, filter.error()), options.input.file);
  }
  QueryResult result;
  const Stopwatch watch;
  const auto answer = top_of(*points, *area, options.k, *filter, result);
  const double seconds = watch.seconds();
  const auto texts = texts_of(options, *points, *area, *filter, answer);
  if (!texts) {
    return complain(texts.error(), options.input.file);
  }
  if (!options.svg.empty()) {
    const OutputLock lock;
    if (const auto written = write_file(options.svg, texts->map); !written) {
      return complain(written.error());
    }
  }
  print(texts->answer);
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
  add_filter_columns(*top, options->input);
  add_rect_options(*top, options->rect, options->geographic);
  add_filter_options(*top, options->filter);
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
