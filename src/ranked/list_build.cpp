// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The lists: for every cell of every (i, j) grid, its lowest-ranked points in rank order.
//
//   Points come in rank order and are appended to the (up to four) cells that they lie in; a full list takes
//   no more. With ranks spread evenly all lists of depth d are full after about capacity * 2^d points. What
//   is not full some way behind that is a sparse cell, or one without low ranks: the levels answer it like
//   any other query.
//
// Cost: (i, j) are independent tasks; 55 of them at 10M points, 12M entries of 8 bytes in all.

#include <algorithm>
#include <bit>

#include "ranked/ranked_file.h"
#include "ranked/store.h"
#include "ranked/top_kernel.h"

namespace juxta::ranked_detail {
namespace {

constexpr std::size_t kPointsPerCell = 16384;  // of the deepest grid: below that the trees are as fast

/// One (i, j) grid of lists under construction.
class GridBuilder {
 public:
  GridBuilder(const ListArrays& arrays, const ListView& plan, std::uint32_t i, std::uint32_t j)
      : i_(i),
        j_(j),
        across_(ListView::cells(i)),
        up_(ListView::cells(j)),
        capacity_(plan.capacity(i + j)),
        blocks_per_list_(plan.blocks_per_list(i + j)),
        lengths_(arrays.lengths + plan.list_begin[i][j]),
        blocks_(arrays.blocks + plan.block_begin[i][j]) {
    std::fill_n(lengths_, across_ * up_, ListView::Length{0, 0});
  }

  [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }

  /// Appends points in rank order until all lists are full, or evenly spread ranks would have filled them
  /// long ago. Returns how many points were looked at.
  std::size_t append_points(std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                            const std::uint32_t* index_of) noexcept {
    const std::size_t limit = std::min(qx.size(), (std::size_t{3} * capacity_) << (i_ + j_));
    std::size_t open = across_ * up_;
    std::size_t p = 0;
    for (; p < limit && open != 0; ++p) {
      const std::size_t sx = qx[p] >> (15 - i_), sy = qy[p] >> (15 - j_);
      const std::uint32_t index = index_of == nullptr ? static_cast<std::uint32_t>(p) : index_of[p];
      for (std::size_t cy = sy - (sy != 0); cy <= std::min(sy, up_ - 1); ++cy) {
        for (std::size_t cx = sx - (sx != 0); cx <= std::min(sx, across_ - 1); ++cx) {
          open -= append(cy * across_ + cx, qx[p], qy[p], index);
        }
      }
    }
    return p;
  }

  /// Completes what append_points() left open. `scratch` has capacity() places.
  void finish(const RankedView& view, std::size_t looked_at, std::span<const std::uint16_t> qx,
              std::span<const std::uint16_t> qy, std::span<std::uint32_t> scratch) noexcept {
    for (std::size_t cell = 0; cell < across_ * up_; ++cell) {
      if (lengths_[cell].points < capacity_) {
        if (looked_at < qx.size()) {
          refill(view, cell, qx, qy, scratch);
        }
        lengths_[cell].complete = lengths_[cell].points < capacity_;
      }
      clear_rest(cell);
    }
  }

 private:
  /// True when this point filled the list.
  bool append(std::size_t cell, std::uint16_t x, std::uint16_t y, std::uint32_t index) noexcept {
    const std::uint32_t n = lengths_[cell].points;
    if (n == capacity_) {
      return false;
    }
    Block& block = blocks_[cell * blocks_per_list_ + n / kBlockSize];
    block.x[n % kBlockSize] = x;
    block.y[n % kBlockSize] = y;
    block.name[n % kBlockSize] = index;
    lengths_[cell].points = (n + 1) & 0x7FFFFFFF;
    return n + 1 == capacity_;
  }

  void refill(const RankedView& view, std::size_t cell, std::span<const std::uint16_t> qx,
              std::span<const std::uint16_t> qy, std::span<std::uint32_t> scratch) noexcept {
    const std::size_t lx = (cell % across_) << (15 - i_), ly = (cell / across_) << (15 - j_);
    const QuantumBox box = {static_cast<std::uint16_t>(lx), static_cast<std::uint16_t>(ly),
                            static_cast<std::uint16_t>(lx + (std::size_t{65536} >> i_) - 1),
                            static_cast<std::uint16_t>(ly + (std::size_t{65536} >> j_) - 1)};
    const std::size_t found = top_positions(view, box, capacity_, scratch.data());
    for (std::size_t n = lengths_[cell].points; n < found; ++n) {
      const std::uint32_t p = scratch[n];
      append(cell, qx[p], qy[p], view.index(p));
    }
  }

  /// Unused places are no points, so that the same points always give the same file.
  void clear_rest(std::size_t cell) noexcept {
    for (std::size_t n = lengths_[cell].points; n < capacity_; ++n) {
      Block& block = blocks_[cell * blocks_per_list_ + n / kBlockSize];
      block.x[n % kBlockSize] = 0;
      block.y[n % kBlockSize] = 0;
      block.name[n % kBlockSize] = kNoPoint;
    }
  }

  std::size_t i_, j_, across_, up_;
  std::uint32_t capacity_;
  std::size_t blocks_per_list_;
  ListView::Length* lengths_;
  Block* blocks_;
};

/// Where each grid's lists begin, by depth.
void place_lists(ListView& view) noexcept {
  std::uint32_t list = 0, block = 0;
  for (std::uint32_t d = 0; d <= static_cast<std::uint32_t>(view.depth); ++d) {
    for (std::uint32_t i = 0; i <= d; ++i) {
      view.list_begin[i][d - i] = list;
      view.block_begin[i][d - i] = block;
      const auto count = static_cast<std::uint32_t>(ListView::cells(i) * ListView::cells(d - i));
      list += count;
      block += count * static_cast<std::uint32_t>(view.blocks_per_list(d));
    }
  }
  view.list_total = list;
  view.block_total = block;
}

}  // namespace

ListView plan_lists(std::size_t points) noexcept {
  ListView view;
  view.base_length = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(std::bit_floor(points / 128), ListView::kLeast, 1 << 20));
  view.first_length = view.base_length > ListView::kLeast ? 8 * view.base_length : view.base_length;
  view.depth =
      static_cast<std::int32_t>(std::bit_width(points / kPointsPerCell)) - (points >= kPointsPerCell);
  view.depth = std::min(view.depth, static_cast<std::int32_t>(ListView::kMaxDepth));
  place_lists(view);
  return view;
}

ListView plan_category_lists(std::size_t points) noexcept {
  constexpr std::size_t kTreeIsEnough = 512;  // one node, and its top block
  ListView view;
  if (points <= kTreeIsEnough) {
    return view;
  }
  view.base_length = ListView::kLeast;
  view.first_length = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(std::bit_floor(points / 16), ListView::kLeast, 1 << 23));
  ListView deeper = view;
  do {
    view = deeper;
    ++deeper.depth;
    place_lists(deeper);
  } while (deeper.depth <= static_cast<std::int32_t>(ListView::kMaxDepth) &&
           (deeper.depth == 0 || std::size_t{deeper.block_total} * kBlockSize <= points / 8));
  return view;
}

ListView build_lists(ListStore& store, const RankedView& view, std::span<const std::uint16_t> qx,
                     std::span<const std::uint16_t> qy, const BuildContext& context) {
  ListView plan = plan_lists(qx.size());
  store.lengths.resize_discard(plan.list_total);
  store.blocks.resize_discard(plan.block_total);
  fill_lists(plan, {store.blocks.data(), store.lengths.data()}, view, qx, qy, context);
  return plan;
}

void fill_lists(ListView& plan, const ListArrays& arrays, const RankedView& view,
                std::span<const std::uint16_t> qx, std::span<const std::uint16_t> qy,
                const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const std::size_t depths = static_cast<std::size_t>(plan.depth + 1);
  const std::size_t grids = depths * (depths + 1) / 2;
  std::size_t places = 0;
  for (std::size_t d = 0; d < depths; ++d) {
    places += (d + 1) * plan.capacity(d);
  }
  const auto scratch = context.workspace.take<std::uint32_t>(places);
  context.executor.parallel_for(grids, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) {
      std::uint32_t d = 0, i = static_cast<std::uint32_t>(g);
      std::size_t place = 0;
      for (; i > d; ++d) {
        i -= d + 1;
        place += (d + std::size_t{1}) * plan.capacity(d);
      }
      place += i * std::size_t{plan.capacity(d)};
      GridBuilder grid(arrays, plan, i, d - i);
      const std::size_t looked_at = grid.append_points(qx, qy, view.index_of);
      grid.finish(view, looked_at, qx, qy, scratch.subspan(place, grid.capacity()));
    }
  });
  plan.blocks = arrays.blocks;
  plan.lengths = arrays.lengths;
}

}  // namespace juxta::ranked_detail
