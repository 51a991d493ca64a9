// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta generate: the points and queries of the Churchill Navigation contest; worlds of boxes; a mesh.

#include <fmt/format.h>

#include <iterator>
#include <memory>

#include "juxta/core/try.h"
#include "scenes/contest.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/generate_boxes.h"
#include "tool/generate_mesh.h"
#include "tool/row_writer.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct GenerateOptions {
  std::size_t points = scenes::kOfficialPoints, queries = scenes::kOfficialQueries;
  std::string seed = "75BCD15-159A55E5-1F123BB5-5491333-34DAD465", output = "-", query_file;
};

/// Floats are printed as the doubles that they are, so that reading them back gives the same numbers.
Result<void> write_points(const scenes::ContestWorld& world, const std::string& path, Monitor& monitor) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  out.buffer() = "x,y,rank,id\n";
  for (std::size_t i = 0; i < world.x.size(); ++i) {
    fmt::format_to(std::back_inserter(out.buffer()), "{},{},{},{}\n", static_cast<double>(world.x[i]),
                   static_cast<double>(world.y[i]), world.rank[i], static_cast<int>(world.id[i]));
    if (i % 4096 == 0 && !monitor.on_progress("write points", i, world.x.size())) {
      return fail(ErrorCode::kCancelled, "cancelled");
    }
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

Result<void> write_queries(const std::vector<RectF>& queries, const std::string& path) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  out.buffer() = "lx,ly,hx,hy\n";
  for (const RectF& q : queries) {
    fmt::format_to(std::back_inserter(out.buffer()), "{},{},{},{}\n", static_cast<double>(q.lx),
                   static_cast<double>(q.ly), static_cast<double>(q.hx), static_cast<double>(q.hy));
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

int run_generate(const GenerateOptions& options) {
  const auto seed = scenes::parse_contest_seed(options.seed);
  if (!seed) {
    complain(seed.error());
    return kUsage;
  }
  if (options.query_file == options.output) {
    return complain("points and queries need two files: give --queries another name than -o");
  }
  const NamedFile outputs[] = {{options.output, "-o"}, {options.query_file, "--queries"}};
  if (const auto checked = check_outputs({}, outputs); !checked) {
    return complain(checked.error());
  }
  ConsoleProgress progress;
  auto world = scenes::make_contest(options.points, *seed, &progress);
  if (!world) {
    return complain(world.error());
  }
  if (const auto written = write_points(*world, options.output, progress); !written) {
    progress.clear();
    return complain(written.error());
  }
  if (!options.query_file.empty()) {
    const auto written = write_queries(scenes::contest_queries(*world, options.queries), options.query_file);
    if (!written) {
      progress.clear();
      return complain(written.error());
    }
  }
  return kOk;
}

}  // namespace

void add_generate(CLI::App& app, Run& run) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App* generate =
      app.add_subcommand("generate", "Write generated points or boxes as CSV, a mesh as OBJ");
  generate->require_subcommand(1);
  CLI::App* contest = generate->add_subcommand("contest", "The points of the Churchill Navigation contest");
  contest->add_option("--points", options->points, "How many")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  contest->add_option("--seed", options->seed, "Five hexadecimal words joined by -")->capture_default_str();
  contest->add_option("-o,--output", options->output, "The points: x,y,rank,id; - is the standard output")
      ->capture_default_str();
  contest->add_option("--queries", options->query_file, "Also write the queries there: lx,ly,hx,hy");
  contest->add_option("--query-count", options->queries, "How many queries")
      ->check(CLI::Range(0, 2147483647))
      ->capture_default_str();
  contest->callback([options, &run] { run = [options] { return run_generate(*options); }; });
  add_generate_boxes(*generate, run);
  add_generate_mesh(*generate, run);
}

}  // namespace juxta::tool
