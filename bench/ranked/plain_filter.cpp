// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/plain_filter.h"

#include <algorithm>
#include <numeric>

namespace juxta::bench {

PlainFilter::PlainFilter(std::span<const float> xs, std::span<const float> ys,
                         std::span<const std::int32_t> ranks, std::span<const std::uint64_t> masks)
    : index_(xs.size()) {
  std::iota(index_.begin(), index_.end(), 0U);
  std::ranges::stable_sort(index_, [&](auto a, auto b) { return ranks[a] < ranks[b]; });
  for (const std::uint32_t i : index_) {
    xs_.push_back(xs[i]);
    ys_.push_back(ys[i]);
    masks_.push_back(masks[i]);
  }
}

namespace {

// One expression without branches, so that the compiler can look at several points at a time.
bool passes(const RectF& rect, float x, float y, std::uint64_t mask, const RankedFilter& f) {
  return (x >= rect.lx) & (x <= rect.hx) & (y >= rect.ly) & (y <= rect.hy) & ((mask & f.all) == f.all) &
         ((mask & f.none) == 0) & (((mask & f.any) != 0) | (f.any == 0));
}

}  // namespace

std::size_t PlainFilter::top(const RectF& rect, std::size_t k, const RankedFilter& filter,
                             std::uint32_t* out) const {
  std::size_t found = 0;
  for (std::size_t p = 0; p < index_.size() && found < k; ++p) {
    if (passes(rect, xs_[p], ys_[p], masks_[p], filter)) {
      out[found++] = index_[p];
    }
  }
  return found;
}

std::size_t PlainFilter::count(const RectF& rect, const RankedFilter& filter) const {
  std::size_t found = 0;
  for (std::size_t p = 0; p < index_.size(); ++p) {
    found += passes(rect, xs_[p], ys_[p], masks_[p], filter);
  }
  return found;
}

}  // namespace juxta::bench
