// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/ranked/plain_cells.h"

#include <algorithm>

namespace juxta::bench {
namespace {

struct Axis {
  Axis(double lo, double hi, std::size_t count)
      : low(lo), step((hi - lo) / static_cast<double>(count)), scale(1 / step), last(count - 1) {}
  [[nodiscard]] double begin(std::size_t cell) const { return static_cast<double>(cell) * step + low; }
  [[nodiscard]] std::size_t cell_of(double value) const {
    std::size_t cell = std::min(last, static_cast<std::size_t>((value - low) * scale));
    cell -= static_cast<std::size_t>(cell > 0 && begin(cell) > value);
    cell += static_cast<std::size_t>(cell < last && begin(cell + 1) <= value);
    return cell;
  }
  double low, step, scale;
  std::size_t last;
};

}  // namespace

void plain_cells(std::span<const float> xs, std::span<const float> ys, const RectD& rect, std::size_t columns,
                 std::size_t rows, std::span<std::uint32_t> counts) {
  std::ranges::fill(counts, 0U);
  const Axis x_axis(rect.lx, rect.hx, columns), y_axis(rect.ly, rect.hy, rows);
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const auto x = static_cast<double>(xs[i]), y = static_cast<double>(ys[i]);
    if (rect.contains(x, y)) {
      ++counts[y_axis.cell_of(y) * columns + x_axis.cell_of(x)];
    }
  }
}

}  // namespace juxta::bench
