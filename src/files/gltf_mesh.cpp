// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/path.h"
#include "files/csv_scanner.h"
#include "files/gltf_scene.h"
#include "files/gltf_shapes.h"
#include "juxta/core/monitor.h"
#include "juxta/core/try.h"
#include "juxta/files/read_gltf_mesh.h"
#include "juxta/files/read_points.h"

namespace juxta {
namespace {

using files_detail::GltfDocument;
using files_detail::GltfWorld;
using files_detail::RawMesh;

constexpr std::size_t kProgressVertices = std::size_t{1} << 20;

/// A mesh at a node, or as it is.
struct Shown {
  std::size_t mesh;
  std::uint32_t node;  ///< kGltfNone: the file has no nodes.
};

/// What the default scene shows: every node before its children, children in the order of the file.
std::vector<Shown> find_shown(const GltfScene& scene, std::size_t meshes) {
  std::vector<Shown> shown;
  if (scene.nodes.empty()) {
    for (std::size_t i = 0; i < meshes; ++i) {
      shown.push_back({i, kGltfNone});
    }
    return shown;
  }
  std::vector<std::uint32_t> waiting;  // the next one last
  if (!scene.scenes.empty()) {
    waiting = scene.scenes[scene.default_scene == kGltfNone ? 0 : scene.default_scene].nodes;
  } else {
    std::copy_if(scene.order.begin(), scene.order.end(), std::back_inserter(waiting),
                 [&](std::uint32_t node) { return scene.nodes[node].parent == kGltfNone; });
  }
  std::reverse(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const std::uint32_t i = waiting.back();
    const GltfNode& node = scene.nodes[i];
    waiting.pop_back();
    waiting.insert(waiting.end(), node.children.rbegin(), node.children.rend());
    if (node.mesh != kGltfNone) {
      shown.push_back({node.mesh, i});
    }
  }
  return shown;
}

/// Puts shapes into one mesh, each wherever it is shown.
class Builder {
 public:
  Builder(const GltfDocument& document, const GltfScene& scene, const std::vector<RawMesh>& raw,
          const std::vector<GltfWorld>& worlds, Monitor* monitor)
      : document_(document),
        scene_(scene),
        raw_(raw),
        worlds_(worlds),
        monitor_(monitor),
        shapes_(raw.size()) {}

  GltfMesh file;

  /// Counts all there is to come, and takes the memory for it.
  Result<void> measure(const std::vector<Shown>& shown) {
    std::uint64_t vertices = 0, triangles = 0;
    for (const Shown& one : shown) {
      Shape& shape = shapes_[one.mesh];
      if (shape.uses++ == 0) {
        JUXTA_TRY_LET(const auto size, files_detail::measure_shape(document_, raw_[one.mesh], one.mesh));
        shape.size = size;
        if (file.skipped == 0 && size.skipped != 0) {
          file.first_skipped = files_detail::primitive_label(raw_[one.mesh], one.mesh, size.first_skipped);
        }
        file.skipped += size.skipped;
      }
      vertices += shape.size.vertices;
      triangles += shape.size.triangles;
      if (std::max(vertices, triangles) > files_detail::kMostOfShapes) {
        return fail(ErrorCode::kTooLarge,
                    "the meshes have more than 268435456 vertices or triangles: split the file");
      }
    }
    file.mesh.vertices.reserve(static_cast<std::size_t>(vertices));
    file.mesh.triangles.reserve(static_cast<std::size_t>(triangles));
    return {};
  }

  Result<void> add(const Shown& one) {
    Shape& shape = shapes_[one.mesh];
    if (!shape.mesh) {
      JUXTA_TRY_LET(auto read, files_detail::read_shape(document_, raw_[one.mesh], one.mesh));
      shape.mesh = std::move(read);
    }
    auto done = place(*shape.mesh, one);
    if (--shape.uses == 0) {
      shape.mesh.reset();
    }
    return done;
  }

 private:
  struct Shape {
    files_detail::ShapeSize size;
    std::size_t uses = 0;      ///< That are to come.
    std::optional<Mesh> mesh;  ///< From its first use to its last.
  };

  Result<void> place(const Mesh& from, const Shown& at) {
    // The place of a node with a skin does not count (glTF 2.0, 3.7.3.3): joints would place the vertices.
    const bool stays = at.node == kGltfNone || scene_.nodes[at.node].skin != kGltfNone;
    const GltfWorld world = stays ? GltfWorld{} : worlds_[at.node];
    const auto first = static_cast<std::uint32_t>(file.mesh.vertices.size());
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      if (i % kProgressVertices == kProgressVertices - 1 &&
          !report(monitor_, "place vertices", i, from.vertices.size())) {
        return files_detail::gltf_cancelled();
      }
      Vec3 moved{};
      if (!move(world, from.vertices[i], moved)) {
        return fail(ErrorCode::kNotFinite,
                    files_detail::gltf_label("node", at.node, scene_.nodes[at.node].name) +
                        ": it puts vertex " + std::to_string(i) + " of " +
                        files_detail::gltf_label("mesh", at.mesh, raw_[at.mesh].name) +
                        " where no finite float is: make its place or scale smaller",
                    at.node);
      }
      file.mesh.vertices.push_back(moved);
    }
    for (auto [a, b, c] : from.triangles) {
      if (world.mirrors) {
        std::swap(b, c);
      }
      file.mesh.triangles.push_back({first + a, first + b, first + c});
    }
    return {};
  }

  /// False when a coordinate is no finite float.
  static bool move(const GltfWorld& world, const Vec3& from, Vec3& to) {
    const std::array<double, 3> p = {from[0], from[1], from[2]};
    for (std::size_t row = 0; row < 3; ++row) {
      const double* m = &world.m[row * 4];
      const double x = ((m[0] * p[0] + m[1] * p[1]) + m[2] * p[2]) + m[3];
      if (!(std::abs(x) <= double{std::numeric_limits<float>::max()})) {
        return false;
      }
      to[row] = static_cast<float>(x);
    }
    return true;
  }

  const GltfDocument& document_;
  const GltfScene& scene_;
  const std::vector<RawMesh>& raw_;
  const std::vector<GltfWorld>& worlds_;
  Monitor* monitor_;
  std::vector<Shape> shapes_;
};

Result<GltfMesh> build(GltfDocument& document, Monitor* monitor) {
  GltfScene scene;
  JUXTA_TRY(files_detail::add_nodes(document, scene));
  JUXTA_TRY_LET(const auto worlds, files_detail::find_worlds(document, scene));
  const std::vector<Shown> shown = find_shown(scene, document.shapes.size());
  Builder builder(document, scene, document.shapes, worlds, monitor);
  JUXTA_TRY(builder.measure(shown));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!report(monitor, "read meshes", i, shown.size())) {
      return files_detail::gltf_cancelled();
    }
    JUXTA_TRY(builder.add(shown[i]));
  }
  return std::move(builder.file);
}

}  // namespace

Result<GltfMesh> parse_gltf_mesh(std::string_view bytes, std::string_view folder, const Context& context) {
  JUXTA_TRY_LET(auto document, files_detail::read_document(bytes, files_detail::GltfPart::kMeshes,
                                                           path_of(folder), context.monitor));
  return build(document, context.monitor);
}

Result<GltfMesh> read_gltf_mesh(std::string_view path, const Context& context) {
  JUXTA_TRY_LET(const std::string bytes, read_bytes(path, ~std::size_t{0}, context));
  return parse_gltf_mesh(bytes, utf8_of(path_of(path).parent_path()), context);
}

bool looks_like_gltf(std::string_view bytes) {
  const std::string_view text = files_detail::skip_bom(bytes);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return bytes.starts_with("glTF") || (first != std::string_view::npos && text[first] == '{');
}

}  // namespace juxta
