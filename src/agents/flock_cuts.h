// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: which rank has which rows of cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace juxta::agents_detail {

/// Rows of cells go along x, so the world's y and z are a grid of rows. It is cut so that every rank has as
/// much to do, and that the ranks' borders are short: a rank's boids see the rows beside its own.
///
///   z  +---+---+---+---+---+
///   ^  | 3   3 | 4   4 | 5 |     blocks of layers (here two), about as thick as a rank is wide
///   |  | 3   3   3 | 4   5 |
///   |  +---+---+---+---+---+     the rows of a block have turns: through its layers, then on along y.
///   |  | 0 | 1   1 | 2   2 |     A rank has a run of turns.
///   |  | 0   0 | 1   1 | 2 |
///   +--+---+---+---+---+---+--> y
///
/// In the plane there is one layer, and rows are taken as they come.
class FlockCuts {
 public:
  FlockCuts() = default;
  /// `work`: by row, z * across + y.
  FlockCuts(std::uint32_t across, std::span<const double> work, std::uint32_t ranks);

  [[nodiscard]] std::uint32_t owner(std::uint32_t row) const noexcept;
  /// Ascending.
  [[nodiscard]] std::vector<std::uint32_t> rows_of(std::uint32_t rank) const;

 private:
  [[nodiscard]] std::uint32_t turn_of(std::uint32_t row) const noexcept;
  [[nodiscard]] std::uint32_t row_at(std::uint32_t turn) const noexcept;

  std::uint32_t across_ = 1;                 // rows of a layer
  std::vector<std::uint32_t> layers_{0, 1};  // the first of each block, and how many there are
  std::vector<std::uint32_t> cuts_{0, 1};    // the first turn of each rank, and how many there are
};

/// Into how many blocks `layers` layers of `across` rows are cut for so many ranks.
[[nodiscard]] std::uint32_t blocks_of_layers(std::uint32_t across, std::uint32_t layers,
                                             std::uint32_t ranks) noexcept;

}  // namespace juxta::agents_detail
