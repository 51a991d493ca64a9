// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "classics/ranked/record.h"
#include "juxta/math/rect.h"

namespace juxta::bench {

/// What a careful programmer would write for any k: the mipmap without its heap. Levels of ranks that double
/// in size, each sorted by x and by y; the shorter slab of a level is read, all hits of the level are
/// gathered, the last level is cut to the k lowest by std::nth_element, each level is sorted. 28 bytes a
/// point. One query at a time.
class LevelSelect {
 public:
  explicit LevelSelect(const classics::RankedColumns& points);

  /// Writes the input indices of the min(k, hits) lowest-ranked points inside `rect`, in ascending rank;
  /// returns how many.
  std::size_t top_ids(const RectF& rect, std::size_t k, std::uint32_t* out);

  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  struct Order {
    std::vector<float> major, minor;
    std::vector<std::uint32_t> position;
  };
  struct Level {
    Order by_x, by_y;
  };
  void gather(const Level& level, const RectF& rect);

  std::vector<Level> levels_;
  std::vector<std::uint32_t> input_;  // rank order -> input index
  std::vector<std::uint32_t> hits_;
};

}  // namespace juxta::bench
