// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta model: the published models. All else is in src/program, which programs of modellers use too.
#include "tool/model.h"

#include <memory>

#include "models/models.h"
#include "tool/commands.h"

namespace juxta::tool {

void add_model(CLI::App& app, Run& run_later) {
  add_model(app, run_later, {});
}

void add_model(CLI::App& app, Run& run_later, const ModelSettings& defaults) {
  auto settings = std::make_shared<ModelSettings>(defaults);
  settings->models = models::published();
  CLI::App* model =
      app.add_subcommand("model", "Published agent-based and particle models: run, collected, swept");
  add_model_options(*model, settings);
  model->callback([settings, &run_later] { run_later = [settings] { return run_models(*settings); }; });
}

void add_sweep(CLI::App& app, Run& run_later, const ModelSettings& defaults) {
  auto settings = std::make_shared<ModelSettings>(defaults);
  settings->models = models::published();
  CLI::App* sweep = app.add_subcommand("sweep", "All replicas of a TOML file, handed out to the ranks");
  sweep->add_option("FILE", settings->sweep, "docs/formats/sweep.md describes it")->required();
  sweep->add_option("--out", settings->out, "Folder for the table, its curves and the journal");
  sweep->add_flag("--json", settings->json, "The report as JSON");
  sweep->callback([settings, &run_later] { run_later = [settings] { return run_models(*settings); }; });
}

}  // namespace juxta::tool
