// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta view: a page in your browser, served by the process in which the engine runs.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "juxta/core/try.h"
#include "juxta/study/table.h"
#include "juxta/view/view_server.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/open_browser.h"
#include "tool/points_input.h"
#include "tool/view_worlds.h"

namespace juxta::tool {
namespace {

struct ViewSettings {
  ViewServerOptions server;
  bool no_browser = false;
  unsigned threads = 0;
  std::optional<std::uint64_t> seed;
  std::string scenario = "fleets", model, preset, recording, sweep;
  std::vector<std::string> set;
  FlockView flock;
  bool walls = false;
  InputOptions points;
};

/// Goes on until an interrupt, which ends the program by itself.
class UntilInterrupted final : public Monitor {
 public:
  bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return !interrupted(); }
};

/// Listens, tells where, opens the browser. Errors: of ViewServer.
Result<ViewServer> listen(const ViewSettings& settings) {
  JUXTA_TRY_LET(ViewServer server, ViewServer::start(settings.server).map_error([](Error error) {
    if (error.code == ErrorCode::kIo) {
      error.message += ": give another --port, or --port 0 for one that is free";
    }
    return error.code == ErrorCode::kInvalidArgument ? wrong_use(error) : error;
  }));
  print(fmt::format("{}\n", server.url()));
  JUXTA_TRY(flush_output());
  if (!ViewServer::has_pages()) {
    std::fputs(
        "juxta: this build has no pages, for there was no npm: ./run view builds them. Questions are "
        "answered at /api/info and its like\n",
        stderr);
  } else if (!settings.no_browser) {
    open_browser(server.url());
  }
  if (error_is_terminal()) {
    std::fputs("Ctrl-C ends it.\n", stderr);
  }
  return server;
}

using MakeWorld = std::function<Result<std::unique_ptr<ViewedWorld>>(const Executor*)>;

int view_world(const ViewSettings& settings, const MakeWorld& make) {
  const auto executor = make_executor(settings.threads);
  const auto world = make(executor.get());
  if (!world) {
    return complain(world.error());
  }
  auto server = listen(settings);
  if (!server) {
    return complain(server.error());
  }
  UntilInterrupted monitor;
  const auto shown = server->show(**world, {.executor = executor.get(), .monitor = &monitor});
  return shown ? kOk : complain(shown.error());
}

std::string name_of_file(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

int view_points(const ViewSettings& settings) {
  ConsoleProgress progress;
  const auto points = load_points(settings.points, &progress);
  progress.clear();
  if (!points) {
    return complain(points.error(), settings.points.file);
  }
  tell_left_out(*points, settings.points.file);
  if (!points->has_table) {
    return complain(
        fmt::format("{} has no table of its points: a map needs their coordinates, build it with "
                    "'juxta index'",
                    settings.points.file));
  }
  auto server = listen(settings);
  if (!server) {
    return complain(server.error());
  }
  UntilInterrupted monitor;
  const ViewedMap map{name_of_file(settings.points.file), points->index, points->table};
  const auto shown = server->show(map, {.monitor = &monitor});
  return shown ? kOk : complain(damage_or(points->index, shown.error()), settings.points.file);
}

int view_sweep(const ViewSettings& settings) {
  const auto table = Table::read_csv(settings.sweep);
  if (!table) {
    return complain(table.error(), settings.sweep);
  }
  const ViewedSweep sweep{name_of_file(settings.sweep), *table};
  if (auto checked = check_sweep(sweep); !checked) {
    checked.error().code = ErrorCode::kParse;  // of the file, not of the command line
    return complain(checked.error(), settings.sweep);
  }
  auto server = listen(settings);
  if (!server) {
    return complain(server.error());
  }
  UntilInterrupted monitor;
  const auto shown = server->show(sweep, {.monitor = &monitor});
  return shown ? kOk : complain(shown.error());
}

void add_server_options(CLI::App& command, const std::shared_ptr<ViewSettings>& settings) {
  command.add_option("--port", settings->server.port, "Where to listen; 0: any port that is free")
      ->capture_default_str();
  command
      .add_option("--address", settings->server.address,
                  "An IP address. Elsewhere than on this machine, pages need --token")
      ->capture_default_str();
  command.add_option("--token", settings->server.token,
                     "What a page must know: up to 128 letters, digits, - and _");
  command.add_flag("--no-browser", settings->no_browser, "Do not open a browser");
}

void add_world_options(CLI::App& command, const std::shared_ptr<ViewSettings>& settings) {
  add_server_options(command, settings);
  command.add_flag("--paused", settings->server.paused, "Wait until somebody presses play");
  command
      .add_option("--threads", settings->threads,
                  "Threads; 0: as many as this process may use. Never changes what happens")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--seed", [settings](const std::string& text) { settings->seed = parse_seed(text); },
          "Any whole number; the same seed makes the same run")
      ->type_name("UINT");
}

CLI::App& add_world(CLI::App& view, Run& run, const std::shared_ptr<ViewSettings>& settings, const char* name,
                    const char* what, MakeWorld make) {
  CLI::App* command = view.add_subcommand(name, what);
  add_world_options(*command, settings);
  command->callback([settings, make = std::move(make), &run] {
    run = [settings, make] { return view_world(*settings, make); };
  });
  return *command;
}

}  // namespace

void add_view(CLI::App& app, Run& run) {
  auto settings = std::make_shared<ViewSettings>();
  CLI::App* view = app.add_subcommand("view", "See it live in a browser");
  view->require_subcommand(1);
  CLI::App& battle = add_world(
      *view, run, settings, "sector", "A space battle",
      [settings](const Executor* on) { return view_sector(settings->scenario, settings->seed, on); });
  battle.add_option("SCENARIO", settings->scenario, "skirmish, battle, mission5, fleets, or a TOML file")
      ->capture_default_str();
  CLI::App& flock =
      add_world(*view, run, settings, "flock", "Boids that fly", [settings](const Executor* on) {
        FlockView flock_settings = settings->flock;
        flock_settings.periodic = !settings->walls;
        flock_settings.seed = settings->seed.value_or(1);
        return view_flock(flock_settings, on);
      });
  flock.add_option("--agents", settings->flock.agents, "How many boids")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  flock.add_flag("--3d", settings->flock.solid, "In a cube instead of a square");
  flock.add_flag("--walls", settings->walls, "Walls on all sides; else who leaves comes back on the other");
  CLI::App& model =
      add_world(*view, run, settings, "model", "A published model", [settings](const Executor* on) {
        return view_model(settings->model, settings->preset, settings->set, settings->seed.value_or(1), on);
      });
  model.add_option("NAME", settings->model, "One that juxta model --list tells")->required();
  model.add_option("--preset", settings->preset, "Its parameters as a publication has them");
  model.add_option("--set", settings->set, "A parameter: radius=12.5");
  CLI::App& recording = *view->add_subcommand("recording", "What --record wrote: go back and forth in it");
  recording.callback([settings, &run] {
    run = [settings] {
      return view_world(*settings,
                        [settings](const Executor*) { return view_recording(settings->recording); });
    };
  });
  add_server_options(recording, settings);
  recording.add_flag("--paused", settings->server.paused, "Wait until somebody presses play");
  recording.add_option("FOLDER", settings->recording, "A folder of .xdmf and .vtkhdf files, or one .xdmf")
      ->required();
  CLI::App* sweep = view->add_subcommand("sweep", "The curves of a sweep's runs, side by side");
  sweep->add_option("FILE", settings->sweep, "The sweep.csv that juxta model --sweep wrote")->required();
  add_server_options(*sweep, settings);
  sweep->callback([settings, &run] { run = [settings] { return view_sweep(*settings); }; });
  CLI::App* points =
      view->add_subcommand("points", "A map of ranked points: a text, or an index of juxta index");
  add_input_options(*points, settings->points);
  add_server_options(*points, settings);
  points->callback([settings, &run] { run = [settings] { return view_points(*settings); }; });
}

}  // namespace juxta::tool
