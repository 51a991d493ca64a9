// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "agents/strays.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace juxta::agents_detail {
namespace {

constexpr std::size_t kFewestHeads = 64;
/// Cells beyond these count as these: wide worlds end in long lists, not in numbers that overflow.
constexpr double kFurthestCell = 1 << 30;
/// Some roundings of a float, many times over.
constexpr double kRounding = 0x1p-20;

}  // namespace

Strays::Strays(std::pmr::memory_resource* resource) noexcept
    : heads_(resource), next_(resource), before_(resource), place_(resource), all_(resource) {}

void Strays::begin(const World& world, std::size_t rows, float width) {
  world_ = world;
  inverse_ = 1 / static_cast<double>(width);
  const std::size_t heads = std::bit_ceil(std::max(rows, kFewestHeads));
  count_ = 0;
  if (next_.size() < rows || heads_.empty()) {
    for (Array<std::uint32_t>* const by_row : {&next_, &before_, &place_, &all_}) {
      by_row->resize_discard(rows);
    }
  }
  heads_.resize_discard(std::max(heads, heads_.size()));
  std::fill(heads_.begin(), heads_.end(), kNone);
}

std::int32_t Strays::cell_on_axis(double x) const noexcept {
  return static_cast<std::int32_t>(std::clamp(std::floor(x * inverse_), -kFurthestCell, kFurthestCell));
}

StrayCell Strays::cell_of(const Point& position) const noexcept {
  StrayCell cell{};
  for (std::uint32_t axis = 0; axis < world_.dimensions; ++axis) {
    cell[axis] = cell_on_axis(position[axis]);
  }
  return cell;
}

std::size_t Strays::hash(const StrayCell& cell) const noexcept {
  const auto part = [](std::int32_t c) { return static_cast<std::uint64_t>(static_cast<std::uint32_t>(c)); };
  std::uint64_t mixed = part(cell[0]) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 32) ^ part(cell[1])) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 32) ^ part(cell[2])) * 0x94D049BB133111EB;
  return static_cast<std::size_t>(mixed >> 32) & (heads_.size() - 1);
}

StrayIntervals Strays::touched(std::uint32_t axis, float x, float radius) const noexcept {
  if (axis >= world_.dimensions) {
    return {{StrayInterval{0, 0}}, 1};
  }
  const double lo = world_.lo[axis], hi = world_.hi[axis], length = hi - lo;
  const bool periodic = world_.edges[axis] == Edge::kPeriodic;
  const double magnitude = std::abs(x) + radius + (periodic ? std::abs(lo) + std::abs(hi) : 0.0);
  const double reach = radius + kRounding * magnitude;
  const double first = x - reach, last = x + reach;
  const auto cells = [&](double from, double to) {
    return StrayInterval{cell_on_axis(from), cell_on_axis(to)};
  };
  if (!periodic) {
    return {{cells(first, last)}, 1};
  }
  const StrayInterval whole = cells(lo, hi);
  if (2 * reach >= length) {
    return {{whole}, 1};
  }
  if (first >= lo && last <= hi) {
    return {{cells(first, last)}, 1};
  }
  const StrayInterval below = cells(lo, first < lo ? last : last - length);
  const StrayInterval above = cells(first < lo ? first + length : first, hi);
  if (above.first <= below.last) {  // they meet in a cell, which must not be visited twice
    return {{whole}, 1};
  }
  return {{below, above}, 2};
}

void Strays::add(std::uint32_t row, const Point& position) noexcept {
  std::uint32_t& head = heads_[hash(cell_of(position))];
  next_[row] = head;
  before_[row] = kNone;
  if (head != kNone) {
    before_[head] = row;
  }
  head = row;
  place_[row] = static_cast<std::uint32_t>(count_);
  all_[count_++] = row;
}

void Strays::remove(std::uint32_t row, const Point& position) noexcept {
  if (next_[row] != kNone) {
    before_[next_[row]] = before_[row];
  }
  if (before_[row] != kNone) {
    next_[before_[row]] = next_[row];
  } else {
    heads_[hash(cell_of(position))] = next_[row];
  }
  const std::uint32_t last = all_[--count_];
  all_[place_[row]] = last;
  place_[last] = place_[row];
}

}  // namespace juxta::agents_detail
