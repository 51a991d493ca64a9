// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta ray: where a ray first meets a mesh.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "juxta/shape/query.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/mesh_input.h"
#include "tool/points_input.h"

namespace juxta::tool {
namespace {

struct RayOptions {
  std::string file, from, to;
  bool beyond = false, json = false;
  unsigned threads = 0;
};

std::string format_hit(const SurfaceHit& hit) {
  if (!hit) {
    return "nothing is hit\n";
  }
  return fmt::format("triangle  {}\nt         {}\npoint     {}\nnormal    {}\n", hit.part.triangle, hit.t,
                     spaced(hit.point), spaced(hit.normal));
}

std::string json_hit(const SurfaceHit& hit) {
  nlohmann::ordered_json told = {{"hit", hit.hit}};
  if (hit) {
    told["triangle"] = hit.part.triangle;
    told["t"] = short_number(hit.t);
    told["point"] = short_numbers(hit.point);
    told["normal"] = short_numbers(hit.normal);
  }
  return told.dump(1) + "\n";
}

int run_ray(const RayOptions& options) {
  const auto from = parse_point("--from", options.from), to = parse_point("--to", options.to);
  if (!from || !to) {
    return complain(from ? to.error() : from.error());
  }
  Ray3 ray = segment(*from, *to);
  if (*from == *to) {
    return complain("--from and --to are the same point: give a ray two different ones");
  }
  if (!is_finite(ray.direction)) {
    return complain("--from and --to are too far apart for a float: give points nearer to each other");
  }
  if (options.beyond) {
    ray.max = std::numeric_limits<float>::infinity();
  }
  const auto executor = make_executor(options.threads);
  ConsoleProgress progress;
  const auto input = load_mesh(options.file, executor.get(), &progress);
  progress.clear();
  if (!input) {
    return complain(input.error(), options.file);
  }
  if (!input->note.empty()) {
    complain(input->note);
  }
  const SurfaceHit hit = raycast(input->mesh, {}, ray);
  print(options.json ? json_hit(hit) : format_hit(hit));
  return kOk;
}

}  // namespace

void add_ray(CLI::App& app, Run& run) {
  auto options = std::make_shared<RayOptions>();
  CLI::App* ray = app.add_subcommand("ray", "Where a ray first meets a mesh");
  ray->add_option("MESH", options->file,
                  "A mesh: OBJ, glTF (.gltf, .glb) or saved by Juxta (.jxm); - is the standard input")
      ->required();
  const auto point = [&](const char* name, std::string& text, const char* help) {
    ray->add_option(name, text, help)->required()->option_text("X,Y,Z");
  };
  point("--from", options->from, "Where it starts: t = 0");
  point("--to", options->to, "Where it ends: t = 1");
  ray->add_flag("--beyond", options->beyond, "It goes on past --to, without an end");
  ray->add_flag("--json", options->json, "The answer as JSON");
  ray->add_option("--threads", options->threads, "Threads that build; 0: as many as this process may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  ray->callback([options, &run] { run = [options] { return run_ray(*options); }; });
}

}  // namespace juxta::tool
