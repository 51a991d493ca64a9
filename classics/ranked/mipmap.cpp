// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// The query side of the mipmap. Compiled for this machine (static Highway dispatch), not for all.
#include "classics/ranked/mipmap.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "classics/ranked/hit_mask.h"
#include "classics/ranked/rank_heap.h"
#include "hwy/cache_control.h"

namespace juxta::classics {
namespace {

constexpr std::size_t kStackHeap = 1024;  // larger k take their heap from the allocator

// Index of the first value in [first, last) that is not below `bound` (kAbove: that is above it). The loop
// has no branch on the data, so that a mispredicted one does not cost more than the reads.
template <bool kAbove>
std::uint32_t first_past(const float* values, std::uint32_t first, std::uint32_t last, float bound) {
  const auto left = [bound](float value) { return kAbove ? value <= bound : value < bound; };
  std::uint32_t n = last - first;
  if (n == 0) {
    return first;
  }
  while (n > 1) {
    const std::uint32_t half = n / 2;
    first += left(values[first + half - 1]) ? half : 0;
    n -= half;
  }
  return first + (left(values[first]) ? 1 : 0);
}

}  // namespace

// Rank order: the first k hits are the answer. 8 bytes and 4 compares a point, 16 KiB in all: it stays in L1.
std::size_t Mipmap::scan_best(const RectF& rect, std::size_t k, std::uint32_t* positions) const {
  const FloatTag d;
  const auto lx = hn::Set(d, rect.lx), ly = hn::Set(d, rect.ly);
  const auto hx = hn::Set(d, rect.hx), hy = hn::Set(d, rect.hy);
  const std::size_t n = best_x_.size();
  std::size_t found = 0;
  for (std::size_t i = 0; i < n; i += lanes()) {
    const auto x = hn::LoadU(d, best_x_.data() + i), y = hn::LoadU(d, best_y_.data() + i);
    auto hit = hn::And(hn::And(hn::Ge(x, lx), hn::Le(x, hx)), hn::And(hn::Ge(y, ly), hn::Le(y, hy)));
    if (n - i < lanes()) {
      hit = hn::And(hit, hn::FirstN(d, n - i));
    }
    for (std::uint32_t bits = bits_of(hit); bits != 0; bits &= bits - 1) {
      positions[found++] = static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(std::countr_zero(bits));
      if (found == k) {
        return found;
      }
    }
  }
  return found;
}

Mipmap::Slab Mipmap::search(const Order& order, float low, float high) {
  const auto n = static_cast<std::uint32_t>(order.major.size());
  const std::uint32_t first = first_past<false>(order.major.data(), 0, n, low);
  return {first, first_past<true>(order.major.data(), first, n, high)};
}

// A bound lies between two neighbours here, so it lies between their places below:
//
//   here    ...  a | b ...          below  ... next(a) . . . next(b) ...      nothing outside can be the
//   answer
Mipmap::Slab Mipmap::descend(const Order& order, const Order& below, Slab slab, float low, float high) {
  const auto n = static_cast<std::uint32_t>(order.next.size());
  const auto m = static_cast<std::uint32_t>(below.major.size());
  const auto after = [&](std::uint32_t i) { return i == 0 ? 0 : order.next[i - 1]; };
  const auto upto = [&](std::uint32_t i) { return i == n ? m : order.next[i]; };
  const float* values = below.major.data();
  return {first_past<false>(values, after(slab.first), upto(slab.first), low),
          first_past<true>(values, after(slab.last), upto(slab.last), high)};
}

// 8 bytes and 3 compares a point; positions are looked at only where the rectangle was hit.
void Mipmap::scan_slab(const Order& order, Slab slab, float low, float high, RankHeap& heap) {
  const FloatTag d;
  const IndexTag du;
  const auto lo = hn::Set(d, low), hi = hn::Set(d, high);
  auto limit = hn::Set(du, heap.limit());
  for (std::size_t i = slab.first; i < slab.last; i += lanes()) {
    const auto minor = hn::LoadU(d, order.minor.data() + i);
    auto hit = hn::And(hn::Ge(minor, lo), hn::Le(minor, hi));
    if (slab.last - i < lanes()) {
      hit = hn::And(hit, hn::FirstN(d, slab.last - i));
    }
    if (hn::AllFalse(d, hit)) {
      continue;
    }
    const auto better = hn::Lt(hn::LoadU(du, order.position.data() + i), limit);
    std::uint32_t bits = bits_of(hn::And(hit, hn::RebindMask(d, better)));
    if (bits == 0) {
      continue;
    }
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t position = order.position[i + static_cast<std::size_t>(std::countr_zero(bits))];
      if (position < heap.limit()) {
        heap.insert(position);
      }
    }
    limit = hn::Set(du, heap.limit());
  }
}

std::size_t Mipmap::search_levels(const RectF& rect, std::size_t k, std::uint32_t* positions) const {
  RankHeap heap(positions, k);
  Slab x, y;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    if (i == 0) {
      x = search(level.by_x, rect.lx, rect.hx);
      y = search(level.by_y, rect.ly, rect.hy);
    } else {
      x = descend(levels_[i - 1].by_x, level.by_x, x, rect.lx, rect.hx);
      y = descend(levels_[i - 1].by_y, level.by_y, y, rect.ly, rect.hy);
    }
    if (x.last - x.first <= y.last - y.first) {
      scan_slab(level.by_x, x, rect.ly, rect.hy, heap);
    } else {
      scan_slab(level.by_y, y, rect.lx, rect.hx, heap);
    }
    if (heap.full()) {
      break;  // all that is below ranks behind
    }
  }
  for (std::size_t i = 0; i < heap.size(); ++i) {
    hwy::Prefetch(&records_[positions[i]]);
  }
  heap.sort();
  return heap.size();
}

template <class Write>
std::size_t Mipmap::answer(const RectF& rect, std::size_t k, const Write& write) const {
  k = std::min(k, size_);
  if (k == 0 || rect.empty()) {
    return 0;
  }
  std::array<std::uint32_t, kStackHeap> stack;
  std::vector<std::uint32_t> large(k > kStackHeap ? k : 0);
  std::uint32_t* positions = k > kStackHeap ? large.data() : stack.data();
  std::size_t found = scan_best(rect, k, positions);
  if (found < k && best_x_.size() < size_) {
    found = search_levels(rect, k, positions);
  }
  for (std::size_t i = 0; i < found; ++i) {
    write(i, positions[i]);
  }
  return found;
}

std::size_t Mipmap::top(const RectF& rect, std::size_t k, Record* out) const {
  return answer(rect, k, [&](std::size_t i, std::uint32_t position) { out[i] = records_[position]; });
}

std::size_t Mipmap::top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const {
  return answer(rect, k, [&](std::size_t i, std::uint32_t position) { out[i] = input_[position]; });
}

}  // namespace juxta::classics
