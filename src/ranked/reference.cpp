// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The plain twins of the query kernels: every point of the tall tree's leaves, looked at one by one.

#include <algorithm>
#include <vector>

#include "ranked/cells_kernel.h"
#include "ranked/top_kernel.h"

namespace juxta::ranked_detail {
namespace {

bool inside(const RankedView& view, const RectD& rect, std::uint32_t index) noexcept {
  const auto at = [&]<class T>(T) {
    return rect.contains(static_cast<double>(StridedColumn<T>{view.xs, view.x_stride}[index]),
                         static_cast<double>(StridedColumn<T>{view.ys, view.y_stride}[index]));
  };
  return view.is_double ? at(double{}) : at(float{});
}

}  // namespace

QueryResult top_points_reference(const RankedView& view, const RectD& rect, std::size_t k,
                                 std::uint32_t* out) {
  QueryResult result;
  result.tested = view.size;
  std::vector<std::uint32_t> positions;
  for (std::size_t p = 0; p < view.size; ++p) {
    const std::uint32_t position = view.tall.leaves[p / kBlockSize].name[p % kBlockSize];
    if (inside(view, rect, view.index(position))) {
      positions.push_back(position);
    }
  }
  result.written = std::min(k, positions.size());
  const auto end = positions.begin() + static_cast<std::ptrdiff_t>(result.written);
  std::partial_sort(positions.begin(), end, positions.end());
  std::transform(positions.begin(), end, out, [&](std::uint32_t position) { return view.index(position); });
  return result;
}

QueryResult count_points_reference(const RankedView& view, const RectD& rect) noexcept {
  QueryResult result;
  result.tested = view.size;
  for (std::size_t p = 0; p < view.size; ++p) {
    result.found += inside(view, rect, view.index(static_cast<std::uint32_t>(p)));
  }
  return result;
}

QueryResult count_cells_reference(const RankedView& view, const CellGrid& grid,
                                  std::span<std::uint32_t> counts) noexcept {
  QueryResult result;
  result.tested = view.size;
  std::ranges::fill(counts, 0U);
  const auto add_all = [&]<class T>(T) {
    for (std::size_t i = 0; i < view.size; ++i) {
      const auto x = static_cast<double>(StridedColumn<T>{view.xs, view.x_stride}[i]);
      const auto y = static_cast<double>(StridedColumn<T>{view.ys, view.y_stride}[i]);
      if (grid.rect.contains(x, y)) {
        ++counts[grid.y.cell_of(y) * grid.columns + grid.x.cell_of(x)];
        ++result.found;
      }
    }
  };
  view.is_double ? add_all(double{}) : add_all(float{});
  return result;
}

}  // namespace juxta::ranked_detail
