// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta model: the published models, run, collected, swept.
#include "tool/model.h"

#include <fmt/format.h>

#include <memory>

#include "models/models.h"
#include "tool/arguments.h"
#include "tool/commands.h"
#include "tool/console.h"

namespace juxta::tool {
namespace {

/// What does not go together is told before anything runs.
std::string contradiction(const ModelSettings& s) {
  const bool one = !s.set.empty() || !s.preset.empty() || s.seed;
  const bool files = (s.every | s.checkpoint | s.snapshots | s.pictures | s.agents) != 0;
  if (s.list) {
    const bool more = one || files || s.steps || s.json || !(s.sweep + s.resume + s.out).empty();
    return more ? "--list runs nothing: give the name of a model beside it, or nothing" : "";
  }
  if (!s.sweep.empty() && (one || files || s.steps || !s.resume.empty())) {
    return "--sweep takes all settings from its file: give --out, --threads and --json alone beside it";
  }
  if (!s.resume.empty() && (one || s.agents != 0)) {
    return "--resume goes on with the settings that were saved: give no --set, --preset, --seed or --agents";
  }
  if (s.out.empty() && files) {
    return "--every, --agents, --snapshots, --pictures and --checkpoint are about files: give --out FOLDER "
           "too";
  }
  if (s.name.empty() && s.sweep.empty() && s.resume.empty()) {
    return "give the name of a model: juxta model --list tells them";
  }
  return {};
}

int run(const ModelSettings& settings) {
  if (const std::string wrong = contradiction(settings); !wrong.empty()) {
    return complain(wrong);
  }
  if (settings.list) {
    const auto text = model_list(settings.name);
    return !text ? complain(wrong_use(text.error())) : print(*text) ? kOk : kFailed;
  }
  return settings.sweep.empty() ? run_model(settings) : run_model_sweep(settings);
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

Result<std::string> model_list(const std::string& name) {
  if (auto found = find_model(models::published(), name); !name.empty() && !found) {
    return tl::unexpected<Error>(std::move(found.error()));
  }
  std::string text;
  for (const ModelInfo& info : models::published()) {
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

void add_model(CLI::App& app, Run& run_later) {
  add_model(app, run_later, {});
}

void add_model(CLI::App& app, Run& run_later, const ModelSettings& defaults) {
  auto settings = std::make_shared<ModelSettings>(defaults);
  CLI::App* model =
      app.add_subcommand("model", "Published agent-based and particle models: run, collected, swept");
  model->add_option("NAME", settings->name, "Which one: --list tells them");
  model->add_flag("--list", settings->list, "The models and their parameters");
  model->add_option("--preset", settings->preset, "Parameters as a publication has them: --list tells them");
  model->add_option("--set", settings->set, "name=number, as often as needed")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  model->add_option("--steps", settings->steps, "Run up to this step [the model's own]")
      ->check(CLI::Range(0, 1'000'000'000));
  model
      ->add_option_function<std::string>(
          "--seed", [settings](const std::string& text) { settings->seed = parse_seed(text); },
          "Any whole number; the same seed makes the same run [1]")
      ->type_name("UINT");
  model->add_option("--sweep", settings->sweep, "Run all replicas of a TOML file: docs/formats/sweep.md");
  model->add_option("--resume", settings->resume, "Go on with a run that was saved");
  model
      ->add_option("--threads", settings->threads,
                   "Threads; 0: as many as this process may use. Never changes the results")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  add_outputs(*model, *settings);
  model->callback([settings, &run_later] { run_later = [settings] { return run(*settings); }; });
}

void add_sweep(CLI::App& app, Run& run_later, const ModelSettings& defaults) {
  auto settings = std::make_shared<ModelSettings>(defaults);
  CLI::App* sweep = app.add_subcommand("sweep", "All replicas of a TOML file, handed out to the ranks");
  sweep->add_option("FILE", settings->sweep, "docs/formats/sweep.md describes it")->required();
  sweep->add_option("--out", settings->out, "Folder for the table, its curves and the journal");
  sweep->add_flag("--json", settings->json, "The report as JSON");
  sweep->callback([settings, &run_later] { run_later = [settings] { return run(*settings); }; });
}

}  // namespace juxta::tool
