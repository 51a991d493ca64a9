// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>

#include "files/gltf_scene.h"
#include "juxta/core/try.h"

namespace juxta::files_detail {

Result<void> add_skins(GltfDocument& document, GltfScene& scene) {
  for (std::size_t s = 0; s < document.skins.size(); ++s) {
    RawSkin& raw = document.skins[s];
    const std::string where = gltf_label("skin", s, raw.name);
    std::vector<int> sorted = raw.joints;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.empty() || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return fail(ErrorCode::kParse,
                  where + ": " + (sorted.empty() ? "it has no joint" : "it names a joint twice"));
    }
    const int largest = std::max(sorted.back(), raw.skeleton);
    if (!is_one_of(largest, scene.nodes.size())) {
      return fail(ErrorCode::kParse, where + ": " + gltf_not_there("node", largest, scene.nodes.size()));
    }
    GltfSkin skin{std::move(raw.name), std::vector<std::uint32_t>(sorted.size()),
                  static_cast<std::uint32_t>(raw.skeleton)};  // -1 is kGltfNone
    std::transform(raw.joints.begin(), raw.joints.end(), skin.joints.begin(),
                   [](int joint) { return static_cast<std::uint32_t>(joint); });
    if (raw.matrices != kNoIndex) {
      JUXTA_TRY_LET(const auto numbers,
                    read_numbers(document, raw.matrices, {.count = skin.joints.size(), .width = 16},
                                 where + ", inverse bind matrices"));
      skin.to_joint.resize(skin.joints.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        skin.to_joint[i / 16][i % 16] = (numbers)[i];
      }
    }
    scene.skins.push_back(std::move(skin));
  }
  return {};
}

}  // namespace juxta::files_detail
