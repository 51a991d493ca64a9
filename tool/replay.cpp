// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta replay: a battle again, held against the hashes that were noted.
#include "sector/replay.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/points_input.h"
#include "tool/sector_progress.h"

namespace juxta::tool {
namespace {

int run_replay(const std::string& file, unsigned threads) {
  SectorProgress progress(false);
  const auto replay = sector::read_replay(file);
  if (!replay) {
    return complain(replay.error(), file);
  }
  const auto executor = make_executor(threads);
  progress.begin(replay->scenario.name);
  const auto result = sector::run_replay(*replay, executor.get(), &progress);
  progress.clear();
  if (!result) {
    return complain(result.error(), file);
  }
  if (replay->cut_short) {
    static_cast<void>(complain(fmt::format("{} ends in the middle of a line, as a crash leaves it", file)));
  }
  if (result->first_different) {
    static_cast<void>(print(fmt::format("tick {} is the first that differs: expected {:016x}, got {:016x}\n",
                                        *result->first_different, result->expected, result->got)));
    return kFailed;
  }
  return print(fmt::format("{} ticks, all hashes equal\n", grouped(result->ticks))) ? kOk : kFailed;
}

}  // namespace

void add_replay(CLI::App& app, Run& run) {
  struct Settings {
    std::string file;
    unsigned threads = 0;
  };
  auto settings = std::make_shared<Settings>();
  CLI::App* replay = app.add_subcommand("replay", "Play a battle again, and tell which tick differs first");
  replay->add_option("FILE", settings->file, "What 'juxta sector --out FOLDER' wrote: FOLDER/battle.replay")
      ->required();
  replay
      ->add_option("--threads", settings->threads,
                   "Threads; 0: as many as this process may use. Never changes a battle")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  replay->callback(
      [settings, &run] { run = [settings] { return run_replay(settings->file, settings->threads); }; });
}

}  // namespace juxta::tool
