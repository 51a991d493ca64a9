// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta demo: builds, asks, checks every answer, and shows what it took.

#include "tool/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "juxta/core/isa.h"
#include "juxta/files/read_points.h"
#include "scenes/contest.h"
#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/left_out.h"
#include "tool/output_folder.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct DemoOptions {
  InputOptions input;
  std::size_t points = scenes::kOfficialPoints, queries = scenes::kOfficialQueries;
  std::string folder = "out";
};

/// One line of the report; shown at once, the next one may take seconds.
void say(std::string_view what, const std::string& text) {
  print(fmt::format("  {:<9} {}\n", what, text));
  static_cast<void>(flush_output());
}

double mebibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

template <class T>
int show(const Workload<T>& workload, const DemoOptions& options) {
  ConsoleProgress progress;
  const auto executor = make_executor(options.input.threads);
  Context build;
  build.executor = executor.get();
  build.monitor = &progress;
  const Stopwatch build_watch;
  const auto index = RankedPoints::build(workload.x, workload.y, workload.rank, {}, build);
  progress.clear();
  if (!index) {
    return complain(index.error());
  }
  const double points = static_cast<double>(std::max<std::size_t>(index->size(), 1));
  say("build",
      fmt::format("{:.2f} s; the index holds {:.1f} MiB, {:.1f} bytes per point", build_watch.seconds(),
                  mebibytes(index->memory_bytes()), static_cast<double>(index->memory_bytes()) / points));

  const Timing timing = time_queries(*index, workload.queries);
  say("query", fmt::format("{:.3f} us per query on one thread, warm (median of {} rounds over all queries)",
                           timing.mean, timing.rounds));
  say("", fmt::format("p50 {:.3f} us, p90 {:.3f} us, p99 {:.3f} us, max {:.3f} us",
                      quantile(timing.per_query, 0.5), quantile(timing.per_query, 0.9),
                      quantile(timing.per_query, 0.99), quantile(timing.per_query, 1)));

  const Stopwatch check_watch;
  const CheckResult checked = check_by_scan(workload, *index);
  if (checked.wrong_answers + checked.wrong_counts != 0) {
    return complain(Error{ErrorCode::kCorruptFile,
                          fmt::format("{} answers and {} counts differ from a plain scan: please report it",
                                      checked.wrong_answers, checked.wrong_counts)});
  }
  const auto empty = std::count(checked.inside.begin(), checked.inside.end(), std::size_t{0});
  say("check", fmt::format("all {} answers and counts equal a plain scan of all points ({} empty, {:.1f} s)",
                           grouped(workload.queries.size()), empty, check_watch.seconds()));

  if (const auto drawn = draw_demo(workload, *index, checked, timing, options.folder); !drawn) {
    return complain(drawn.error());
  }
  const std::string stem = in_folder(options.folder, workload.stem);
  say("pictures", fmt::format("{0}_map.svg, {0}_time.svg", stem));
  return kOk;
}

std::string machine() {
  const auto isa = active_isa();
  return fmt::format("{} instructions, {} threads to use", isa ? isa_name(*isa) : "no", usable_threads());
}

int demo_contest(const DemoOptions& options) {
  ConsoleProgress progress;
  print(fmt::format("The contest's {} points and {} queries, k = {} ({})\n", grouped(options.points),
                    grouped(options.queries), kDemoK, machine()));
  static_cast<void>(flush_output());
  const Stopwatch watch;
  auto world = scenes::make_contest(options.points, scenes::kOfficialSeed, &progress);
  progress.clear();
  if (!world) {
    return complain(world.error());
  }
  say("generate", fmt::format("{:.2f} s", watch.seconds()));
  Workload<float> workload;
  workload.title = "Churchill Navigation contest";
  workload.stem = "ranked";
  workload.queries = scenes::contest_queries(*world, options.queries);
  workload.x = std::move(world->x);
  workload.y = std::move(world->y);
  workload.rank.assign(world->rank.begin(), world->rank.end());
  return show(workload, options);
}

int demo_file(const DemoOptions& options) {
  const std::string path = options.input.file == "-" ? "points" : options.input.file;
  const std::string stem = in_folder(options.folder, program_detail::stem_of(path));
  const std::string inputs[] = {options.input.file};
  const NamedFile outputs[] = {{stem + "_map.svg", "the picture"}, {stem + "_time.svg", "the picture"}};
  if (const auto checked = check_outputs(inputs, outputs); !checked) {
    return complain(checked.error());
  }
  ConsoleProgress progress;
  const Stopwatch watch;
  auto table = read_points(options.input.file, options.input.wanted(), {.monitor = &progress});
  progress.clear();
  if (!table) {
    return complain(table.error(), options.input.file);
  }
  tell_left_out(*table, options.input.file);
  print(fmt::format("{}: {} points, {} queries of the contest's law over their bounds, k = {} ({})\n",
                    options.input.file, grouped(table->size()), grouped(options.queries), kDemoK, machine()));
  say("read", fmt::format("{:.2f} s", watch.seconds()));
  Workload<double> workload;
  workload.table = &*table;
  workload.title = program_detail::name_of(path);
  workload.stem = program_detail::stem_of(path);
  workload.x = table->x;
  workload.y = table->y;
  workload.rank = table->rank;
  if (table->descending) {
    std::transform(workload.rank.begin(), workload.rank.end(), workload.rank.begin(),
                   [](double r) { return -r; });
  }
  if (table->size() != 0) {
    const auto [lx, hx] = std::minmax_element(table->x.begin(), table->x.end());
    const auto [ly, hy] = std::minmax_element(table->y.begin(), table->y.end());
    const RectF bounds{static_cast<float>(*lx), static_cast<float>(*ly), static_cast<float>(*hx),
                       static_cast<float>(*hy)};
    scenes::ContestRandom random;
    for (std::size_t q = 0; q < options.queries; ++q) {
      workload.queries.push_back(random.rect(bounds));
    }
  }
  return show(workload, options);
}

int run_demo(const DemoOptions& options) {
  if (const auto made = make_folder(options.folder, {}); !made) {
    return complain(made.error());
  }
  return options.input.file.empty() ? demo_contest(options) : demo_file(options);
}

}  // namespace

void add_demo(CLI::App& app, Run& run) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* demo = app.add_subcommand(
      "demo",
      "Build, ask, check every answer against a plain scan, and draw: the contest's points, or a file's");
  add_input_options(*demo, options->input);
  demo->get_option("FILE")->required(false)->description(
      "Points: CSV, TSV or GeoJSON [the contest's own points]");
  demo->add_option("--points", options->points, "How many points of the contest")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  demo->add_option("--queries", options->queries, "How many queries")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  demo->add_option("--out", options->folder, "Where the pictures go")->capture_default_str();
  demo->callback([options, &run] { run = [options] { return run_demo(*options); }; });
}

}  // namespace juxta::tool
