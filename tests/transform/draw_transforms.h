// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "juxta/math/qvvs.h"
#include "scenes/draws.h"

namespace juxta::test {

/// A rotation of any kind; lengths below 1/4 are drawn again.
inline Quat draw_rotation(scenes::Draws& draws) {
  for (;;) {
    const float x = draws.uniform(-1, 1), y = draws.uniform(-1, 1), z = draws.uniform(-1, 1),
                w = draws.uniform(-1, 1);
    if (length_squared({x, y, z, w}) > 0.0625F) {
      return normalized({x, y, z, w});
    }
  }
}

inline Vec3 draw_vector(scenes::Draws& draws, float reach) {
  const float x = draws.uniform(-reach, reach), y = draws.uniform(-reach, reach),
              z = draws.uniform(-reach, reach);
  return {x, y, z};
}

/// Where a node may stand: near or far, small or large, stretched, mirrored.
inline Qvvs draw_transform(scenes::Draws& draws) {
  const Quat rotation = draw_rotation(draws);
  const float reach = draws.below(4) == 0 ? 1e5F : 10.0F;
  const Vec3 position = draw_vector(draws, reach);
  const Vec3 stretch = draws.below(3) == 0 ? Vec3{1, 1, 1} : draw_vector(draws, 3);
  const auto context = static_cast<std::int32_t>(draws.below(1000));
  return {rotation, position, context, stretch, draws.uniform(0.01F, 4)};
}

inline std::vector<Qvvs> draw_transforms(std::size_t count, std::uint64_t seed) {
  scenes::Draws draws(seed);
  std::vector<Qvvs> all;
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(draw_transform(draws));
  }
  return all;
}

}  // namespace juxta::test
