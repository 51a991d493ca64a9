// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The command line of models: run, collected, swept.
#include "program/model.h"

#include <fmt/format.h>

#include <memory>

#include "program/arguments.h"
#include "program/console.h"

namespace juxta::program_detail {
namespace {

/// What does not go together is told before anything runs.
std::string contradiction(const ModelSettings& s) {
  const bool one = !s.set.empty() || !s.preset.empty() || s.seed;
  const bool files = (s.every | s.checkpoint | s.snapshots | s.pictures | s.agents) != 0;
  const bool seen = !s.video.path.empty() || s.camera.asked_for();
  if (s.list) {
    const bool more =
        one || files || seen || s.steps || s.json || !(s.sweep + s.resume + s.out + s.until).empty();
    return more ? "--list runs nothing: give the name of a model beside it, or nothing" : "";
  }
  if (!s.sweep.empty() && (one || files || seen || s.steps || !(s.resume + s.until).empty())) {
    return "--sweep takes all settings from its file: give --out, --threads and --json alone beside it";
  }
  if (!s.resume.empty() && (one || s.agents != 0)) {
    return "--resume goes on with the settings that were saved: give no --set, --preset, --seed or --agents";
  }
  if (s.out.empty() && files) {
    return "--every, --agents, --snapshots, --pictures and --checkpoint are about files: give --out FOLDER "
           "too";
  }
  if (s.until == "none" && s.resume.empty()) {
    return "--until none ends the condition of a saved run: give --resume FILE too";
  }
  if (s.name.empty() && s.sweep.empty() && s.resume.empty() && s.models.size() != 1) {
    return fmt::format("give the name of a model: {} --list tells them", s.command);
  }
  return picture_mistake(s);
}

void add_outputs(CLI::App& model, ModelSettings& s) {
  const CLI::Range steps(1, 1'000'000'000);
  model.add_option("--out", s.out, "Folder for tables, curves, pictures and whatever else is asked for");
  model.add_option("--every", s.every, "Rows of steps.csv: every so many steps")->check(steps);
  model.add_option("--agents", s.agents, "A table of all agents every so many steps: POPULATION.csv")
      ->check(steps);
  model
      .add_option("--snapshots", s.snapshots,
                  "All agents as VTKHDF every so many steps, with an .xdmf to open them by")
      ->check(steps);
  model.add_option("--pictures", s.pictures, "A picture every so many steps, beside the one at the end")
      ->check(steps);
  model
      .add_option("--checkpoint", s.checkpoint,
                  "Save the run every so many steps: checkpoint.jxr ('every K' will do)")
      ->check(steps);
  model.add_flag("--json", s.json, "The report as JSON");
}

void add_video(CLI::App& model, ModelSettings& s) {
  model.add_option(
      "--centre", s.camera.centre,
      "What is in the middle of pictures and videos: X,Y, or a POPULATION, or POPULATION:ID, which "
      "they follow");
  model
      .add_option("--zoom", s.camera.zoom,
                  "How many times larger than the whole picture would be, 0.1 to 1000")
      ->capture_default_str();
  model.add_option("--video", s.video.path,
                   "The run as an animated FILE.gif, or FOLDER/ for frame_000000.png and so on");
  model.add_option("--video-every", s.video.every, "A frame every so many steps")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  model.add_option("--video-width", s.video.width, "Pixels of a frame's longer side")
      ->check(CLI::Range(16, 16'384))
      ->capture_default_str();
  model.add_option("--video-rate", s.video.rate, "Frames a second of a GIF, 0.1 to 50")
      ->capture_default_str();
}

std::string presets_of(const ModelInfo& info) {
  std::string text;
  for (const Preset& preset : info.presets) {
    text += (text.empty() ? "" : ", ") + preset.name;
    for (const auto& [name, value] : preset.values) {
      text += fmt::format(" {}={}", name, number_text(value));
    }
    text += preset.steps != 0 ? fmt::format(" ({} steps)", preset.steps) : "";
  }
  return text;
}

}  // namespace

Result<std::string> model_list(const ModelSettings& settings) {
  const std::string& name = settings.name;
  if (auto found = find_model(settings.models, name); !name.empty() && !found) {
    return tl::unexpected<Error>(std::move(found.error()));
  }
  std::string text;
  for (const ModelInfo& info : settings.models) {
    if (!name.empty() && name != info.name) {
      continue;
    }
    text += fmt::format("{}: {}; {} steps\n", info.name, info.what, info.steps);
    for (const Parameter& p : info.parameters) {
      text += fmt::format("  {:<18} {:<10} {} to {}{}: {}\n", p.name, number_text(p.value), number_text(p.lo),
                          number_text(p.hi), p.whole ? ", whole" : "", p.what);
    }
    if (const std::string presets = presets_of(info); !presets.empty()) {
      text += fmt::format("  presets: {}\n", presets);
    }
  }
  return text;
}

Result<void> on_all(const ModelSettings& settings, const Result<void>& mine) {
  return settings.ranks != nullptr ? agree(*settings.ranks, mine) : mine;
}

int run_models(const ModelSettings& settings) {
  if (const std::string wrong = contradiction(settings); !wrong.empty()) {
    return complain(wrong);
  }
  if (settings.list) {
    const auto text = model_list(settings);
    return !text ? complain(wrong_use(text.error())) : print(*text) ? kOk : kFailed;
  }
  return settings.sweep.empty() ? run_model(settings) : run_model_sweep(settings);
}

void add_model_options(CLI::App& command, const std::shared_ptr<ModelSettings>& settings) {
  command.add_option("NAME", settings->name,
                     settings->models.size() == 1
                         ? fmt::format("The model, {}: may be left out", settings->models.front().name)
                         : "Which one: --list tells them");
  command.add_flag("--list", settings->list, "The models and their parameters");
  command.add_option("--preset", settings->preset, "Parameters as a publication has them: --list tells them");
  command.add_option("--set", settings->set, "name=number, as often as needed")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command.add_option("--steps", settings->steps, "Run up to this step [the model's own]")
      ->check(CLI::Range(0, 1'000'000'000));
  command
      .add_option("--until", settings->until,
                  "End before that, after the step whose reports meet it: 'infected == 0'. "
                  "With --resume, 'none' drops a saved one")
      ->type_name("CONDITION");
  command
      .add_option_function<std::string>(
          "--seed", [settings](const std::string& text) { settings->seed = parse_seed(text); },
          "Any whole number; the same seed makes the same run [1]")
      ->type_name("UINT");
  command.add_option("--sweep", settings->sweep, "Run all replicas of a TOML file: docs/formats/sweep.md");
  command.add_option("--resume", settings->resume, "Go on with a run that was saved");
  command
      .add_option("--threads", settings->threads,
                  "Threads; 0: as many as this process may use. Never changes the results")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  add_outputs(command, *settings);
  add_video(command, *settings);
}

}  // namespace juxta::program_detail
