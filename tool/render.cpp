// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta render: a picture of a mesh, by a ray per pixel.
#include "tool/render.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "juxta/core/try.h"
#include "tool/answers.h"
#include "tool/commands.h"
#include "tool/console.h"
#include "tool/mesh_input.h"
#include "tool/points_input.h"
#include "tool/same_file.h"

namespace juxta::tool {
namespace {

struct RenderOptions {
  std::string file, out, size = "512x512", eye, at;
  Shade shade = Shade::kLight;
  bool json = false;
  unsigned threads = 0;
};

Result<Camera> choose_camera(const RenderOptions& options, const Aabb3& bounds, PixelSize size) {
  Viewpoint view = viewpoint_of(bounds, size.width, size.height);
  for (const auto& [name, text, point] :
       {std::tuple{"--eye", &options.eye, &view.eye}, std::tuple{"--at", &options.at, &view.at}}) {
    if (!text->empty()) {
      JUXTA_TRY_LET(const auto given, parse_point(name, *text));
      *point = given;
    }
  }
  return make_camera(view.eye, view.at, size.width, size.height);
}

/// Casts the rays of all pixels, strip by strip. `seconds` counts the casting alone.
Result<void> cast_rays(const TriangleMesh& mesh, const Camera& camera, const Executor* executor,
                       Monitor& monitor, DepthImage& image, double& seconds) {
  constexpr std::uint32_t kRows = 64;
  constexpr std::size_t kGrain = 2048;  // rays a task: whole squares
  image = {camera.width, camera.height, {}, {}};
  image.depth.assign(std::size_t{camera.width} * camera.height, std::numeric_limits<float>::infinity());
  image.normal.resize(image.depth.size());
  std::vector<Ray3> rays;
  std::vector<SurfaceHit> hits;
  for (std::uint32_t first = 0; first < camera.height; first += kRows) {
    if (!monitor.on_progress("cast rays", first, camera.height)) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    const auto pixels = pixels_of_rows(camera.width, first, std::min(first + kRows, camera.height));
    rays.clear();
    for (const Pixel& p : pixels) {
      rays.push_back(camera.ray(p.x, p.y));
    }
    hits.resize(rays.size());
    const Stopwatch watch;
    executor_or_serial(executor).parallel_for(rays.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      // As many rays as hits: it refuses nothing.
      (void)raycast(mesh, {}, std::span<const Ray3>(rays).subspan(begin, end - begin),
                    std::span(hits).subspan(begin, end - begin));
    });
    seconds += watch.seconds();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::size_t at = std::size_t{pixels[i].y} * camera.width + pixels[i].x;
      image.depth[at] = hits[i].hit ? hits[i].t : image.depth[at];
      image.normal[at] = hits[i].normal;
    }
  }
  return {};
}

/// How a picture went, and what it cost.
struct Told {
  const MeshInput& input;
  const Camera& camera;
  std::size_t rays, hits;
  double seconds;
  unsigned threads;
};

std::string format_told(const Told& told) {
  const double rays = static_cast<double>(told.rays);
  return fmt::format(
      "mesh      {} triangles{}\ntree      {}, {:.1f} MB\neye       {}\nrays      {}, {} hit\n"
      "time      {} on {} thread{}: {:.1f} million rays per second\n",
      grouped(told.input.mesh.triangle_count()), told.input.mesh.closed() ? ", closed" : "",
      spoken_time(told.input.build_seconds), static_cast<double>(told.input.mesh.memory_bytes()) / 1e6,
      spaced(told.camera.eye), grouped(told.rays), grouped(told.hits), spoken_time(told.seconds),
      told.threads, told.threads == 1 ? "" : "s", rays / told.seconds / 1e6);
}

std::string json_told(const Told& told) {
  const nlohmann::ordered_json json = {{"triangles", told.input.mesh.triangle_count()},
                                       {"closed", told.input.mesh.closed()},
                                       {"width", told.camera.width},
                                       {"height", told.camera.height},
                                       {"eye", short_numbers(told.camera.eye)},
                                       {"rays", told.rays},
                                       {"hits", told.hits},
                                       {"build_seconds", told.input.build_seconds},
                                       {"seconds", told.seconds},
                                       {"rays_per_second", static_cast<double>(told.rays) / told.seconds},
                                       {"threads", told.threads}};
  return json.dump(1) + "\n";
}

Result<void> render(const RenderOptions& options, PixelSize size, const MeshInput& input,
                    const Executor* executor, ConsoleProgress& progress) {
  JUXTA_TRY_LET(const auto camera, choose_camera(options, input.mesh.bounds(), size));
  DepthImage image;
  double seconds = 0;
  JUXTA_TRY(cast_rays(input.mesh, camera, executor, progress, image, seconds));
  const Raster picture = paint(image, camera, options.shade);
  {
    const OutputLock lock;
    JUXTA_TRY(write_png(options.out, picture));
  }
  progress.clear();
  const unsigned threads = thread_count(executor, options.threads);
  const Told told{input, camera, image.depth.size(), image.hits(), seconds, threads};
  print(options.json ? json_told(told) : format_told(told));
  return {};
}

int run_render(const RenderOptions& options) {
  const auto size = parse_size(options.size);
  if (!size) {
    return complain(size.error());
  }
  const NamedFile outputs[] = {{options.out, "OUT"}};
  if (const auto checked = check_outputs(mesh_files(options.file), outputs); !checked) {
    return complain(checked.error());
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
  const auto rendered = render(options, *size, *input, executor.get(), progress);
  progress.clear();
  return rendered ? kOk : complain(rendered.error());
}

}  // namespace

void add_render(CLI::App& app, Run& run) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* render = app.add_subcommand("render", "A picture of a mesh, by a ray per pixel");
  render
      ->add_option("MESH", options->file,
                   "A mesh: OBJ, glTF (.gltf, .glb) or saved by Juxta (.jxm); - is the standard input")
      ->required();
  render->add_option("OUT", options->out, "The picture: a PNG file")->required();
  render->add_option("--size", options->size, "Pixels")->option_text("WIDTHxHEIGHT [512x512]");
  const auto point = [&](const char* name, std::string& text, const char* help) {
    render->add_option(name, text, help)->option_text("X,Y,Z");
  };
  point("--eye", options->eye, "Where the camera stands [so that all of the mesh is seen]");
  point("--at", options->at, "Where it looks to [the middle of the mesh]");
  const std::map<std::string, Shade> shades{
      {"light", Shade::kLight}, {"normal", Shade::kNormal}, {"depth", Shade::kDepth}};
  render
      ->add_option("--shade", options->shade,
                   "light (from the eye), normal, or depth (near is bright) [light]")
      ->transform(CLI::CheckedTransformer(shades).description(""))
      ->option_text("NAME");
  render->add_flag("--json", options->json, "The report as JSON");
  render
      ->add_option("--threads", options->threads,
                   "Threads; 0: as many as this process may use. Never changes the picture")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  render->callback([options, &run] { run = [options] { return run_render(*options); }; });
}

}  // namespace juxta::tool
