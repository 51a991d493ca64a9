// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids_blocks.h"
#include "classics/agents/boids_columns.h"
#include "classics/agents/boids_grid.h"
#include "classics/agents/cell_list.h"
#include "juxta/agents/flock.h"

namespace juxta::classics {

/// The flock of the article (docs/sources.md) as its stages wrote it: the rules of juxta::FlockRules in 2D,
/// between walls at +-half_size. Neighbours are those with dx*dx + dy*dy < see_radius2 in float, so every
/// stage has the same ones. One thread.
class BoidsClassic {
 public:
  virtual ~BoidsClassic() = default;
  /// Replaces all boids; the index is the boid's number.
  virtual void set(std::span<const Boid> boids) = 0;
  /// One time step: out of the old state of all, the new state of all.
  virtual void step() = 0;
  /// By number. As many as were set.
  virtual void get(std::span<Boid> boids) const = 0;
};

struct Found;

/// All pairs: an array of boids and a second one for the next state, one neighbour at a time. As printed.
class NaiveBoids final : public BoidsClassic {
 public:
  explicit NaiveBoids(float half_size = 10.5F, const FlockRules& rules = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  float half_size_;
  FlockRules rules_;
  std::vector<Boid> boids_, next_;
};

/// The article's scalar grid: boids stay where they are, an array of structures; cells are lists of blocks of
/// their indices. As printed but for the search radius (BoidsGridOptions) and the size of blocks
/// (BlockCells).
class GridBoids final : public BoidsClassic {
 public:
  explicit GridBoids(float half_size = 10.5F, const FlockRules& rules = {}, const BoidsGridOptions& = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  void meet_cell(std::size_t cell, std::size_t number, Found& found) const;

  float half_size_;
  FlockRules rules_;
  BoidsGrid grid_;
  std::vector<Boid> boids_, next_;
  BlockCells<14> cells_;  ///< A block is a cache line.
};

/// The scalar grid in the layout of SseBoids: every step writes all boids anew in the order of cells, and a
/// boid meets those of one cell after the other, one at a time. Same cells, same rules as GridBoids. Not in
/// the article, which changes layout and SIMD in one go; with this stage one can tell them apart.
class OrderedBoids final : public BoidsClassic {
 public:
  explicit OrderedBoids(float half_size = 10.5F, const FlockRules& rules = {}, const BoidsGridOptions& = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  [[nodiscard]] Found found_by(std::uint32_t row) const noexcept;

  float half_size_;
  FlockRules rules_;
  BoidsInCellOrder cells_;
};

/// What SseBoids takes four neighbours at a time from.
enum class SseRuns : std::uint8_t {
  kCell,  ///< One cell after the other, as the article does.
  kRow,  ///< All cells of a row at once, which stand next to each other: fewer vectors are half empty. Not in
         ///< the article; about a quarter of the time less at its density.
};

/// SSE in the order of cells: every step writes all boids anew, cell by cell, each of x, y, vx and vy in an
/// array of its own. One boid is tested against four neighbours at a time, with loads and without gathers.
/// The printed kernel is turned round: four boids against one neighbour, over blocks of indices. That is
/// SseBlockBoids (boids_published.h).
class SseBoids final : public BoidsClassic {
 public:
  explicit SseBoids(float half_size = 10.5F, const FlockRules& rules = {},
                    const BoidsGridOptions& options = {}, SseRuns runs = SseRuns::kCell);
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  template <SseRuns kRuns>
  [[nodiscard]] Boid stepped(std::uint32_t row) const noexcept;

  float half_size_;
  FlockRules rules_;
  SseRuns runs_;
  BoidsInCellOrder cells_;
};

/// What the cells of RowBoids are, as shares of the radius that boids see.
struct RowsOptions {
  float cell_width = 0.25F;  ///< Narrow: a run of cells is hardly wider than what a boid sees.
  float cell_height = 1;     ///< Three rows, or two at the edge, hold all neighbours.
};

/// Not in the article: its last stage with registers as wide as this machine has them (16 lanes with AVX-512,
/// 8 with AVX2), so that one can tell what width brings and what another layout does. Boids in the order of
/// cells, row by row; a boid sweeps one run of each row of cells, a register at a time:
///
///   row of cells above  .. |  x x x x x x x x x x x - - - - - | ..     x: within reach along x; -: masked
///   its own row         .. |  x x x x x x x x x x x x x - - - | ..
///   row of cells below  .. |  x x x x x x x x x x - - - - - - | ..
class RowBoids final : public BoidsClassic {
 public:
  explicit RowBoids(float half_size = 10.5F, const FlockRules& rules = {}, const RowsOptions& = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  [[nodiscard]] std::int32_t column_of(float x) const noexcept;
  [[nodiscard]] std::int32_t row_of(float y) const noexcept;
  void sort();
  struct Block;
  void reach(Block& block) const noexcept;
  void find(Block& block, std::uint32_t i) const noexcept;
  void steer(const Block& block) noexcept;

  float half_size_;
  FlockRules rules_;
  float radius_ = 0, across_per_unit_ = 0, up_per_unit_ = 0;
  std::int32_t across_ = 1, up_ = 1;  ///< Cells of a row, and rows.
  std::size_t size_ = 0;
  BoidColumns now_, sorted_;
  std::vector<std::uint32_t> starts_, cell_of_boid_;
};

/// The same flock on a CellList, the plainest competent program: the contender `cells`. Not in the article.
class CellBoids final : public BoidsClassic {
 public:
  explicit CellBoids(float half_size = 10.5F, const FlockRules& rules = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  float half_size_;
  FlockRules rules_;
  CellList<2> list_;
  std::vector<float> x_, y_, vx_, vy_;        ///< By number.
  std::vector<float> sorted_vx_, sorted_vy_;  ///< In the order of the list.
};

}  // namespace juxta::classics
