// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta flock: boids that fly for some steps, how fast, and what became of them.
#include "tool/flock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "juxta/core/ranks.h"
#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "tool/arguments.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/output_folder.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct FlockSettings {
  std::size_t agents = 20'000, steps = 300, every = 0;
  unsigned threads = 0;
  std::uint64_t seed = 1;
  std::optional<float> half_size;
  std::string out, boids;
  bool solid = false, periodic = false, json = false;
  Ranks* ranks = nullptr;  // juxta-mpi: rank 0 alone measures and writes

  [[nodiscard]] bool writes() const { return ranks == nullptr || ranks->rank() == 0; }
  /// Over ranks: an error of one as an error of all.
  [[nodiscard]] Result<void> on_all(const Result<void>& mine) const {
    return ranks != nullptr ? agree(*ranks, mine) : mine;
  }
};

FlockOptions options_of(const FlockSettings& settings) {
  FlockOptions options;
  options.dimensions = settings.solid ? 3 : 2;
  options.half_size = settings.half_size.value_or(default_half_size(settings.agents, settings.solid));
  options.periodic = settings.periodic;
  return options;
}

/// Finds out before the flight, and not after it, that a file cannot be written.
Result<void> try_output(const std::string& path) {
  const OutputLock lock;
  auto file = OutputFile::open(path);
  return file ? Result<void>() : tl::unexpected<Error>(std::move(file.error()));
}

Result<void> try_outputs(const FlockSettings& settings) {
  if (!settings.out.empty()) {
    const NamedFile outputs[] = {{in_folder(settings.out, "flock.svg"), "--out"},
                                 {in_folder(settings.out, "order.csv"), "--out"},
                                 {settings.boids, "--boids"}};
    JUXTA_TRY(check_outputs({}, outputs));
    std::error_code error;
    std::filesystem::create_directories(settings.out, error);
    if (error) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot make the folder {}: {}", settings.out, error.message()));
    }
    for (const char* name : {"flock.svg", "order.csv"}) {
      JUXTA_TRY(try_output(in_folder(settings.out, name)));
    }
  }
  return settings.boids.empty() || settings.boids == "-" ? Result<void>() : try_output(settings.boids);
}

/// Measures at the start, at the end, and every so many steps where a table wants them. Over ranks `whole` is
/// then what was gathered.
Result<void> fly(const FlockSettings& settings, Flock& flock, std::optional<Flock>& whole,
                 const Executor* executor, FlockReport& report, Monitor& monitor) {
  JUXTA_TRY_LET(auto meter, FlockMeter::make(flock));
  const std::size_t every =
      settings.every != 0 ? settings.every : std::max<std::size_t>(settings.steps / 100, 1);
  const Stopwatch all;
  report.late_steps = settings.steps == 0 ? 0 : std::max<std::size_t>(settings.steps / 10, 1);
  const auto measure = [&]() -> Result<void> {
    if (settings.ranks != nullptr) {
      JUXTA_TRY_LET(auto gathered, flock.gather());
      whole = std::move(gathered);
    }
    if (settings.writes()) {
      JUXTA_TRY_LET(auto order, meter.measure(whole ? *whole : flock, executor));
      report.order.push_back(order);
    }
    return {};
  };
  for (std::size_t step = 0;; ++step) {
    const bool wanted = !settings.out.empty() && step % every == 0;
    if (step == 0 || step == settings.steps || wanted) {
      JUXTA_TRY(settings.on_all(measure()));
      report.all_seconds = all.seconds();
    }
    if (step == settings.steps) {
      return {};
    }
    const Stopwatch watch;
    JUXTA_TRY(flock.step({.executor = executor}));
    const double seconds = watch.seconds();
    report.seconds += seconds;
    report.late_seconds += step + report.late_steps >= settings.steps ? seconds : 0;
    const bool goes_on = monitor.on_progress("fly", step + 1, settings.steps);
    JUXTA_TRY(settings.on_all(goes_on ? Result<void>() : fail(ErrorCode::kCancelled, "cancelled")));
  }
}

Result<void> write_outputs(const FlockSettings& settings, FlockReport& report, Monitor& monitor) {
  Result<void> written;
  if (!settings.out.empty()) {
    report.files = {in_folder(settings.out, "flock.svg"), in_folder(settings.out, "order.csv")};
    const std::string picture = draw_flock(report);
    {
      const OutputLock lock;
      written = write_file(report.files[0], picture);
    }
    if (written) {
      written = write_order(report, report.files[1]);
    }
  }
  if (written && !settings.boids.empty()) {
    written = write_boids(*report.flock, settings.boids, monitor);
    if (settings.boids != "-") {
      report.files.push_back(settings.boids);
    }
  }
  return written;
}

int run_flock(const FlockSettings& settings) {
  if (settings.half_size && !(*settings.half_size >= 0.1F && *settings.half_size <= 1e6F)) {  // NaN too
    return complain(fmt::format("--half-size: {:g} is not in range 0.1 to 1000000", *settings.half_size));
  }
  if (settings.json && settings.boids == "-") {
    return complain("--json and --boids - both want the standard output: give --boids a file");
  }
  const auto tried = settings.writes() ? try_outputs(settings) : Result<void>();
  if (const auto ready = settings.on_all(tried); !ready) {
    return complain(ready.error());
  }
  auto flock = Flock::build(options_of(settings));
  if (!flock) {
    return complain(flock.error());
  }
  auto begun = flock->scatter(settings.writes() ? settings.agents : 0, settings.seed);
  if (begun && settings.ranks != nullptr) {
    begun = flock->distribute(*settings.ranks);
  }
  if (!begun) {
    return complain(begun.error());
  }
  const auto executor = make_executor(settings.threads);
  FlockReport report;
  report.seed = settings.seed;
  report.threads = thread_count(executor.get(), settings.threads);
  report.ranks = settings.ranks != nullptr ? settings.ranks->size() : 0;
  ConsoleProgress progress;
  std::optional<Flock> whole;
  auto done = fly(settings, *flock, whole, executor.get(), report, progress);
  if (!settings.writes()) {
    return done ? kOk : complain(done.error());
  }
  if (done) {
    report.flock = whole ? &*whole : &*flock;
    report.hash = state_hash(*report.flock);
    done = write_outputs(settings, report, progress);
  }
  progress.clear();
  if (!done) {
    return complain(done.error());
  }
  if (settings.boids != "-") {
    print(settings.json ? json_report(report) : format_report(report));
  }
  return kOk;
}

}  // namespace

void add_flock(CLI::App& app, Run& run) {
  add_flock(app, run, nullptr);
}

void add_flock(CLI::App& app, Run& run, Ranks* ranks) {
  auto settings = std::make_shared<FlockSettings>();
  settings->ranks = ranks;
  settings->threads = ranks != nullptr ? 1 : 0;
  CLI::App* flock = app.add_subcommand("flock", "Boids that fly: how fast, what became of them, a picture");
  flock->add_option("--agents", settings->agents, "How many boids")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  flock->add_option("--steps", settings->steps, "How many steps of 1/60 s")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  flock
      ->add_option("--threads", settings->threads,
                   "Threads; 0: as many as this process may use. Never changes the flight")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  flock->add_flag("--3d", settings->solid, "In a cube instead of a square");
  flock->add_flag("--periodic", settings->periodic,
                  "Who leaves on one side comes back on the other: no walls");
  add_seed_option(*flock, settings->seed, "Any whole number; the same seed makes the same flight");
  flock->add_option("--half-size", settings->half_size,
                    "The world is [-H, H] on every axis, H from 0.1 to 1000000 [such that a boid has 24 "
                    "neighbours at the start]");
  flock->add_option("--out", settings->out, "Folder for a picture, flock.svg, and a table, order.csv");
  flock
      ->add_option("--every", settings->every,
                   "Steps from row to row of order.csv; 0: such that it has about 100 rows")
      ->check(CLI::Range(0, 1'000'000'000))
      ->capture_default_str();
  flock->add_option("--boids", settings->boids,
                    "Write the boids as they are at the end: number, position, velocity; - is the standard "
                    "output");
  flock->add_flag("--json", settings->json, "The report as JSON");
  flock->callback([settings, &run] { run = [settings] { return run_flock(*settings); }; });
}

}  // namespace juxta::tool
