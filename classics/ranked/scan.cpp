// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
//   step = 4 vectors:  8 loads, 16 compares, 1 branch;  8 bytes per point, so memory bandwidth is the limit
//   from L3 outwards
#include "classics/ranked/scan.h"

#include <bit>
#include <vector>

#include "classics/ranked/hit_mask.h"
#include "classics/ranked/rank_order.h"

namespace juxta::classics {
namespace {

// A rectangle in registers.
struct Window {
  explicit Window(const RectF& r)
      : lx(hn::Set(FloatTag(), r.lx)),
        ly(hn::Set(FloatTag(), r.ly)),
        hx(hn::Set(FloatTag(), r.hx)),
        hy(hn::Set(FloatTag(), r.hy)) {}
  // Which of the lanes at p, q are inside.
  auto hits(const float* p, const float* q) const {
    const auto x = hn::LoadU(FloatTag(), p), y = hn::LoadU(FloatTag(), q);
    return hn::And(hn::And(hn::Ge(x, lx), hn::Le(x, hx)), hn::And(hn::Ge(y, ly), hn::Le(y, hy)));
  }
  hn::Vec<FloatTag> lx, ly, hx, hy;
};

}  // namespace

Scan::Scan(const RankedColumns& points)
    : x_(points.x.size()), y_(points.x.size()), records_(points.x.size()), input_(points.x.size()) {
  const std::vector<std::uint32_t> order = rank_order(points.rank);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t from = order[i];
    x_[i] = points.x[from];
    y_[i] = points.y[from];
    records_[i] = {points.id.empty() ? std::int8_t{0} : points.id[from], points.rank[from], x_[i], y_[i]};
    input_[i] = from;
  }
}

template <class Write>
std::size_t Scan::answer(const RectF& rect, std::size_t k, const Write& write) const {
  if (k == 0) {
    return 0;
  }
  const Window window(rect);
  const std::size_t n = x_.size(), step = 4 * lanes();
  std::size_t found = 0;
  // True when k are found.
  const auto take = [&](std::uint32_t bits, std::size_t at) {
    for (; bits != 0; bits &= bits - 1) {
      write(found++, at + static_cast<std::size_t>(std::countr_zero(bits)));
      if (found == k) {
        return true;
      }
    }
    return false;
  };
  const auto take_vector = [&](std::size_t i) {
    std::uint32_t bits = bits_of(window.hits(x_.data() + i, y_.data() + i));
    if (n - i < lanes()) {
      bits &= (1U << (n - i)) - 1;
    }
    return take(bits, i);
  };
  std::size_t i = 0;
  for (; i + step <= n; i += step) {
    const float *x = x_.data() + i, *y = y_.data() + i;
    const auto a = window.hits(x, y), b = window.hits(x + lanes(), y + lanes());
    const auto c = window.hits(x + 2 * lanes(), y + 2 * lanes()),
               e = window.hits(x + 3 * lanes(), y + 3 * lanes());
    if (hn::AllFalse(FloatTag(), hn::Or(hn::Or(a, b), hn::Or(c, e)))) {
      continue;
    }
    for (std::size_t v = 0; v < 4; ++v) {
      if (take_vector(i + v * lanes())) {
        return found;
      }
    }
  }
  for (; i < n; i += lanes()) {
    if (take_vector(i)) {
      return found;
    }
  }
  return found;
}

std::size_t Scan::top(const RectF& rect, std::size_t k, Record* out) const {
  return answer(rect, k, [&](std::size_t i, std::size_t position) { out[i] = records_[position]; });
}

std::size_t Scan::top_ids(const RectF& rect, std::size_t k, std::uint32_t* out) const {
  return answer(rect, k, [&](std::size_t i, std::size_t position) { out[i] = input_[position]; });
}

std::size_t Scan::count(const RectF& rect) const {
  const Window window(rect);
  const std::size_t n = x_.size();
  std::size_t inside = 0, i = 0;
  for (; i + lanes() <= n; i += lanes()) {
    inside += hn::CountTrue(FloatTag(), window.hits(x_.data() + i, y_.data() + i));
  }
  for (; i < n; ++i) {
    inside += rect.contains(x_[i], y_[i]) ? 1 : 0;
  }
  return inside;
}

std::size_t Scan::memory_bytes() const noexcept {
  return x_.memory_bytes() + y_.memory_bytes() + records_.memory_bytes() + input_.memory_bytes();
}

}  // namespace juxta::classics
