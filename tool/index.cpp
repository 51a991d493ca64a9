// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta index: builds the index once, for any number of questions later.

#include <fmt/format.h>

#include <memory>
#include <span>

#include "juxta/core/try.h"
#include "juxta/files/table_file.h"
#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/point_filter.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct IndexOptions {
  InputOptions input;
  std::string output;
};

/// Index and table in one file, which appears as a whole: no crash leaves one of them with the other's place.
Result<void> save_both(const Points& points, const std::string& output) {
  std::string made;
  std::span<const std::byte> table = points.index.attachment();  // of a saved index
  if (points.read != nullptr) {
    JUXTA_TRY_LET(made, point_table_bytes(*points.read));
    table = std::as_bytes(std::span(made));
  }
  const OutputLock lock;
  if (interrupted()) {
    return fail(ErrorCode::kCancelled, "cancelled");
  }
  return points.index.save(output, table);
}

int run_index(const IndexOptions& options) {
  const Stopwatch watch;
  const std::string inputs[] = {options.input.file};
  const NamedFile outputs[] = {{options.output, "-o"}};
  if (const auto checked = check_outputs(inputs, outputs); !checked) {
    return complain(checked.error());
  }
  ConsoleProgress progress;
  const auto points = load_points(options.input, &progress);
  progress.clear();
  if (!points) {
    return complain(points.error(), options.input.file);
  }
  if (!points->has_table) {
    return complain(options.input.file + " is a saved index already: copy it");
  }
  tell_left_out(*points, options.input.file);
  const auto saved = save_both(*points, options.output);
  if (!saved) {
    return complain(saved.error(), options.output);
  }
  if (error_is_terminal()) {
    const std::string text = fmt::format(
        "{} points, {:.1f} MiB, {:.1f} s: {}\n", grouped(points->index.size()),
        static_cast<double>(points->index.memory_bytes()) / (1 << 20), watch.seconds(), options.output);
    std::fputs(text.c_str(), stderr);
  }
  return kOk;
}

}  // namespace

void add_index(CLI::App& app, Run& run) {
  auto options = std::make_shared<IndexOptions>();
  CLI::App* index = app.add_subcommand("index", "Build an index and save it");
  add_input_options(*index, options->input);
  add_filter_columns(*index, options->input);
  index->add_option("-o,--output", options->output, "The index, with the names and coordinates of its points")
      ->required();
  index->callback([options, &run] { run = [options] { return run_index(*options); }; });
}

}  // namespace juxta::tool
