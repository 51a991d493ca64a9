// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One run of a model, and what it writes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/raster.h"
#include "juxta/study/snapshot.h"
#include "program/console.h"
#include "program/model.h"
#include "program/model_progress.h"
#include "program/output_folder.h"
#include "program/same_file.h"
#include "program/threads.h"

namespace juxta::program_detail {
namespace {

struct Chosen {
  const ModelInfo* model;
  Parameters parameters;
};
Result<Chosen> chosen(const ModelSettings& s) {
  const bool only = s.name.empty() && s.models.size() == 1;
  return find_model(s.models, only ? s.models.front().name : s.name)
      .and_then([&](const ModelInfo* info) {
        return parameters_of(*info, s.preset).and_then([&](Parameters parameters) -> Result<Chosen> {
          for (const std::string& assignment : s.set) {
            JUXTA_TRY(parameters.set(assignment));
          }
          return Chosen{info, std::move(parameters)};
        });
      })
      .map_error(wrong_use);
}

/// With the stop condition that is asked for. A slip in it is wrong use.
Result<juxta::Run> with_condition(const ModelSettings& s, juxta::Run run) {
  if (!s.until.empty()) {
    auto until = s.until == "none" ? std::optional<Until>() : *parse_until(s.until);
    JUXTA_TRY(run.set_until(std::move(until)).map_error(wrong_use));
  }
  return run;
}

Result<juxta::Run> start(const ModelSettings& s) {
  if (!s.until.empty() && s.until != "none") {
    JUXTA_TRY(parse_until(s.until).map_error(wrong_use));
  }
  if (!s.resume.empty()) {
    auto resumed = s.ranks != nullptr ? juxta::Run::resume(*s.ranks, s.resume, s.models)
                                      : juxta::Run::resume(s.resume, s.models);
    return std::move(resumed).and_then([&](juxta::Run run) -> Result<juxta::Run> {
      if (!s.name.empty() && s.name != run.info().name) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{} is a run of {}, not of {}", s.resume, run.info().name, s.name));
      }
      if (s.steps.value_or(run.simulation().step()) < run.simulation().step()) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{} is at step {} already: give no less for --steps", s.resume,
                                run.simulation().step()));
      }
      return with_condition(s, std::move(run));
    });
  }
  return chosen(s).and_then([&](const Chosen& of) {
    const std::uint32_t steps = s.steps.value_or(steps_of(*of.model, s.preset));
    const RunOptions options{.agents_every = s.agents, .steps = steps};
    const std::uint64_t seed = s.seed.value_or(1);
    auto begun = s.ranks != nullptr ? juxta::Run::begin(*s.ranks, *of.model, of.parameters, seed, options)
                                    : juxta::Run::begin(*of.model, of.parameters, seed, options);
    return std::move(begun).and_then([&](juxta::Run run) { return with_condition(s, std::move(run)); });
  });
}

/// What a run leaves behind, as it goes and at its end.
class Outputs {
 public:
  Outputs(const ModelSettings& settings, const juxta::Run& run, ModelReport& report)
      : settings_(settings), run_(run), report_(report) {}

  /// Over ranks: collective.
  [[nodiscard]] Result<void> begin() {
    Result<void> done;
    if (settings_.writes()) {
      done = ModelPictures::open(settings_, run_).map([&](ModelPictures opened) {
        pictures_.emplace(std::move(opened));
      });
    }
    if (!settings_.video.path.empty()) {
      report_.files.push_back(settings_.video.path);
    }
    return on_all(settings_, done);
  }

  /// What is due at the step that the run is at. Over ranks: collective.
  [[nodiscard]] Result<void> due() {
    if (!settings_.video.path.empty()) {
      JUXTA_TRY(on_all(settings_, pictures_ ? pictures_->due() : Result<void>()));
    }
    if (!is_due(settings_.snapshots) && !is_due(settings_.pictures) && !is_due(settings_.checkpoint)) {
      return {};
    }
    Result<void> done;
    if (settings_.writes() && is_due(settings_.snapshots)) {
      done = snapshot();
    }
    if (settings_.writes() && done && is_due(settings_.pictures)) {
      done = picture(fmt::format("{}_{:06}.png", run_.info().name, run_.steps_done()));
    }
    done = on_all(settings_, done);
    if (done && run_.steps_done() != report_.first && is_due(settings_.checkpoint)) {
      done = save();
    }
    return done;
  }

  /// Over ranks: collective.
  [[nodiscard]] Result<void> end() {
    JUXTA_TRY(on_all(settings_, pictures_ ? pictures_->end() : Result<void>()));
    if (settings_.out.empty()) {
      return {};
    }
    Result<void> done;
    if (settings_.writes()) {
      done = tables().and_then([&] { return chart(); });
      if (done && has_png()) {  // a picture that was not asked for
        done = picture(fmt::format("{}.png", run_.info().name));
      }
    }
    done = on_all(settings_, done);
    return done && (report_.interrupted || settings_.checkpoint != 0) ? save() : done;
  }

  /// What was collected: of use even when the model could not go on.
  [[nodiscard]] Result<void> tables() {
    if (settings_.out.empty() || !settings_.writes()) {
      return {};
    }
    const Collector& collected = run_.collected();
    auto done = steps().write_csv(written("steps.csv"));
    for (std::size_t i = 0; done && i < collected.agent_tables(); ++i) {
      done = collected.agents(i).write_csv(written(fmt::format("{}.csv", collected.population(i).name())));
    }
    return done;
  }
  /// A picture of the table of steps.
  [[nodiscard]] Result<void> chart() {
    if (settings_.out.empty() || !settings_.writes()) {
      return {};
    }
    return write_file(written("steps.svg"), draw_columns(steps(), "step", run_.info().name));
  }

 private:
  [[nodiscard]] Table steps() const {
    return thinned(run_.collected().steps(), std::max(settings_.every, 1u));
  }
  [[nodiscard]] bool is_due(std::uint32_t every) const {
    return every != 0 && run_.steps_done() % every == 0;
  }
  /// A file of the folder, noted once.
  std::string written(const std::string& name) {
    std::string path = in_folder(settings_.out, name);
    if (std::ranges::find(report_.files, path) == report_.files.end()) {
      report_.files.push_back(path);
    }
    return path;
  }
  Result<void> save() { return run_.save(written("checkpoint.jxr")); }
  Result<void> picture(const std::string& name) { return write_png(written(name), pictures_->picture()); }
  Result<void> snapshot() {
    if (!series_) {
      JUXTA_TRY_LET(auto opened, SnapshotSeries::open(settings_.out));
      series_ = std::move(opened);
    }
    const Simulation& simulation = run_.simulation();
    return series_->add(simulation).map([&] {
      for (std::size_t i = 0; i < simulation.population_count(); ++i) {
        note_index(simulation.population(i).name());
      }
      for (std::size_t i = 0; i < simulation.field_count(); ++i) {
        note_index(simulation.field_name(i));
      }
    });
  }
  void note_index(std::string_view of) {
    const std::string name = fmt::format("{}.xdmf", of);
    if (std::error_code none; std::filesystem::exists(in_folder(settings_.out, name), none)) {
      written(name);  // not under a name that no file can have
    }
  }

  const ModelSettings& settings_;
  const juxta::Run& run_;
  ModelReport& report_;
  std::optional<ModelPictures> pictures_;  // on the rank that writes
  std::optional<SnapshotSeries> series_;
};

/// Whether anybody wants to know of a step. On one machine all are collected, which costs little; over ranks
/// that brings all agents to one.
bool is_wanted(const ModelSettings& s, std::uint32_t step, const ModelReport& report) {
  if (s.ranks == nullptr || step == report.last || report.run->until()) {
    return true;
  }
  const auto due = [&](std::uint32_t every) { return every != 0 && step % every == 0; };
  return (!s.video.path.empty() && due(s.video.every)) ||
         (!s.out.empty() &&
          (due(std::max(s.every, 1U)) || due(s.agents) || due(s.snapshots) || due(s.pictures)));
}

/// Step by step; an interrupt ends it between two.
Result<void> go(juxta::Run& run, const ModelSettings& settings, const Executor* executor, Outputs& outputs,
                ModelReport& report, Monitor& monitor) {
  const Stopwatch all;
  auto done = outputs.due();
  while (done && run.steps_done() < report.last && !run.until_met()) {
    const Stopwatch watch;
    const bool wanted = is_wanted(settings, run.steps_done() + 1, report);
    done = wanted ? run.step({.executor = executor}) : run.step_only({.executor = executor});
    report.seconds += watch.seconds();
    if (done) {
      done = outputs.due();
    }
    report.all_seconds = all.seconds();
    const bool goes_on =
        monitor.on_progress(run.info().name, run.steps_done() - report.first, report.last - report.first);
    if (done && !on_all(settings, goes_on ? Result<void>() : fail(ErrorCode::kCancelled, "interrupted"))) {
      report.interrupted = true;
      return run.collect();
    }
  }
  return done;
}

int tell(const ModelSettings& settings, const ModelReport& report) {
  if (!report.interrupted && !settings.writes()) {
    return kOk;
  }
  if (!report.interrupted) {
    return print(settings.json ? json_report(report) : format_report(report)) ? kOk : kFailed;
  }
  Error error;
  error.code = ErrorCode::kCancelled;
  error.message = "interrupted";
  const int status = complain(error);
  if (!settings.out.empty()) {
    static_cast<void>(complain(
        fmt::format("what it had so far is in {}; {} --resume {} --out {} --steps {} goes on", settings.out,
                    settings.command, in_folder(settings.out, "checkpoint.jxr"), settings.out, report.last)));
  }
  return status;
}

/// The run ended with an error: what it had collected is written if that is possible.
int give_up(const Error& error, const juxta::Run& run, Outputs& outputs, const ModelSettings& settings) {
  static_cast<void>(complain(error));
  if (!settings.out.empty() && outputs.tables()) {
    static_cast<void>(complain(fmt::format("{} was at step {}: the tables up to there are in {}",
                                           run.info().name, run.simulation().step(), settings.out)));
    static_cast<void>(outputs.chart());  // where a disk is full, tables come first
  }
  return kFailed;
}

/// The run that goes on stays where it is, except that its checkpoint is replaced by the next one. Names of
/// what the camera follows are looked up too.
Result<void> check_files(const ModelSettings& settings, const juxta::Run& run) {
  std::vector<NamedFile> outputs;
  const auto add = [&](const std::string& name) {
    outputs.push_back({settings.out.empty() ? "" : in_folder(settings.out, name), "--out"});
  };
  add("steps.csv");
  add("steps.svg");
  add(run.info().name + ".png");
  for (std::size_t i = 0; i < run.collected().agent_tables(); ++i) {
    add(fmt::format("{}.csv", run.collected().population(i).name()));
  }
  outputs.push_back({gif_of(settings.video.path), "--video"});
  if (settings.writes()) {  // before anything is made
    JUXTA_TRY(ModelCamera::open(settings.camera, run.simulation()).map_error(wrong_use));
  }
  const std::vector<std::string> inputs = {settings.resume};
  return check_outputs(inputs, outputs).and_then([&] { return check_video(settings.video.path, inputs); });
}

}  // namespace

int run_model(const ModelSettings& settings) {
  // Held from here to the end: an interrupt then waits until the step is done and what there is is written.
  const OutputLock lock;
  ModelProgress progress;
  auto run = start(settings);
  if (!run) {
    progress.clear();
    return complain(run.error());
  }
  if (const auto checked = on_all(settings, check_files(settings, *run)); !checked) {
    progress.clear();
    return complain(checked.error());
  }
  constexpr std::array files = {"steps.csv", "steps.svg"};
  const auto made = on_all(settings, settings.writes() ? try_video(settings.video.path).and_then([&] {
    return make_folder(settings.out, files);
  })
                                                       : Result<void>());
  if (!made) {
    progress.clear();
    return complain(made.error());
  }
  const auto executor = make_executor(settings.threads);
  ModelReport report;
  report.run = &*run;
  report.first = run->simulation().step();
  report.last = settings.steps.value_or(run->planned_steps());
  report.threads = thread_count(executor.get(), settings.threads);
  report.ranks = settings.ranks != nullptr ? settings.ranks->size() : 0;
  Outputs outputs(settings, *run, report);
  if (const auto begun = outputs.begin(); !begun) {
    progress.clear();
    return complain(begun.error());
  }
  auto done = go(*run, settings, executor.get(), outputs, report, progress);
  if (done) {
    done = outputs.end();
  }
  progress.clear();
  return done ? tell(settings, report) : give_up(done.error(), *run, outputs, settings);
}

}  // namespace juxta::program_detail
