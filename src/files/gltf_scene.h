// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: from a glTF document to a GltfScene.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "files/gltf_document.h"
#include "juxta/files/gltf_scene.h"

namespace juxta::files_detail {

/// Nodes with their names, meshes and skins, the order of the tree, scenes. Errors: kParse.
[[nodiscard]] Result<void> add_nodes(GltfDocument& document, GltfScene& scene);
/// Behind add_nodes(): where they are, as a hierarchy without shear takes it. Errors: kParse.
[[nodiscard]] Result<void> place_nodes(const GltfDocument& document, GltfScene& scene);
/// Behind add_nodes().
[[nodiscard]] Result<void> add_skins(GltfDocument& document, GltfScene& scene);
/// Behind add_nodes(). Errors: kTooLarge and kCancelled too.
[[nodiscard]] Result<void> add_animations(GltfDocument& document, GltfScene& scene, Monitor* monitor);

/// The last row of a matrix, 0 0 0 1 but for a rounding. Column by column, as glTF writes it.
inline bool has_last_row(const std::vector<double>& m) noexcept {
  constexpr double kRounding = 1e-6;
  return std::abs(m[3]) <= kRounding && std::abs(m[7]) <= kRounding && std::abs(m[11]) <= kRounding &&
         std::abs(m[15] - 1) <= kRounding;
}

/// What numbers are wanted of an accessor.
struct WantedNumbers {
  std::size_t count = 0;            ///< Elements; the accessor has as many or more.
  int width = 1;                    ///< Numbers per element.
  bool normalised = false;          ///< Integers that stand for 0..1 or -1..1 will do, too.
  bool stored = false;              ///< It must lie in a buffer view; else its absence means zeros.
  const char* element = "element";  ///< What an error calls them.
};
/// The first elements of an accessor, sparse ones replaced. `who` begins the sentence of an error.
/// Errors: kParse, kNotFinite.
[[nodiscard]] Result<std::vector<float>> read_numbers(const GltfDocument& document, int accessor,
                                                      const WantedNumbers& wanted, const std::string& who);

/// All elements of an accessor of whole numbers, 8, 16 or 32 bits wide. Errors: kParse.
[[nodiscard]] Result<std::vector<std::uint32_t>> read_indices(const GltfDocument& document, int accessor,
                                                              const std::string& who);

/// A glTF scale as a hierarchy takes it.
struct SplitScale {
  float scale;  ///< Above 0.
  Vec3 stretch;
};
/// Uniform but for a rounding, and above 0: a scale. All 0: 2^-20. Anything else: a stretch.
inline SplitScale split_scale(Vec3 s) noexcept {
  const float near = 1e-5F * std::abs(s.x);
  if (s.x > 0 && std::abs(s.y - s.x) <= near && std::abs(s.z - s.x) <= near) {
    return {s.x, {1, 1, 1}};
  }
  if (s.x == 0 && s.y == 0 && s.z == 0) {
    return {0x1p-20F, {1, 1, 1}};
  }
  return {1, s};
}

}  // namespace juxta::files_detail
