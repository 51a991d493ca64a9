// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// An epidemic among people who wander about: a model of your own, from an empty file to a plot and a sweep.
// docs/models.md walks through it. study_epidemic [FOLDER] writes epidemic.csv, .svg, .png, .run and
// sweep.csv.
#include "study_epidemic.h"

#include <juxta/core/executor.h>
#include <juxta/core/try.h>
#include <juxta/files/output_file.h>
#include <juxta/files/raster.h>
#include <juxta/files/svg_curves.h>
#include <juxta/study/collector.h>
#include <juxta/study/model.h>
#include <juxta/study/run.h>
#include <juxta/study/sweep.h>

#include <cstdio>
#include <filesystem>
#include <span>
#include <utility>
#include <vector>

namespace {

using namespace juxta;

constexpr std::uint32_t kPictureDay = 70;

/// Steps up to that day.
Result<void> go_to(Run& run, std::uint32_t day, const Executor* executor) {
  while (run.simulation().step() < day) {
    JUXTA_TRY(run.step({.executor = executor}));
  }
  return {};
}

/// The people as they are now, and a file to go on from.
Result<void> picture(const Run& run, const std::filesystem::path& folder) {
  Raster image(600, 600);
  run.model().draw(image);
  return write_png((folder / "epidemic.png").string(), image).and_then([&] {
    return run.save((folder / "epidemic.run").string());
  });
}

/// What was collected, as numbers and as curves.
Result<void> tables(const Run& run, const std::filesystem::path& folder) {
  const Table& days = run.collected().steps();
  const auto curve = [&](const char* name) { return Curve{name, days.column("step"), days.column(name)}; };
  const std::vector<Curve> curves = {curve("susceptible"), curve("ill"), curve("recovered")};
  return days.write_csv((folder / "epidemic.csv").string()).and_then([&] {
    return write_file((folder / "epidemic.svg").string(),
                      svg_curves(curves, {.title = "An epidemic", .x_axis = "day", .y_axis = "people"}));
  });
}

/// The state at the end, as a number.
Result<std::uint64_t> one_run(const std::filesystem::path& folder, const Executor* executor) {
  return Run::begin(epidemic(), Parameters(epidemic().parameters), 1).and_then([&](Run&& run) {
    return go_to(run, kPictureDay, executor)
        .and_then([&] { return picture(run, folder); })
        .and_then([&] { return go_to(run, epidemic().steps, executor); })
        .and_then([&] { return tables(run, folder); })
        .map([&] { return run.state_hash(); });
  });
}

/// The same from the file: as if it had never been stopped.
Result<std::uint64_t> resumed_run(const std::filesystem::path& folder) {
  return Run::resume((folder / "epidemic.run").string(), std::span(&epidemic(), 1)).and_then([&](Run&& run) {
    return go_to(run, epidemic().steps, nullptr).map([&] { return run.state_hash(); });
  });
}

Result<Table> sweep(const Executor* executor) {
  return run_sweep({.model = &epidemic(),
                    .parameters = Parameters(epidemic().parameters),
                    .steps = 150,
                    .every = 0,
                    .seeds = {1, 2, 3},
                    .vary = {{"infect", {0.05, 0.1, 0.2}}}},
                   {}, {.executor = executor})
      .map([](SweepResult&& result) { return std::move(result.table); });
}

}  // namespace

int main(int count, char** arguments) {
  const std::filesystem::path folder = count > 1 ? arguments[1] : ".";
  const auto threads = TbbExecutor::build();
  const Executor* executor = threads ? &*threads : nullptr;
  const auto end = one_run(folder, executor), again = resumed_run(folder);
  const auto table = sweep(executor).and_then([&](Table&& rows) {
    return rows.write_csv((folder / "sweep.csv").string()).map([&] { return std::move(rows); });
  });
  if (!end || !again || !table) {
    const Error& error = !end ? end.error() : !again ? again.error() : table.error();
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 1;
  }
  std::printf("%s", table->csv().c_str());
  const auto never = table->column("susceptible");  // the more infectious, the fewer escape
  return *end == *again && table->rows() == 9 && never.front() > never.back() ? 0 : 1;
}
