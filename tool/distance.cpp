// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta distance: how far two meshes are from each other, and where they are nearest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "juxta/shape/query.h"
#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/mesh_input.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

struct DistanceOptions {
  std::string first, second, shift = "0,0,0";
  bool json = false;
  unsigned threads = 0;
};

/// What was measured, and how long it took.
struct Measured {
  const MeshInput *a, *b;
  ClosestPoints nearest;
  double seconds = 0;
};

double size_of(const Triangle& t) {
  const Vec3 sides[] = {t.b - t.a, t.c - t.b, t.a - t.c};
  double size = 0;
  for (const Vec3& s : sides) {
    size = std::max(size,
                    std::hypot(static_cast<double>(s.x), static_cast<double>(s.y), static_cast<double>(s.z)));
  }
  return size;
}

/// The distance, or 0 where it is rounding: triangles meet "to 1e-6 of their size" (overlaps()), and a gap of
/// doubles is exact to far less than 1e-12 of it.
float told_distance(const Measured& m) {
  const ClosestPoints& n = m.nearest;
  const double size =
      size_of(m.a->mesh.triangle(n.part_a.triangle)) + size_of(m.b->mesh.triangle(n.part_b.triangle));
  const double distance = static_cast<double>(n.distance);
  return -1e-6 * size <= distance && distance <= 1e-12 * size ? 0.0F : n.distance;
}

std::string format_distance(const Measured& m) {
  const ClosestPoints& n = m.nearest;
  const float distance = told_distance(m);
  std::string text = distance > 0    ? fmt::format("distance  {}\n", distance)
                     : distance == 0 ? std::string("distance  0 (they touch)\n")
                                     : fmt::format("distance  0 (they meet; {} deep)\n", -distance);
  text += fmt::format("first     {} (triangle {} of {})\nsecond    {} (triangle {} of {})\nnormal    {}\n",
                      spaced(n.on_a), n.part_a.triangle, grouped(m.a->mesh.triangle_count()), spaced(n.on_b),
                      n.part_b.triangle, grouped(m.b->mesh.triangle_count()), spaced(n.normal));
  return text + fmt::format("time      {} (read {}, trees {})\n", spoken_time(m.seconds),
                            spoken_time(m.a->read_seconds + m.b->read_seconds),
                            spoken_time(m.a->build_seconds + m.b->build_seconds));
}

std::string json_distance(const Measured& m) {
  const ClosestPoints& n = m.nearest;
  const nlohmann::ordered_json told = {
      {"distance", short_number(told_distance(m))},
      {"on_first", short_numbers(n.on_a)},
      {"on_second", short_numbers(n.on_b)},
      {"normal", short_numbers(n.normal)},
      {"first_triangle", n.part_a.triangle},
      {"second_triangle", n.part_b.triangle},
      {"triangles", {m.a->mesh.triangle_count(), m.b->mesh.triangle_count()}},
      {"seconds", m.seconds}};
  return told.dump(1) + "\n";
}

int run_distance(const DistanceOptions& options) {
  if (options.first == "-" && options.second == "-") {
    return complain("both meshes are the standard input: give one of them by name");
  }
  const auto shift = parse_point("--shift", options.shift);
  if (!shift) {
    return complain(shift.error());
  }
  const auto executor = make_executor(options.threads);
  ConsoleProgress progress;
  std::vector<MeshInput> inputs;
  for (const std::string& file : {options.first, options.second}) {
    auto input = load_mesh(file, executor.get(), &progress);
    progress.clear();
    if (!input) {
      return complain(input.error(), file);
    }
    if (!input->note.empty()) {
      complain(input->note);
    }
    inputs.push_back(std::move(*input));
  }
  Qvvs at;
  at.position = *shift;
  Measured measured{&inputs[0], &inputs[1], {}, 0};
  const Stopwatch watch;
  measured.nearest = closest(inputs[0].mesh, {}, inputs[1].mesh, at);
  measured.seconds = watch.seconds();
  print(options.json ? json_distance(measured) : format_distance(measured));
  return kOk;
}

}  // namespace

void add_distance(CLI::App& app, Run& run) {
  auto options = std::make_shared<DistanceOptions>();
  CLI::App* distance = app.add_subcommand("distance", "How far two meshes are apart, as surfaces");
  distance
      ->add_option("MESH_A", options->first,
                   "A mesh: OBJ, glTF (.gltf, .glb) or saved by Juxta (.jxm); - is the standard input")
      ->required();
  distance->add_option("MESH_B", options->second, "Another one, or the same")->required();
  distance->add_option("--shift", options->shift, "Moves MESH_B by this much first")
      ->option_text("X,Y,Z [0,0,0]");
  distance->add_flag("--json", options->json, "The answer as JSON");
  distance
      ->add_option("--threads", options->threads, "Threads that build; 0: as many as this process may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  distance->callback([options, &run] { run = [options] { return run_distance(*options); }; });
}

}  // namespace juxta::tool
