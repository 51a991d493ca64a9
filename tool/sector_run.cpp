// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One battle, tick by tick, and what it writes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/raster.h"
#include "juxta/study/snapshot.h"
#include "sector/checkpoint.h"
#include "sector/picture.h"
#include "sector/replay.h"
#include "tool/console.h"
#include "tool/model.h"
#include "tool/output_folder.h"
#include "tool/points_input.h"
#include "tool/same_file.h"
#include "tool/sector.h"
#include "tool/sector_progress.h"

namespace juxta::tool {
namespace {

constexpr std::uint32_t kPictureSide = 1000;  // of a picture's longer side, in pixels
constexpr std::uint32_t kPictures = 7;        // of a whole battle, the last one included
constexpr std::size_t kMostRows = 2000;       // of the table of populations

using WorldPointer = std::unique_ptr<sector::World>;

std::string scenario_of(const SectorSettings& s) {
  return s.scenario.empty() ? "battle" : s.scenario;
}

Result<WorldPointer> start(const SectorSettings& s, const Executor* executor) {
  if (!s.resume.empty()) {
    return sector::load_checkpoint(s.resume, executor)
        .and_then([&](WorldPointer world) -> Result<WorldPointer> {
          if (s.ticks.value_or(world->tick()) < world->tick()) {
            return fail(
                ErrorCode::kInvalidArgument,
                fmt::format("{} is at tick {} already: give no less for --ticks", s.resume, world->tick()));
          }
          return world;
        });
  }
  return sector::read_scenario(scenario_of(s))
      .map_error(
          [](Error error) { return error.code == ErrorCode::kParse ? error : wrong_use(std::move(error)); })
      .and_then([&](sector::Scenario scenario) {
        scenario.seed = s.seed.value_or(scenario.seed);
        return sector::begin_world(scenario, executor);
      });
}

/// What must stay as it is: the scenario, or the files of the checkpoint that the battle goes on from.
std::vector<std::string> inputs_of(const SectorSettings& settings) {
  if (settings.resume.empty()) {
    return {settings.scenario};
  }
  std::vector<std::string> files = {settings.resume};
  const std::string folder = program_detail::is_folder(settings.resume)
                                 ? settings.resume
                                 : program_detail::folder_of(settings.resume);
  std::ranges::move(program_detail::entries_of(folder), std::back_inserter(files));
  return files;
}

/// A new checkpoint may replace the one that the battle goes on from; nothing else may.
Result<void> check_files(const SectorSettings& settings) {
  std::vector<NamedFile> outputs = {{settings.trace, "--trace"}, {gif_of(settings.video.path), "--video"}};
  for (const char* name : {"report.html", "battle.png", "battle.replay"}) {
    outputs.push_back({settings.out.empty() ? "" : in_folder(settings.out, name), "--out"});
  }
  const std::vector<std::string> inputs = inputs_of(settings);
  return check_outputs(inputs, outputs).and_then([&] { return check_video(settings.video.path, inputs); });
}

/// Tries whether files will find their place, so that nothing is played in vain.
Result<void> make_outputs(const SectorSettings& settings) {
  constexpr std::array files = {"report.html", "battle.png"};
  JUXTA_TRY(try_video(settings.video.path));
  return make_folder(settings.out, files).and_then([&]() -> Result<void> {
    if (settings.trace.empty()) {
      return {};
    }
    return OutputFile::open(settings.trace).map([](const OutputFile&) {});  // not committed: leaves nothing
  });
}

/// Additions of one tick to those of all.
void add(sector::Tally& total, const sector::Tally& tick) {
  for (auto member :
       {&sector::Tally::safe_points, &sector::Tally::released, &sector::Tally::shots, &sector::Tally::hits,
        &sector::Tally::collisions, &sector::Tally::deaths, &sector::Tally::looked, &sector::Tally::warned,
        &sector::Tally::aimed, &sector::Tally::nodes_moved}) {
    total.*member += tick.*member;
  }
}

/// What a battle leaves behind, as it goes and at its end.
class SectorOutputs {
 public:
  SectorOutputs(const SectorSettings& settings, const sector::World& world, SectorReport& report)
      : settings_(settings), world_(world), report_(report) {
    std::vector<std::string> names = {"tick"};
    for (const auto& [name, count] : living(report)) {
      names.push_back(name);
    }
    for (const auto& [name, count] : happened(report)) {
      names.push_back(name);
    }
    report_.populations = Table(std::move(names));
  }

  [[nodiscard]] Result<void> begin() {
    if (!settings_.video.path.empty()) {
      JUXTA_TRY_LET(auto opened, SectorVideo::open(settings_.video, world_));
      video_.emplace(std::move(opened));
      report_.files.push_back(settings_.video.path);
    }
    if (!settings_.out.empty() && settings_.resume.empty()) {
      JUXTA_TRY_LET(auto opened, sector::ReplayWriter::create(written("battle.replay"), world_));
      replay_.emplace(std::move(opened));
    }
    return due();
  }

  /// What is due at the tick that the battle is at.
  [[nodiscard]] Result<void> due() {
    if (video_) {
      JUXTA_TRY(video_->due(world_));
    }
    if (settings_.out.empty()) {
      return {};
    }
    if ((world_.tick() - report_.first) % rows_every_ == 0) {
      note();
    }
    Result<void> done;
    if (replay_ && world_.tick() != report_.first) {
      done = replay_->add(world_);
    }
    if (done && is_due(settings_.record)) {
      done = snapshot();
    }
    if (done && picture_is_due()) {
      done = picture();
    }
    if (done && world_.tick() != report_.first && is_due(settings_.checkpoint)) {
      done = save();
    }
    return done;
  }

  [[nodiscard]] Result<void> end(const sector::TracingExecutor* trace) {
    report_.hash = sector::state_hash(world_);
    Result<void> done;
    if (settings_.checkpoint != 0 && report_.saved != world_.tick()) {
      done = save();
    }
    if (done && video_) {
      done = video_->end();
    }
    if (done && trace != nullptr) {
      report_.files.push_back(settings_.trace);
      done = trace->write(settings_.trace);
    }
    if (!done || settings_.out.empty()) {
      return done;
    }
    if (const Table& rows = report_.populations;
        rows.rows() == 0 || rows.column("tick").back() != world_.tick()) {
      note();
    }
    if (has_png()) {
      done =
          picture().and_then([&] { return write_file(written("battle.png"), report_.pictures.back().png); });
    }
    return done.and_then([&] { return write_file(written("report.html"), html_report(report_)); });
  }

 private:
  [[nodiscard]] bool is_due(std::uint32_t every) const { return every != 0 && world_.tick() % every == 0; }
  /// At even distances, but for the last one, which end() draws.
  [[nodiscard]] bool picture_is_due() const {
    const std::uint64_t done = world_.tick() - report_.first, all = report_.last - report_.first;
    const auto passed = [&](std::uint64_t ticks) {
      return ticks * (kPictures - 1) / std::max<std::uint64_t>(all, 1);
    };
    return has_png() && !settings_.headless && done < all && (done == 0 || passed(done) != passed(done - 1));
  }
  /// A file of the folder, noted once.
  std::string written(const std::string& name) {
    std::string path = in_folder(settings_.out, name);
    if (std::ranges::find(report_.files, path) == report_.files.end()) {
      report_.files.push_back(path);
    }
    return path;
  }
  /// A row of what lives, and of what happened since the last row, a tick. Twice as many ticks apart whenever
  /// the table is full, so that battles may go on for days.
  void note() {
    std::vector<double> row = {static_cast<double>(world_.tick())};
    for (const auto& [name, count] : living(report_)) {
      row.push_back(static_cast<double>(count));
    }
    const double ticks = std::max(world_.tick() - noted_at_, 1u);
    const Counts all = happened(report_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      row.push_back(static_cast<double>(all[i].second - (noted_.empty() ? 0 : noted_[i].second)) / ticks);
    }
    noted_at_ = world_.tick();
    noted_ = all;
    report_.populations.append(row);
    if (report_.populations.rows() >= kMostRows) {
      report_.populations = thinned(report_.populations, 2);
      rows_every_ *= 2;
    }
  }
  Result<void> picture() {
    const double longer = std::max(world_.scenario.width, world_.scenario.depth);
    const auto side = [longer](float of) {
      return static_cast<std::uint32_t>(std::max(kPictureSide * static_cast<double>(of) / longer, 100.0));
    };
    Raster image(side(world_.scenario.width), side(world_.scenario.depth));
    sector::draw(world_, image);
    return encode_png(image).map([&](std::string png) {
      report_.pictures.push_back({world_.tick(), std::move(png)});
    });
  }
  Result<void> save() {
    return sector::save_checkpoint(world_, written("checkpoint")).map([&] { report_.saved = world_.tick(); });
  }
  Result<void> snapshot() {
    const std::string folder = written("recording");
    if (!series_) {
      JUXTA_TRY_LET(auto opened, SnapshotSeries::open(folder));
      series_ = std::move(opened);
    }
    return series_->add(world_.simulation);
  }

  const SectorSettings& settings_;
  const sector::World& world_;
  SectorReport& report_;
  std::optional<sector::ReplayWriter> replay_;
  std::optional<SnapshotSeries> series_;
  std::optional<SectorVideo> video_;
  Counts noted_;
  std::uint32_t noted_at_ = 0, rows_every_ = 1;
};

/// Tick by tick; an interrupt ends it between two.
Result<void> go(sector::World& world, SectorOutputs& outputs, SectorReport& report, Monitor& monitor) {
  auto done = outputs.begin();
  const std::uint32_t all = report.last - report.first;
  report.interrupted = !monitor.on_progress(world.scenario.name, 0, all);
  while (done && !report.interrupted && world.tick() < report.last) {
    const Stopwatch watch;
    done = sector::tick(world, &report.times);
    if (done) {
      add(report.total, world.tally);
      const Stopwatch beside;
      done = outputs.due();
      report.times.recorded(beside.seconds());
    }
    report.seconds += watch.seconds();
    report.interrupted = !monitor.on_progress(world.scenario.name, world.tick() - report.first, all);
  }
  return done;
}

int tell(const SectorSettings& settings, const SectorReport& report) {
  print(settings.json ? json_report(report) : format_report(report));
  const auto printed = flush_output();  // an interrupt ends the program as soon as the lock is gone
  if (!report.interrupted) {
    return printed ? kOk : kFailed;
  }
  Error error;
  error.code = ErrorCode::kCancelled;
  error.message = "interrupted";
  const int status = complain(error);
  if (report.saved == report.world->tick()) {
    static_cast<void>(complain(fmt::format("juxta sector --resume {} --ticks {} goes on",
                                           in_folder(settings.out, "checkpoint"), report.last)));
  }
  return status;
}

/// The battle ended with an error, a full disk perhaps: what can be relied on.
int give_up(const Error& error, const SectorSettings& settings, const SectorReport& report) {
  static_cast<void>(complain(error));
  std::string text = fmt::format("the battle was at tick {}", report.world->tick());
  if (report.saved) {
    text += fmt::format("; the last checkpoint, of tick {} in {}, is good", *report.saved,
                        in_folder(settings.out, "checkpoint"));
  } else if (!settings.resume.empty()) {
    text +=
        fmt::format("; it had written no checkpoint since the one that it went on from, {}", settings.resume);
  } else if (settings.checkpoint != 0) {
    text += "; it had written no checkpoint yet";
  }
  static_cast<void>(complain(text));
  return kFailed;
}

}  // namespace

int run_sector(const SectorSettings& settings) {
  // Held from here to the end: an interrupt then waits until the tick is done and what there is is written.
  const OutputLock lock;
  if (const auto checked = check_files(settings); !checked) {
    return complain(checked.error());
  }
  SectorProgress progress(settings.headless);
  progress.begin(settings.resume.empty() ? scenario_of(settings) : settings.resume);
  const auto executor = make_executor(settings.threads);
  std::optional<sector::TracingExecutor> trace;
  if (!settings.trace.empty()) {
    trace.emplace(executor_or_serial(executor.get()));
  }
  const auto world = start(settings, trace ? &*trace : executor.get());
  if (!world) {
    progress.clear();
    return complain(world.error(), settings.resume.empty() ? settings.scenario : settings.resume);
  }
  if (const auto made = make_outputs(settings); !made) {
    progress.clear();
    return complain(made.error());
  }
  SectorReport report(trace ? &*trace : nullptr);
  report.world = world->get();
  report.first = (*world)->tick();
  report.last = settings.ticks.value_or(report.first + kSectorTicks);
  report.threads = thread_count(executor.get(), settings.threads);
  SectorOutputs outputs(settings, **world, report);
  auto done = go(**world, outputs, report, progress);
  if (done) {
    done = outputs.end(trace ? &*trace : nullptr);
  }
  progress.clear();
  if (done) {
    return tell(settings, report);
  }
  return give_up(done.error(), settings, report);
}

}  // namespace juxta::tool
