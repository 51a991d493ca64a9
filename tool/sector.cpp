// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta sector: a space battle in which every tick uses every module.
#include "tool/sector.h"

#include <memory>

#include "tool/arguments.h"
#include "tool/commands.h"
#include "tool/console.h"

namespace juxta::tool {
namespace {

/// What does not go together is told before anything runs.
std::string contradiction(const SectorSettings& s) {
  if (!s.resume.empty() && (!s.scenario.empty() || s.seed)) {
    return "--resume goes on with the scenario that was saved: give no SCENARIO and no --seed";
  }
  if (s.out.empty() && (s.record | s.checkpoint) != 0) {
    return "--record and --checkpoint are about files: give --out FOLDER too";
  }
  return video_mistake(s.video);
}

int run(const SectorSettings& settings) {
  const std::string wrong = contradiction(settings);
  return wrong.empty() ? run_sector(settings) : complain(wrong);
}

void add_outputs(CLI::App& sector, SectorSettings& s) {
  const CLI::Range ticks(1, 1'000'000'000);
  sector.add_option("--out", s.out, "Folder for report.html, a picture, a replay and what else is asked for");
  sector
      .add_option("--record", s.record,
                  "All that lives as VTKHDF every so many ticks, with an .xdmf to open them by ('every K' "
                  "will do)")
      ->check(ticks);
  sector
      .add_option("--checkpoint", s.checkpoint,
                  "Save the battle every so many ticks, and at the end ('every K' will do)")
      ->check(ticks);
  sector.add_option("--trace", s.trace, "File: which thread did what when, for ui.perfetto.dev");
  sector.add_flag("--headless", s.headless, "No progress, and no pictures before the end");
  sector.add_flag("--json", s.json, "The report as JSON");
}

void add_video(CLI::App& sector, VideoSettings& s) {
  sector.add_option("--video", s.path,
                    "The battle from above: an animated FILE.gif, or FOLDER/ for frame_000000.png and so on");
  sector.add_option("--video-every", s.every, "A frame every so many ticks, of which a second has 60")
      ->check(CLI::Range(1, 30'000))
      ->capture_default_str();
  sector.add_option("--video-width", s.width, "Pixels of a frame's longer side")
      ->check(CLI::Range(16, 16'384))
      ->capture_default_str();
  sector.add_option("--video-centre", s.centre,
                    "X,Y: what is in the middle of the frames, in metres from the middle of the world [0,0]");
  sector
      .add_option("--video-zoom", s.zoom, "How many times larger than the whole world would be, 0.1 to 1000")
      ->capture_default_str();
}

}  // namespace

void add_sector(CLI::App& app, Run& run_later) {
  auto settings = std::make_shared<SectorSettings>();
  CLI::App* sector = app.add_subcommand("sector", "A space battle: every module in one world, tick by tick");
  sector->add_option("SCENARIO", settings->scenario,
                     "skirmish, battle, mission5, fleets, or a TOML file: docs/formats/scenario.md [battle]");
  sector->add_option("--ticks", settings->ticks, "Play up to this tick [600; resumed: 600 more]")
      ->check(CLI::Range(0, 1'000'000'000));
  sector
      ->add_option_function<std::string>(
          "--seed", [settings](const std::string& text) { settings->seed = parse_seed(text); },
          "Any whole number; the same seed makes the same battle [the scenario's]")
      ->type_name("UINT");
  sector->add_option("--resume", settings->resume, "Go on from a checkpoint: its folder, or its manifest");
  sector
      ->add_option("--threads", settings->threads,
                   "Threads; 0: as many as this process may use. Never changes the battle")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  add_outputs(*sector, *settings);
  add_video(*sector, settings->video);
  sector->callback([settings, &run_later] { run_later = [settings] { return run(*settings); }; });
}

}  // namespace juxta::tool
