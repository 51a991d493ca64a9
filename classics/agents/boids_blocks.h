// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "classics/agents/boids_grid.h"

namespace juxta::classics {

/// The cells of the published program: a cell is a list of blocks of boids' indices, taken from an arena that
/// is emptied every step. Boids are added in the order of their indices, at the end of the last block.
///
///   cell  -> [ next | n | 1 4 7 .. ] -> [ - | n | 21 30 ]
///
/// Not as printed: the program's blocks hold 249 indices (64 KiB in 64 parts), so that each cell that is not
/// empty has a kilobyte of its own. Smaller blocks are kinder to the caches, and the answers are the same.
template <std::uint32_t kSize>
class BlockCells {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct alignas(64) Block {
    std::uint32_t next, size, boids[kSize];
  };

  /// Anew, with `count` boids. place_of(i) has x and y.
  template <class PlaceOf>
  void fill(const BoidsGrid& grid, std::size_t count, const PlaceOf& place_of) {
    const std::size_t cells = std::size_t{grid.cells} * grid.cells;
    first_.assign(cells, kNone);
    last_.resize(cells);
    // All blocks of a cell but its last are full.
    arena_.resize(std::min(count, cells) + count / kSize);
    std::uint32_t used = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto& place = place_of(i);
      const std::size_t cell = std::size_t{grid.cell_of(place.y)} * grid.cells + grid.cell_of(place.x);
      const bool empty = first_[cell] == kNone;
      if (empty || arena_[last_[cell]].size == kSize) {
        arena_[used].next = kNone;
        arena_[used].size = 0;
        (empty ? first_[cell] : arena_[last_[cell]].next) = used;
        last_[cell] = used++;
      }
      Block& block = arena_[last_[cell]];
      block.boids[block.size++] = static_cast<std::uint32_t>(i);
    }
  }

  /// The cell's first block, or kNone.
  [[nodiscard]] std::uint32_t first(std::size_t cell) const noexcept { return first_[cell]; }
  [[nodiscard]] const Block& operator[](std::uint32_t block) const noexcept { return arena_[block]; }

 private:
  std::vector<std::uint32_t> first_, last_;
  std::vector<Block> arena_;
};

}  // namespace juxta::classics
