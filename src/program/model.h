// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta model' and of study_main(): one run, a sweep, and how they are told.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/monitor.h"
#include "juxta/core/ranks.h"
#include "juxta/study/collector.h"
#include "juxta/study/model.h"
#include "juxta/study/run.h"
#include "juxta/study/sweep.h"
#include "juxta/study/table.h"
#include "program/camera.h"
#include "program/video.h"

namespace juxta::program_detail {

struct ModelVideoSettings {
  std::string path;  ///< A .gif, or a folder that ends in /; empty: none is wanted.
  std::uint32_t every = 1;
  std::uint32_t width = kVideoWidth;  ///< Of the longer side, in pixels.
  double rate = 25;                   ///< Frames a second, of a GIF.
};

struct ModelSettings {
  std::span<const ModelInfo> models;    // that there are
  std::string command = "juxta model";  // as it was called, for hints
  std::string name, preset, sweep, out, resume;
  std::string until;  // a stop condition, or "none"
  std::vector<std::string> set;
  std::optional<std::uint32_t> steps;
  std::optional<std::uint64_t> seed;
  std::uint32_t every = 0, agents = 0, snapshots = 0, pictures = 0, checkpoint = 0;  // 0: not asked for
  ModelVideoSettings video;
  CameraSettings camera;  // of pictures and videos
  unsigned threads = 0;
  bool list = false, json = false;
  Ranks* ranks = nullptr;  // juxta-mpi: rank 0 alone writes
  std::function<Result<SweepResult>(const Sweep&, const SweepOptions&, Monitor&)> sweep_over_ranks = {};

  [[nodiscard]] bool writes() const { return ranks == nullptr || ranks->rank() == 0; }
};

/// How a run went.
struct ModelReport {
  const juxta::Run* run = nullptr;
  std::uint32_t first = 0;         ///< Step that it began or went on from.
  std::uint32_t last = 0;          ///< That it was to reach.
  double seconds = 0;              ///< Of the steps alone, with what the model reports.
  double all_seconds = 0;          ///< With tables, snapshots, pictures and checkpoints.
  unsigned threads = 1;            ///< Of each rank.
  unsigned ranks = 0;              ///< 0: one machine.
  std::vector<std::string> files;  ///< Written.
  bool interrupted = false;
};

/// All options of a command that runs models. They end up in `settings`, which holds the defaults.
void add_model_options(CLI::App& command, const std::shared_ptr<ModelSettings>& settings);
/// What the settings ask for. The exit code.
[[nodiscard]] int run_models(const ModelSettings& settings);

/// What is wrong with how pictures and videos are asked for; empty: nothing.
[[nodiscard]] std::string picture_mistake(const ModelSettings& settings);

/// Pictures and the video of a run, seen by its camera.
class ModelPictures {
 public:
  /// Errors: kNotFound (nothing to follow), kIo.
  [[nodiscard]] static Result<ModelPictures> open(const ModelSettings& settings, const juxta::Run& run);

  /// The model as it is now, 1000 pixels wide or high.
  [[nodiscard]] Raster picture();
  /// A frame, if there is a video and one is due; of a GIF the first call draws one. Errors: kIo.
  [[nodiscard]] Result<void> due();
  /// The GIF appears. Errors: kIo.
  [[nodiscard]] Result<void> end();

 private:
  ModelPictures(const juxta::Run& run, const ModelVideoSettings& settings, ModelCamera camera)
      : run_(run), settings_(settings), camera_(std::move(camera)) {}
  [[nodiscard]] Raster drawn(Raster image);

  const juxta::Run& run_;
  const ModelVideoSettings& settings_;
  ModelCamera camera_;
  std::optional<Video> video_;
  Raster frame_{1, 1};  // of the size that the video began with, empty
  bool began_ = false;
};

/// Over ranks: an error of one as an error of all.
[[nodiscard]] Result<void> on_all(const ModelSettings& settings, const Result<void>& mine);
/// One run, from its start or from a saved one. The exit code.
[[nodiscard]] int run_model(const ModelSettings& settings);
/// All replicas of a file. The exit code.
[[nodiscard]] int run_model_sweep(const ModelSettings& settings);

/// The models, or the one that is named: a line and the parameters of each. Errors: kNotFound.
[[nodiscard]] Result<std::string> model_list(const ModelSettings& settings);
/// Lines for a person.
[[nodiscard]] std::string format_report(const ModelReport& report);
/// The same as one JSON object.
[[nodiscard]] std::string json_report(const ModelReport& report);

/// The rows of a table at every so many steps, and the last one.
[[nodiscard]] Table thinned(const Table& table, std::uint32_t every);
/// A panel for each column over the column `x`, one below the other.
[[nodiscard]] std::string draw_columns(const Table& table, const std::string& x, const std::string& title);

}  // namespace juxta::program_detail
