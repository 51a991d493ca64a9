// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta generate mesh: a rock with craters, as OBJ or a saved mesh, for `ray`, `distance` and `render`.
#include "tool/generate_mesh.h"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <string>

#include "juxta/core/try.h"
#include "juxta/shape/parts.h"
#include "scenes/rock.h"
#include "tool/arguments.h"
#include "tool/console.h"
#include "tool/row_writer.h"

namespace juxta::tool {
namespace {

struct GenerateMeshOptions {
  std::size_t triangles = 70'000;
  std::uint64_t seed = 1;
  std::string output = "-";
};

/// Appends a line for each of `items`, by `append(buffer, item)`.
template <class Items, class Append>
Result<void> write_lines(RowWriter& out, const Items& items, const char* what, Monitor& monitor,
                         const Append& append) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    append(std::back_inserter(out.buffer()), items[i]);
    if (i % 4096 == 0 && !monitor.on_progress(what, i, items.size())) {
      return fail(ErrorCode::kCancelled, "cancelled");
    }
    JUXTA_TRY(out.flush());
  }
  return {};
}

Result<void> write_obj(const Mesh& mesh, const std::string& path, Monitor& monitor) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  const auto vertex = [](auto to, const Vec3& v) { fmt::format_to(to, "v {} {} {}\n", v[0], v[1], v[2]); };
  const auto face = [](auto to, const std::array<std::uint32_t, 3>& t) {
    fmt::format_to(to, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  };
  JUXTA_TRY(write_lines(out, mesh.vertices, "write vertices", monitor, vertex));
  JUXTA_TRY(write_lines(out, mesh.triangles, "write triangles", monitor, face));
  return out.close();
}

/// With its tree: what needs it is ready at once.
Result<void> save_mesh(const Mesh& rock, const std::string& path) {
  JUXTA_TRY_LET(const auto mesh, TriangleMesh::build(rock.vertices, rock.triangles));
  const OutputLock lock;
  return mesh.save(path);
}

int run_generate_mesh(const GenerateMeshOptions& options) {
  ConsoleProgress progress;
  const Mesh rock = scenes::make_rock(options.triangles, options.seed);
  const auto written = options.output.ends_with(".jxm") ? save_mesh(rock, options.output)
                                                        : write_obj(rock, options.output, progress);
  progress.clear();
  return written ? kOk : complain(written.error());
}

}  // namespace

void add_generate_mesh(CLI::App& generate, Run& run) {
  auto options = std::make_shared<GenerateMeshOptions>();
  CLI::App* mesh = generate.add_subcommand("mesh", "A rock with craters, about 2 across, closed");
  mesh->add_option("--triangles", options->triangles, "At least as many; the next 8 n^2 is taken")
      ->check(CLI::Range(1, 2'000'000))
      ->capture_default_str();
  add_seed_option(*mesh, options->seed, "Any whole number; the same seed makes the same rock");
  mesh->add_option("-o,--output,--out", options->output,
                   "An OBJ, or a saved mesh if it ends in .jxm; - is the standard output")
      ->capture_default_str();
  mesh->callback([options, &run] { run = [options] { return run_generate_mesh(*options); }; });
}

}  // namespace juxta::tool
