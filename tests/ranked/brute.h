// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The oracle of the ranked room: every point, looked at in rank order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "juxta/math/rect.h"
#include "juxta/ranked/ranked_points.h"

namespace juxta::test {

template <class T, class R>
class BruteForce {
 public:
  BruteForce(const std::vector<T>& xs, const std::vector<T>& ys, const std::vector<R>& ranks)
      : order_(xs.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(), [&](auto a, auto b) { return ranks[a] < ranks[b]; });
    for (const std::uint32_t index : order_) {
      xs_.push_back(static_cast<double>(xs[index]));
      ys_.push_back(static_cast<double>(ys[index]));
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> top(const RectD& rect, std::size_t k) const {
    std::vector<std::uint32_t> found;
    for (std::size_t p = 0; p < order_.size() && found.size() < k; ++p) {
      if (rect.contains(xs_[p], ys_[p])) {
        found.push_back(order_[p]);
      }
    }
    return found;
  }

  [[nodiscard]] std::size_t count(const RectD& rect) const {
    std::size_t n = 0;
    for (std::size_t p = 0; p < order_.size(); ++p) {
      n += rect.contains(xs_[p], ys_[p]);
    }
    return n;
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<double> xs_, ys_;
};

/// The answer of top() as a vector; the places behind it must be untouched.
inline std::vector<std::uint32_t> top_of(const RankedPoints& points, const RectD& rect, std::size_t k) {
  constexpr std::uint32_t kGuard = 0xDEADBEEF;
  std::vector<std::uint32_t> out(k + 40, kGuard);
  const QueryResult result = points.top(rect, k, std::span(out).first(k));
  const auto end = out.begin() + static_cast<std::ptrdiff_t>(std::min(k, result.written));
  if (result.written > k || std::any_of(out.begin() + static_cast<std::ptrdiff_t>(k), out.end(),
                                        [](std::uint32_t value) { return value != kGuard; })) {
    return {kGuard};  // no test expects this
  }
  return {out.begin(), end};
}

inline RectD as_double(const RectF& rect) {
  return {rect.lx, rect.ly, rect.hx, rect.hy};
}

}  // namespace juxta::test
