// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta scene: where the nodes of a glTF file are at a time, and what many such scenes cost per frame.
#include "tool/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>

#include "juxta/core/try.h"
#include "juxta/files/output_file.h"
#include "juxta/files/read_gltf.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/mesh_input.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct SceneOptions {
  std::string file, animation, csv, json, svg, view = "front";
  std::optional<float> time;
  std::size_t instances = 0;
  unsigned threads = 0;
};

/// By name, else by number; without either the first one, if a time was given.
Result<std::uint32_t> choose_animation(const SceneOptions& options, const GltfScene& scene) {
  if (options.animation.empty() && !options.time) {
    return kGltfNone;
  }
  if (scene.animations.empty()) {
    return fail(ErrorCode::kInvalidArgument, "the file has no animation: leave out --time and --animation");
  }
  const auto named = std::find_if(scene.animations.begin(), scene.animations.end(),
                                  [&](const GltfAnimation& a) { return a.name == options.animation; });
  if (options.animation.empty()) {
    return 0;
  }
  if (named != scene.animations.end()) {
    return static_cast<std::uint32_t>(named - scene.animations.begin());
  }
  std::uint32_t place = 0;
  const char* last = options.animation.data() + options.animation.size();
  const auto [end, error] = std::from_chars(options.animation.data(), last, place);
  if (error == std::errc{} && end == last && place < scene.animations.size()) {
    return place;
  }
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(scene.animations.size(), 20); ++i) {
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", i, scene.animations[i].name);
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("--animation '{}' is none of the file's: {}", options.animation, names));
}

Result<void> write_outputs(const SceneOptions& options, const Pose& pose, const HerdTimes* times) {
  Result<void> written;
  if (!options.csv.empty()) {
    written = write_scene_csv(pose, options.csv);
  }
  if (written && !options.json.empty()) {
    written = write_scene_json(pose, times, options.json);
  }
  if (written && !options.svg.empty()) {
    const View view = options.view == "side"  ? View::kSide
                      : options.view == "top" ? View::kTop
                                              : View::kFront;
    const std::string picture = draw_scene(pose, view);
    const OutputLock lock;
    written = write_file(options.svg, picture);
  }
  return written;
}

Result<Pose> load_pose(const SceneOptions& options, const Executor* executor, Monitor& monitor) {
  Pose pose;
  pose.file = options.file;
  JUXTA_TRY_LET(auto scene, read_gltf(options.file, {.monitor = &monitor}));
  pose.scene = std::move(scene);
  JUXTA_TRY_LET(const auto animation, choose_animation(options, pose.scene));
  pose.animation = animation;
  pose.time = options.time.value_or(0);
  JUXTA_TRY(pose_nodes(pose, executor));
  return pose;
}

int run_scene(const SceneOptions& options) {
  if (options.csv == "-" && options.json == "-") {
    return complain("--csv - and --json - both want the standard output: give one of them a file");
  }
  if (options.time && std::isnan(*options.time)) {  // the one value that is neither below nor above
    return complain("--time is not a number: give seconds");
  }
  const NamedFile outputs[] = {{options.csv, "--csv"}, {options.json, "--json"}, {options.svg, "--svg"}};
  if (const auto checked = check_outputs(mesh_files(options.file), outputs); !checked) {
    return complain(checked.error());
  }
  const auto executor = make_executor(options.threads);
  ConsoleProgress progress;
  const auto pose = load_pose(options, executor.get(), progress);
  if (!pose) {
    progress.clear();
    return complain(pose.error(), options.file);
  }
  std::optional<HerdTimes> times;
  if (options.instances != 0) {
    auto timed = time_herd(*pose, options.instances, executor.get(), progress);
    if (!timed) {
      progress.clear();
      return complain(timed.error(), options.file);
    }
    times = std::move(*timed);
    times->threads = thread_count(executor.get(), options.threads);
  }
  const auto written = write_outputs(options, *pose, times ? &*times : nullptr);
  progress.clear();
  if (!written) {
    return complain(written.error());
  }
  if (options.csv == "-" || options.json == "-") {
    return kOk;
  }
  print(format_summary(*pose));
  if (times) {
    print(format_times(*times));
  } else if (const auto told = print_tree(*pose); !told) {
    return complain(told.error());
  }
  return kOk;
}

}  // namespace

void add_scene(CLI::App& app, Run& run) {
  auto options = std::make_shared<SceneOptions>();
  CLI::App* scene = app.add_subcommand("scene", "Where the nodes of a glTF file are, at any time");
  scene
      ->add_option("FILE", options->file,
                   "glTF 2.0, as .gltf or .glb, its buffers beside it; - is the standard input")
      ->required();
  scene
      ->add_option("--time", options->time,
                   "Seconds into the animation; held at its ends. Without --animation: of the first")
      ->check(CLI::Range(0.0, 1e9));
  scene->add_option("--animation", options->animation, "Name of the animation, or its number from 0");
  scene
      ->add_option(
          "--instances", options->instances,
          "Put so many of the scene into one hierarchy, and time frames instead of printing the tree: all "
          "of them moving, one percent, none, and with an animation all of its nodes")
      ->check(CLI::Range(1, 1'000'000'000));
  scene->add_option("--csv", options->csv,
                    "Write world matrices there, 3x4 row by row; - is the standard output");
  scene->add_option("--json", options->json,
                    "Write the nodes with their world transforms there; - is the standard output");
  scene->add_option("--svg", options->svg, "Draw the nodes, a line from each to its parent");
  scene->add_option("--view", options->view, "From where the picture is drawn")
      ->check(CLI::IsMember({"front", "side", "top"}))
      ->capture_default_str();
  scene
      ->add_option("--threads", options->threads,
                   "Threads; 0: as many as this process may use. Never changes the transforms")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  scene->callback([options, &run] { run = [options] { return run_scene(*options); }; });
}

}  // namespace juxta::tool
