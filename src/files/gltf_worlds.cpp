// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// In doubles, row by row: a scale that is not uniform, below a turn, shears what hangs there, and a matrix
// can hold that. (GltfScene cannot: it is for hierarchies without shear.)
#include <algorithm>
#include <array>
#include <cmath>

#include "files/gltf_scene.h"
#include "files/gltf_shapes.h"

namespace juxta::files_detail {
namespace {

/// The first three columns, of length `scale` each.
void set_axes(const std::array<double, 4>& q, const std::array<double, 3>& scale,
              std::array<double, 12>& m) noexcept {
  const auto [x, y, z, w] = q;
  const std::array<double, 9> turn = {
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      m[row * 4 + axis] = turn[row * 3 + axis] * scale[axis];
    }
  }
}

/// Below 0: the three columns are a left hand.
double handedness(const std::array<double, 12>& m) noexcept {
  return (m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8])) +
         m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/// Null, or what is wrong with the node's place.
const char* place_locally(const RawNode& raw, GltfWorld& local) {
  if (!raw.matrix.empty()) {
    if (!has_last_row(raw.matrix)) {
      return "the last row of 'matrix' must be 0 0 0 1";
    }
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        local.m[row * 4 + column] = raw.matrix[column * 4 + row];
      }
    }
  } else {
    std::array<double, 4> q{0, 0, 0, 1};
    std::array<double, 3> scale{1, 1, 1};
    std::copy(raw.rotation.begin(), raw.rotation.end(), q.begin());
    std::copy(raw.scale.begin(), raw.scale.end(), scale.begin());
    const double length = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
    if (!(length > 0)) {
      return "'rotation' has length 0: write 0 0 0 1 for none";
    }
    for (double& part : q) {
      part /= length;
    }
    set_axes(q, scale, local.m);
    for (std::size_t row = 0; row < raw.translation.size(); ++row) {
      local.m[row * 4 + 3] = raw.translation[row];
    }
  }
  local.mirrors = handedness(local.m) < 0;
  return nullptr;
}

GltfWorld below(const GltfWorld& parent, const GltfWorld& local) noexcept {
  GltfWorld world;
  for (std::size_t row = 0; row < 3; ++row) {
    const double* p = &parent.m[row * 4];
    for (std::size_t column = 0; column < 4; ++column) {
      const auto& m = local.m;
      world.m[row * 4 + column] = (p[0] * m[column] + p[1] * m[4 + column]) + p[2] * m[8 + column];
    }
    world.m[row * 4 + 3] += p[3];
  }
  world.mirrors = parent.mirrors != local.mirrors;  // each by its own sign: a product may round to 0
  return world;
}

}  // namespace

Result<std::vector<GltfWorld>> find_worlds(const GltfDocument& document, const GltfScene& scene) {
  std::vector<GltfWorld> worlds(scene.nodes.size());
  for (const std::uint32_t node : scene.order) {
    if (const char* why = place_locally(document.nodes[node], worlds[node])) {
      return fail(ErrorCode::kParse, gltf_label("node", node, scene.nodes[node].name) + ": " + why, node);
    }
    if (const std::uint32_t parent = scene.nodes[node].parent; parent != kGltfNone) {
      worlds[node] = below(worlds[parent], worlds[node]);
    }
  }
  return worlds;
}

}  // namespace juxta::files_detail
