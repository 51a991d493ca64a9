// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta index: builds the index once, for any number of questions later.

#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "juxta/files/read_points.h"
#include "juxta/files/table_file.h"
#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

struct IndexOptions {
  InputOptions input;
  std::string output;
};

/// The table first: should the second file fail, the old index and the new table do not fit, and are refused.
int save_both(const Points& points, const std::string& output) {
  const OutputLock lock;
  if (interrupted()) {
    return complain(Error{ErrorCode::kCancelled, "cancelled"});
  }
  if (const auto saved = save_point_table(points.table, table_path(output)); !saved) {
    return complain(saved.error());
  }
  if (const auto saved = points.index.save(output); !saved) {
    std::error_code ignored;
    std::filesystem::remove(table_path(output), ignored);
    return complain(saved.error(), output);
  }
  return kOk;
}

int run_index(const IndexOptions& options) {
  const Stopwatch watch;
  ConsoleProgress progress;
  const auto points = load_points(options.input, &progress);
  if (!points) {
    progress.clear();
    return complain(points.error(), options.input.file);
  }
  if (!points->has_table) {
    progress.clear();
    return complain(options.input.file + " is a saved index already: copy it");
  }
  const int status = save_both(*points, options.output);
  progress.clear();
  if (status == kOk && error_is_terminal()) {
    const std::string text =
        fmt::format("{} points, {:.1f} MiB, {:.1f} s: {} and {}\n", grouped(points->index.size()),
                    static_cast<double>(points->index.memory_bytes()) / (1 << 20), watch.seconds(),
                    options.output, table_path(options.output).string());
    std::fputs(text.c_str(), stderr);
  }
  return status;
}

}  // namespace

void add_index(CLI::App& app, Run& run) {
  auto options = std::make_shared<IndexOptions>();
  CLI::App* index = app.add_subcommand("index", "Build an index and save it");
  add_input_options(*index, options->input);
  index
      ->add_option("-o,--output", options->output,
                   "The index; its names and coordinates go beside it into OUTPUT.table: move both together")
      ->required();
  index->callback([options, &run] { run = [options] { return run_index(*options); }; });
}

}  // namespace juxta::tool
