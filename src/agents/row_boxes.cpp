// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/row_boxes.h"

#include <algorithm>
#include <limits>

#include "agents/arrange.h"
#include "agents/directory.h"
#include "agents/near_boxes_kernel.h"

namespace juxta::agents_detail {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The least of sixteen side by side, four at a time: the compiler makes vectors of it.
template <class Better>
float best_of_sixteen(const float* x, Better better) noexcept {
  std::array<float, 4> best{x[0], x[1], x[2], x[3]};
  for (std::size_t i = 4; i < RowBoxes::kRows; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) {
      best[k] = better(x[i + k], best[k]) ? x[i + k] : best[k];
    }
  }
  const auto pick = [&](float a, float b) { return better(a, b) ? a : b; };
  return pick(pick(best[0], best[1]), pick(best[2], best[3]));
}
float least_of_sixteen(const float* x) noexcept {
  return best_of_sixteen(x, [](float a, float b) { return a < b; });
}
float most_of_sixteen(const float* x) noexcept {
  return best_of_sixteen(x, [](float a, float b) { return a > b; });
}

}  // namespace

RowBoxes::Level::Level(std::pmr::memory_resource* resource) noexcept
    : lo{Array<float>(resource), Array<float>(resource), Array<float>(resource)},
      hi{Array<float>(resource), Array<float>(resource), Array<float>(resource)} {}

/// Whole sixteens; those behind the last box are never near.
void RowBoxes::Level::resize(std::size_t count, std::uint32_t dimensions) {
  const std::size_t padded = (count + kRows - 1) / kRows * kRows;
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    lo[a].resize_discard(padded);
    hi[a].resize_discard(padded);
    std::fill(lo[a].begin() + count, lo[a].end(), kInfinity);
    std::fill(hi[a].begin() + count, hi[a].end(), -kInfinity);
  }
}

void RowBoxes::clear() noexcept {
  for (Level& level : levels_) {
    for (std::size_t a = 0; a < 3; ++a) {
      level.lo[a].resize_discard(0);
      level.hi[a].resize_discard(0);
    }
  }
}

void RowBoxes::fill(const Places& places, std::uint32_t dimensions, const Executor& executor) {
  dimensions_ = dimensions;
  const std::size_t boxes = (places.count + kRows - 1) / kRows, wide = (boxes + kRows - 1) / kRows;
  levels_[0].resize(boxes, dimensions);
  levels_[1].resize(wide, dimensions);
  executor.parallel_for(wide, 64, [&](std::size_t first, std::size_t last) {
    for (std::uint32_t a = 0; a < dimensions; ++a) {
      const float* const x = places.position[a];
      float *const lo = levels_[0].lo[a].data(), *const hi = levels_[0].hi[a].data();
      for (std::size_t box = first * kRows; box < std::min(last * kRows, boxes); ++box) {
        const float* const at = x + box * kRows;
        if ((box + 1) * kRows <= places.count) {
          lo[box] = least_of_sixteen(at);
          hi[box] = most_of_sixteen(at);
        } else {
          lo[box] = *std::min_element(at, x + places.count);
          hi[box] = *std::max_element(at, x + places.count);
        }
      }
      for (std::size_t i = first; i < last; ++i) {
        levels_[1].lo[a][i] = least_of_sixteen(lo + i * kRows);
        levels_[1].hi[a][i] = most_of_sixteen(hi + i * kRows);
      }
    }
  });
}

std::uint32_t RowBoxes::near_of(std::size_t level, std::uint32_t first, const Look& look) const noexcept {
  NearBoxesTask task;
  task.dimensions = dimensions_;
  task.round = look.reach.round;
  task.wraps = false;
  for (std::uint32_t a = 0; a < dimensions_; ++a) {
    task.lo[a] = levels_[level].lo[a].data() + first;
    task.hi[a] = levels_[level].hi[a].data() + first;
    task.from[a] = look.box.lo[a];
    task.to[a] = look.box.hi[a];
    task.reach[a] = look.reach.on[a];
    task.period[a] = look.period[a];
    task.wraps = task.wraps || look.period[a] != 0;
  }
  return near_boxes(task);
}

std::size_t RowBoxes::memory_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const Level& level : levels_) {
    for (std::size_t a = 0; a < 3; ++a) {
      bytes += level.lo[a].memory_bytes() + level.hi[a].memory_bytes();
    }
  }
  return bytes;
}

}  // namespace juxta::agents_detail
