// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "files/gltf_scene.h"

namespace juxta::files_detail {
namespace {

/// An exporter's matrices are rounded; below this two axes count as square to each other.
constexpr double kSquare = 1e-3;

struct Axis {
  double x, y, z;
};
Axis operator*(Axis a, double k) noexcept {
  return {a.x * k, a.y * k, a.z * k};
}
double dot(Axis a, Axis b) noexcept {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
Axis cross(Axis a, Axis b) noexcept {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
double length(Axis a) noexcept {
  return std::sqrt(dot(a, a));
}

/// A rotation of length 1, rounded once. False for length 0.
bool to_rotation(const std::array<double, 4>& q, Quat& out, double& length_was) noexcept {
  length_was = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  if (!(length_was > 0)) {
    return false;
  }
  const auto part = [&](std::size_t i) { return static_cast<float>(q[i] / length_was); };
  out = {part(0), part(1), part(2), part(3)};
  return true;
}

/// The rotation with these axes. The largest of the four components comes first, so that nothing is divided
/// by a small number. Source: S. W. Shepperd, Quaternion from Rotation Matrix, 1978.
std::array<double, 4> from_axes(Axis x, Axis y, Axis z) noexcept {
  const double trace = (x.x + y.y) + z.z;
  if (trace > 0) {
    return {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
  }
  if (x.x >= y.y && x.x >= z.z) {
    return {((1 + x.x) - y.y) - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
  }
  if (y.y >= z.z) {
    return {x.y + y.x, ((1 - x.x) + y.y) - z.z, y.z + z.y, z.x - x.z};
  }
  return {z.x + x.z, y.z + z.y, ((1 - x.x) - y.y) + z.z, x.y - y.x};
}

/// The parts of a node's place, as far as double has them.
struct Parts {
  std::array<double, 3> position{0, 0, 0}, scale{1, 1, 1};
  std::array<double, 4> rotation{0, 0, 0, 1};
};

/// Takes a matrix apart, column by column as glTF writes it. Null, or what is wrong with it.
const char* take_apart(const std::vector<double>& m, Parts& parts) {
  if (!has_last_row(m)) {
    return "the last row of 'matrix' must be 0 0 0 1";
  }
  const std::array<Axis, 3> columns = {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}};
  std::array<Axis, 3> unit = columns;
  const bool mirrors = dot(cross(columns[0], columns[1]), columns[2]) < 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double size = length(columns[axis]);
    if (!(size > 0)) {
      return "'matrix' has a scale of 0";
    }
    parts.scale[axis] = mirrors ? -size : size;
    unit[axis] = columns[axis] * (1 / parts.scale[axis]);
  }
  const auto sheared = [&](std::size_t a, std::size_t b) {
    return std::abs(dot(unit[a], unit[b])) > kSquare;
  };
  if (sheared(0, 1) || sheared(0, 2) || sheared(1, 2)) {
    return "'matrix' has shear, which a hierarchy without shear cannot hold: export translation, rotation "
           "and scale";
  }
  const double along = dot(unit[0], unit[1]);
  const Axis side = {unit[1].x - unit[0].x * along, unit[1].y - unit[0].y * along,
                     unit[1].z - unit[0].z * along};
  const Axis y = side * (1 / length(side));
  parts.rotation = from_axes(unit[0], y, cross(unit[0], y));
  parts.position = {m[12], m[13], m[14]};
  return nullptr;
}

/// Null, or what is wrong with the node's place.
const char* place_node(const RawNode& raw, GltfNode& node, bool& normalised) {
  Parts parts;
  if (!raw.matrix.empty()) {
    if (const char* why = take_apart(raw.matrix, parts)) {
      return why;
    }
  } else {
    std::copy_n(raw.translation.begin(), raw.translation.size(), parts.position.begin());
    std::copy_n(raw.rotation.begin(), raw.rotation.size(), parts.rotation.begin());
    std::copy_n(raw.scale.begin(), raw.scale.size(), parts.scale.begin());
  }
  double length_was = 1;
  if (!to_rotation(parts.rotation, node.local.rotation, length_was)) {
    return "'rotation' has length 0: write 0 0 0 1 for none";
  }
  normalised = raw.matrix.empty() && std::abs(length_was - 1) > 1e-3;
  const auto vec3 = [](const std::array<double, 3>& v) {
    return Vec3{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
  };
  node.local.position = vec3(parts.position);
  const Vec3 scale = vec3(parts.scale);
  if (scale.x == 0 || scale.y == 0 || scale.z == 0) {
    return "'scale' is 0 on an axis: a hierarchy needs scales other than 0";
  }
  const bool finite = std::isfinite(scale.x) && std::isfinite(scale.y) && std::isfinite(scale.z);
  if (!finite) {
    return "'matrix' has a scale that is not finite as a float";
  }
  const SplitScale split = split_scale(scale);
  node.local.scale = split.scale;
  node.stretch = split.stretch;
  return nullptr;
}

tl::unexpected<Error> wrong(const GltfScene& scene, std::size_t node, const std::string& what) {
  return fail(ErrorCode::kParse, gltf_label("node", node, scene.nodes[node].name) + ": " + what, node);
}

Result<void> link_children(const GltfDocument& document, GltfScene& scene) {
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    for (const int child : document.nodes[i].children) {
      if (!is_one_of(child, scene.nodes.size())) {
        return wrong(scene, i, gltf_not_there("child", child, scene.nodes.size()) + " nodes");
      }
      const auto c = static_cast<std::size_t>(child);
      std::uint32_t& parent = scene.nodes[c].parent;
      if (parent != kGltfNone) {
        return wrong(scene, c,
                     parent == i
                         ? "it is a child of " + gltf_label("node", i, scene.nodes[i].name) + " twice"
                         : "it has two parents, " + gltf_label("node", parent, scene.nodes[parent].name) +
                               " and " + gltf_label("node", i, scene.nodes[i].name));
      }
      parent = static_cast<std::uint32_t>(i);
      scene.nodes[i].children.push_back(static_cast<std::uint32_t>(child));
    }
  }
  return {};
}

/// Level by level. Whoever is not reached hangs below a cycle: every node has one parent at most.
Result<void> order_nodes(GltfScene& scene) {
  const std::size_t count = scene.nodes.size();
  scene.order.reserve(count);
  std::vector<bool> reached(count);
  const auto reach = [&](std::uint32_t node) {
    reached[node] = true;
    scene.order.push_back(node);
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    if (scene.nodes[i].parent == kGltfNone) {
      reach(i);
    }
  }
  for (std::size_t next = 0; next < scene.order.size(); ++next) {
    for (const std::uint32_t child : scene.nodes[scene.order[next]].children) {
      reach(child);
    }
  }
  if (scene.order.size() == count) {
    return {};
  }
  auto lost = static_cast<std::uint32_t>(std::find(reached.begin(), reached.end(), false) - reached.begin());
  for (std::size_t step = 0; step < count; ++step) {
    lost = scene.nodes[lost].parent;  // as many steps as nodes end inside of the cycle
  }
  std::uint32_t least = lost;
  for (std::uint32_t i = scene.nodes[lost].parent; i != lost; i = scene.nodes[i].parent) {
    least = std::min(least, i);
  }
  const std::uint32_t parent = scene.nodes[least].parent;
  return wrong(
      scene, least,
      "a cycle: it is its own ancestor" +
          (parent == least ? "" : ", through " + gltf_label("node", parent, scene.nodes[parent].name)));
}

/// Which nodes are below which: those of node i are numbered from first[i] + 1 up to last[i], parents first.
struct Intervals {
  explicit Intervals(const GltfScene& scene) : first(scene.nodes.size(), 0), last(scene.nodes.size(), 0) {
    std::vector<std::size_t> size(scene.nodes.size(), 1);
    for (std::size_t i = scene.order.size(); i-- > 0;) {
      if (const std::uint32_t parent = scene.nodes[scene.order[i]].parent; parent != kGltfNone) {
        size[parent] += size[scene.order[i]];
      }
    }
    std::size_t next = 0;  // of the roots
    for (const std::uint32_t node : scene.order) {
      if (scene.nodes[node].parent == kGltfNone) {
        first[node] = std::exchange(next, next + size[node]);
      }
      last[node] = first[node] + size[node] - 1;
      std::size_t below = first[node] + 1;
      for (const std::uint32_t child : scene.nodes[node].children) {
        first[child] = std::exchange(below, below + size[child]);
      }
    }
  }
  std::vector<std::size_t> first, last;
};

/// Many exporters list every node, and not the roots alone. A node below another one of the list is shown
/// with that one; any other keeps its place below its parent, which is not shown.
void drop_shown(const GltfScene& scene, const Intervals& intervals, std::vector<std::uint32_t>& roots) {
  std::vector<std::uint32_t> ascending = roots;
  std::sort(ascending.begin(), ascending.end(),
            [&](std::uint32_t a, std::uint32_t b) { return intervals.first[a] < intervals.first[b]; });
  std::vector<std::uint32_t> shown;
  std::size_t end = 0;  // of what the last of the roots shows, and one more
  for (const std::uint32_t node : ascending) {
    if (intervals.first[node] < end) {
      shown.push_back(node);
    } else {
      end = intervals.last[node] + 1;
    }
  }
  std::sort(shown.begin(), shown.end());
  std::erase_if(roots, [&](std::uint32_t node) {
    return scene.nodes[node].parent != kGltfNone && std::binary_search(shown.begin(), shown.end(), node);
  });
}

Result<void> add_scenes(GltfDocument& document, GltfScene& scene) {
  std::optional<Intervals> intervals;
  for (std::size_t s = 0; s < document.scenes.size(); ++s) {
    RawScene& raw = document.scenes[s];
    const std::string where = gltf_label("scene", s, raw.name) + ": ";
    std::vector<int> sorted = raw.nodes;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return fail(ErrorCode::kParse, where + "it names a node twice");
    }
    GltfRoots roots{std::move(raw.name), {}};
    bool all_roots = true;
    for (const int node : raw.nodes) {
      if (!is_one_of(node, scene.nodes.size())) {
        return fail(ErrorCode::kParse, where + gltf_not_there("node", node, scene.nodes.size()));
      }
      const auto place = static_cast<std::uint32_t>(node);
      if (scene.nodes[place].parent != kGltfNone) {
        scene.notes.push_back(
            {GltfNoteKind::kRootHasParent, place, kGltfNone, static_cast<std::uint32_t>(s)});
        if (!intervals) {
          intervals.emplace(scene);
        }
        all_roots = false;
      }
      roots.nodes.push_back(place);
    }
    if (!all_roots) {
      drop_shown(scene, *intervals, roots.nodes);
    }
    scene.scenes.push_back(std::move(roots));
  }
  if (document.default_scene != kNoIndex) {
    if (!is_one_of(document.default_scene, scene.scenes.size())) {
      return fail(ErrorCode::kParse,
                  "'scene': " + gltf_not_there("scene", document.default_scene, scene.scenes.size()));
    }
    scene.default_scene = static_cast<std::uint32_t>(document.default_scene);
  }
  return {};
}

}  // namespace

Result<void> place_nodes(const GltfDocument& document, GltfScene& scene) {
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    const RawNode& raw = document.nodes[i];
    GltfNode& node = scene.nodes[i];
    bool normalised = false;
    if (const char* why = place_node(raw, node, normalised)) {
      return wrong(scene, i, why);
    }
    if (normalised) {
      scene.notes.push_back({GltfNoteKind::kRotationNormalised, static_cast<std::uint32_t>(i)});
    }
    if (node.stretch != Vec3{1, 1, 1} && !raw.children.empty()) {
      scene.notes.push_back({GltfNoteKind::kStretchHasChildren, static_cast<std::uint32_t>(i)});
    }
  }
  return {};
}

Result<void> add_nodes(GltfDocument& document, GltfScene& scene) {
  scene.nodes.resize(document.nodes.size());
  for (std::size_t i = 0; i < document.nodes.size(); ++i) {
    RawNode& raw = document.nodes[i];
    GltfNode& node = scene.nodes[i];
    node.name = std::move(raw.name);
    const auto refer = [&](const char* kind, int index, std::size_t count,
                           std::uint32_t& out) -> Result<void> {
      if (index != kNoIndex && !is_one_of(index, count)) {
        return wrong(scene, i, gltf_not_there(kind, index, count));
      }
      out = static_cast<std::uint32_t>(index);  // -1 is kGltfNone
      return {};
    };
    auto referred = refer("mesh", raw.mesh, document.meshes, node.mesh).and_then([&] {
      return refer("skin", raw.skin, document.skins.size(), node.skin);
    });
    if (!referred) {
      return referred;
    }
  }
  return link_children(document, scene).and_then([&] { return order_nodes(scene); }).and_then([&] {
    return add_scenes(document, scene);
  });
}

}  // namespace juxta::files_detail
