// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/level_select.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>

namespace juxta::bench {
namespace {

constexpr std::size_t kFirstLevel = 2048;

/// The places of an order whose values are in [low, high].
struct Slab {
  Slab(std::span<const float> major, float low, float high)
      : first(static_cast<std::size_t>(std::lower_bound(major.begin(), major.end(), low) - major.begin())),
        last(static_cast<std::size_t>(std::upper_bound(major.begin(), major.end(), high) - major.begin())) {}
  [[nodiscard]] std::size_t size() const { return last > first ? last - first : 0; }
  std::size_t first, last;
};

}  // namespace

LevelSelect::LevelSelect(const classics::RankedColumns& points) : input_(points.x.size()) {
  std::iota(input_.begin(), input_.end(), 0U);
  std::ranges::stable_sort(input_, {}, [&](std::uint32_t i) { return points.rank[i]; });
  const auto fill = [&](Order& order, std::size_t first, std::size_t last, std::span<const float> major,
                        std::span<const float> minor) {
    order.position.resize(last - first);
    std::iota(order.position.begin(), order.position.end(), static_cast<std::uint32_t>(first));
    std::ranges::sort(order.position, {}, [&](std::uint32_t p) { return major[input_[p]]; });
    for (const std::uint32_t p : order.position) {
      order.major.push_back(major[input_[p]]);
      order.minor.push_back(minor[input_[p]]);
    }
  };
  for (std::size_t first = 0, size = kFirstLevel; first < input_.size(); size = first) {
    const std::size_t last = std::min(first + size, input_.size());
    Level& level = levels_.emplace_back();
    fill(level.by_x, first, last, points.x, points.y);
    fill(level.by_y, first, last, points.y, points.x);
    first = last;
  }
}

void LevelSelect::gather(const Level& level, const RectF& rect) {
  const Slab x(level.by_x.major, rect.lx, rect.hx), y(level.by_y.major, rect.ly, rect.hy);
  const bool by_x = x.size() < y.size();
  const Order& order = by_x ? level.by_x : level.by_y;
  const Slab& slab = by_x ? x : y;
  const float low = by_x ? rect.ly : rect.lx, high = by_x ? rect.hy : rect.hx;
  std::size_t n = hits_.size();
  hits_.resize(n + slab.size());
  std::uint32_t* const hits = hits_.data();
  for (std::size_t i = slab.first; i < slab.last; ++i) {
    hits[n] = order.position[i];
    n += static_cast<std::size_t>((order.minor[i] >= low) & (order.minor[i] <= high));
  }
  hits_.resize(n);
}

std::size_t LevelSelect::top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) {
  hits_.clear();
  std::size_t sorted = 0;
  for (std::size_t l = 0; l < levels_.size() && sorted < k; ++l) {
    gather(levels_[l], rect);
    const auto begin = hits_.begin() + static_cast<std::ptrdiff_t>(sorted);
    if (hits_.size() > k) {
      std::nth_element(begin, hits_.begin() + static_cast<std::ptrdiff_t>(k), hits_.end());
      hits_.resize(k);
    }
    std::sort(begin, hits_.end());
    sorted = hits_.size();
  }
  std::ranges::transform(hits_, out, [this](std::uint32_t p) { return input_[p]; });
  return sorted;
}

std::size_t LevelSelect::memory_bytes() const noexcept {
  return input_.size() * (sizeof(std::uint32_t) + 2 * (2 * sizeof(float) + sizeof(std::uint32_t)));
}

}  // namespace juxta::bench
