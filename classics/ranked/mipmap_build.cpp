// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "classics/ranked/mipmap.h"
#include "classics/ranked/rank_order.h"

namespace juxta::classics {
namespace {

constexpr std::size_t kBest = 2048;
constexpr std::size_t kFirstLevel = 3050, kLevelRatio = 3;

// Keys of the positions [first, last) that sort as their values do, with -0 beside 0, and equal ones in rank
// order.
std::vector<std::uint64_t> sorted_by(const std::vector<float>& values, std::size_t first, std::size_t last) {
  std::vector<std::uint64_t> keys(last - first);
  for (std::size_t i = first; i < last; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i] + 0.0F);
    const std::uint32_t ordered = (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
    keys[i - first] = std::uint64_t{ordered} << 32 | i;
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

}  // namespace

Mipmap::Mipmap(const RankedColumns& points) : size_(points.x.size()) {
  const std::vector<std::uint32_t> order = rank_order(points.rank);
  std::vector<float> x(size_), y(size_);
  records_.resize_discard(size_);
  input_.resize_discard(size_);
  for (std::size_t i = 0; i < size_; ++i) {
    const std::uint32_t from = order[i];
    x[i] = points.x[from];
    y[i] = points.y[from];
    records_[i] = {points.id.empty() ? std::int8_t{0} : points.id[from], points.rank[from], x[i], y[i]};
    input_[i] = from;
  }
  const auto best = static_cast<std::ptrdiff_t>(std::min(kBest, size_));
  best_x_.resize_discard(static_cast<std::size_t>(best));
  best_y_.resize_discard(static_cast<std::size_t>(best));
  std::copy(x.begin(), x.begin() + best, best_x_.begin());
  std::copy(y.begin(), y.begin() + best, best_y_.begin());

  for (std::size_t first = 0, size = kFirstLevel; first < size_; first += size, size *= kLevelRatio) {
    const std::size_t last = std::min(first + size, size_);
    Level& level = levels_.emplace_back();
    fill_order(level.by_x, first, last, x, y);
    fill_order(level.by_y, first, last, y, x);
  }
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    link(levels_[i].by_x, levels_[i + 1].by_x);
    link(levels_[i].by_y, levels_[i + 1].by_y);
  }
}

void Mipmap::fill_order(Order& order, std::size_t first, std::size_t last, const std::vector<float>& major,
                        const std::vector<float>& minor) {
  order.major.resize_discard(last - first);
  order.minor.resize_discard(last - first);
  order.position.resize_discard(last - first);
  std::size_t i = 0;
  for (const std::uint64_t key : sorted_by(major, first, last)) {
    const auto position = static_cast<std::uint32_t>(key);
    order.major[i] = major[position];
    order.minor[i] = minor[position];
    order.position[i] = position;
    ++i;
  }
}

void Mipmap::link(Order& order, const Order& below) {
  order.next.resize_discard(order.major.size());
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < order.major.size(); ++i) {
    while (place < below.major.size() && below.major[place] < order.major[i]) {
      ++place;
    }
    order.next[i] = place;
  }
}

std::size_t Mipmap::memory_bytes() const noexcept {
  std::size_t bytes =
      best_x_.memory_bytes() + best_y_.memory_bytes() + records_.memory_bytes() + input_.memory_bytes();
  for (const Level& level : levels_) {
    for (const Order* order : {&level.by_x, &level.by_y}) {
      bytes += order->major.memory_bytes() + order->minor.memory_bytes() + order->position.memory_bytes() +
               order->next.memory_bytes();
    }
  }
  return bytes;
}

}  // namespace juxta::classics
