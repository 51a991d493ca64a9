// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "juxta/core/random.h"

namespace juxta::scenes {

/// Column number `purpose` of U[low, high): the i-th number depends on seed, purpose and i alone.
[[nodiscard]] inline std::vector<float> keyed_uniform(std::size_t count, std::uint64_t seed,
                                                      std::uint32_t purpose, float low, float high) {
  std::vector<float> values(count);
  fill_random({seed, 0, purpose}, 0, std::span<float>(values));
  for (float& value : values) {
    value = low + value * (high - low);
  }
  return values;
}

/// Makes each vector (its parts stand at one place of the columns) as long as `length(i)` says; the null
/// vector then points along the first axis.
template <class Columns, class Length>
void set_lengths(Columns& columns, std::uint32_t dimensions, const Length& length) {
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    float squared = 0;
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      squared += columns[axis][i] * columns[axis][i];
    }
    if (!(squared > 0)) {
      columns[0][i] = squared = 1;
    }
    const float scale = length(i) / std::sqrt(squared);
    for (std::uint32_t axis = 0; axis < dimensions; ++axis) {
      columns[axis][i] *= scale;
    }
  }
}

}  // namespace juxta::scenes
