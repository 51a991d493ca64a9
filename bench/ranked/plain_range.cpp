// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/plain_range.h"

#include <algorithm>
#include <numeric>

namespace juxta::bench {
namespace {

// One expression without branches, so that the compiler can look at several points at a time.
bool inside(const RectF& r, float x, float y) {
  return (x >= r.lx) & (x <= r.hx) & (y >= r.ly) & (y <= r.hy);
}

}  // namespace

void PlainRange::Columns::add(float px, float py, float value, std::uint32_t who) {
  x.push_back(px);
  y.push_back(py);
  number.push_back(value);
  name.push_back(who);
}

PlainRange::PlainRange(std::span<const float> xs, std::span<const float> ys,
                       std::span<const std::int32_t> ranks, std::span<const float> numbers) {
  std::vector<std::uint32_t> order(xs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](auto a, auto b) { return ranks[a] < ranks[b]; });
  for (const std::uint32_t i : order) {
    by_rank_.add(xs[i], ys[i], numbers[i], i);
  }
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](auto p) { return by_rank_.number[p]; });
  for (const std::uint32_t p : order) {
    by_number_.add(by_rank_.x[p], by_rank_.y[p], by_rank_.number[p], p);
  }
}

std::size_t PlainRange::top_by_rank(const RectF& rect, float least, float most, std::size_t k,
                                    std::uint32_t* out) const {
  const Columns& c = by_rank_;
  std::size_t found = 0;
  for (std::size_t p = 0; p < c.x.size() && found < k; ++p) {
    if (inside(rect, c.x[p], c.y[p]) & (c.number[p] >= least) & (c.number[p] <= most)) {
      out[found++] = c.name[p];
    }
  }
  return found;
}

template <class Visit>
void PlainRange::visit_run(const RectF& rect, float least, float most, Visit visit) const {
  const Columns& c = by_number_;
  const auto first = std::ranges::lower_bound(c.number, least) - c.number.begin();
  const auto last = std::ranges::upper_bound(c.number, most) - c.number.begin();
  for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last); ++p) {
    visit(p, inside(rect, c.x[p], c.y[p]));
  }
}

std::size_t PlainRange::top_by_number(const RectF& rect, float least, float most, std::size_t k,
                                      std::uint32_t* out) const {
  const Columns& c = by_number_;
  std::size_t found = 0;
  visit_run(rect, least, most, [&](std::size_t p, bool is_inside) {
    if (!is_inside || (found == k && c.name[p] >= out[0])) {
      return;
    }
    if (found == k) {
      std::pop_heap(out, out + found--);
    }
    out[found++] = c.name[p];
    std::push_heap(out, out + found);
  });
  std::sort_heap(out, out + found);
  std::transform(out, out + found, out, [&](std::uint32_t p) { return by_rank_.name[p]; });
  return found;
}

std::size_t PlainRange::count(const RectF& rect, float least, float most) const {
  std::size_t found = 0;
  visit_run(rect, least, most, [&](std::size_t, bool is_inside) { found += is_inside; });
  return found;
}

}  // namespace juxta::bench
