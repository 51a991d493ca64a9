// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The levels: a counting sort of all points by level and cell.
//
//   tall tree   | piece 0 | piece 1 | ...     each piece counts its points in cells of its own
//   cells       0: pieces 0, 1, ... | 1: ...  the counts become places, in the order of cells, then of pieces
//   tall tree   | piece 0 | piece 1 | ...     each piece puts its points there
//
// Points are taken in the order of the tree, because neighbours there go to the same few cells of each level:
// in rank order, every point is three cache misses.
//
// Cost: two passes over the points.

#include <algorithm>
#include <bit>

#include "ranked/ranked_file.h"
#include "ranked/store.h"

namespace juxta::ranked_detail {
namespace {

// Cells are eight times as tall as wide: a row of cells is one run, and runs cost more than the points beside
// the rectangle that a tall cell adds.
constexpr std::uint32_t kTallBits = 3;
constexpr std::size_t kPointsPerGridCell = 32;

constexpr std::size_t kPieces = 16;  // at most: each has a count for every cell
constexpr std::size_t kLeavesOfPiece = 128;

/// Some leaves of the tree.
struct Piece {
  std::size_t first, last;
  std::span<std::uint32_t> cells;  // as LevelsView::cells: counts, then the next place
};

/// Calls f(element of LevelsView::cells, leaf, lane) for each point of a piece.
template <class F>
void for_each_point(const Piece& piece, const LevelsView& levels, const Block* leaves, F f) noexcept {
  for (std::size_t b = piece.first; b < piece.last; ++b) {
    for (std::size_t i = 0; i < kBlockSize && leaves[b].name[i] != kNoPoint; ++i) {
      const LevelsView::Level& level = levels.level[LevelsView::level_of(leaves[b].name[i])];
      f(level.cell_begin + level.cell_of(leaves[b].x[i], leaves[b].y[i]), leaves[b], i);
    }
  }
}

void place_cells(std::span<const Piece> pieces, const LevelsView::Level& level,
                 std::uint32_t* first_of_cell) noexcept {
  std::uint32_t next = level.first;
  for (std::size_t c = level.cell_begin; c < level.cell_begin + level.cell_count(); ++c) {
    first_of_cell[c] = next;
    for (const Piece& piece : pieces) {
      const std::uint32_t count = piece.cells[c];
      piece.cells[c] = next;
      next += count;
    }
  }
  first_of_cell[level.cell_begin + level.cell_count()] = next;
}

void put_piece(const Piece& piece, const LevelsView& levels, const Block* leaves, Block* blocks) noexcept {
  for_each_point(piece, levels, leaves, [&](std::size_t cell, const Block& leaf, std::size_t i) {
    const std::size_t place = piece.cells[cell]++;
    Block& block = blocks[place / kBlockSize];
    block.x[place % kBlockSize] = leaf.x[i];
    block.y[place % kBlockSize] = leaf.y[i];
    block.name[place % kBlockSize] = leaf.name[i];
  });
}

/// Places behind the last point are no points, so that the same points always give the same file.
void clear_block(Block& block) noexcept {
  std::ranges::fill(block.x, std::uint16_t{0});
  std::ranges::fill(block.y, std::uint16_t{0});
  std::ranges::fill(block.name, kNoPoint);
}

}  // namespace

LevelsView plan_levels(std::size_t points) noexcept {
  LevelsView view;
  std::size_t first = 0, size = LevelsView::kFirstSize;
  for (; first < points; ++view.levels) {
    LevelsView::Level& level = view.level[view.levels];
    const std::size_t last = first + std::min(size, points - first);
    const auto bits = static_cast<std::uint32_t>(std::bit_width((last - first) / kPointsPerGridCell));
    level.first = static_cast<std::uint32_t>(first);
    level.last = static_cast<std::uint32_t>(last);
    level.y_bits = (bits - std::min(bits, kTallBits)) / 2;
    level.x_bits = std::min(bits - level.y_bits, 16U);
    level.cell_begin = view.cell_total;
    view.cell_total += static_cast<std::uint32_t>(level.cell_count()) + 1;
    first = last;
    size = first;
  }
  return view;
}

LevelsView build_levels(LevelStore& store, const TreeView& tall, std::size_t points,
                        const BuildContext& context) {
  const Workspace::Scope scope(context.workspace);
  const Executor& executor = context.executor;
  LevelsView plan = plan_levels(points);
  store.blocks.resize_discard(tall.leaf_count);
  store.cells.resize_discard(plan.cell_total);
  clear_block(store.blocks[tall.leaf_count - 1]);

  const std::size_t most = &executor == &serial_executor() ? 1 : kPieces;
  const std::size_t count = std::clamp<std::size_t>(tall.leaf_count / kLeavesOfPiece, 1, most);
  const auto pieces = context.workspace.take<Piece>(count);
  for (std::size_t i = 0; i < count; ++i) {
    pieces[i] = {tall.leaf_count * i / count, tall.leaf_count * (i + 1) / count,
                 context.workspace.take<std::uint32_t>(plan.cell_total)};
  }
  executor.parallel_for(count, 1, [&](std::size_t first, std::size_t last) {
    for (const Piece& piece : pieces.subspan(first, last - first)) {
      std::ranges::fill(piece.cells, 0U);
      for_each_point(piece, plan, tall.leaves,
                     [&](std::size_t cell, const Block&, std::size_t) { ++piece.cells[cell]; });
    }
  });
  executor.parallel_for(plan.levels, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t l = first; l < last; ++l) {
      place_cells(pieces, plan.level[l], store.cells.data());
    }
  });
  executor.parallel_for(count, 1, [&](std::size_t first, std::size_t last) {
    for (const Piece& piece : pieces.subspan(first, last - first)) {
      put_piece(piece, plan, tall.leaves, store.blocks.data());
    }
  });
  plan.blocks = store.blocks.data();
  plan.cells = store.cells.data();
  return plan;
}

}  // namespace juxta::ranked_detail
