// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids_grid.h"
#include "classics/agents/cell_list.h"
#include "juxta/agents/flock.h"

namespace juxta::classics {

/// A boid of the plane.
struct Boid {
  float x = 0, y = 0, vx = 0, vy = 0;
};

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

/// All pairs: an array of boids, one neighbour at a time.
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

/// The article's scalar grid. Boids stay where they are; a cell is a list of small blocks of their numbers,
/// taken from an arena that is emptied every step.
///
///   cell  -> [ n | 7 4 1 .. | next ] -> [ n | 9 2 .. | - ]
class GridBoids final : public BoidsClassic {
 public:
  explicit GridBoids(float half_size = 10.5F, const FlockRules& rules = {}, const BoidsGridOptions& = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  static constexpr std::uint32_t kBlockSize = 14, kNoBlock = ~std::uint32_t{0};
  struct Block {
    std::uint32_t next, size, boids[kBlockSize];
  };
  void fill_cells();
  void meet_cell(std::uint32_t head, std::size_t number, Found& found) const;

  float half_size_;
  FlockRules rules_;
  BoidsGrid grid_;
  std::vector<Boid> boids_, next_;
  std::vector<std::uint32_t> heads_;
  std::vector<Block> arena_;
};

/// What SseBoids takes four neighbours at a time from.
enum class SseRuns : std::uint8_t {
  kCell,  ///< One cell after the other, as published.
  kRow,  ///< All cells of a row at once, which stand next to each other: fewer vectors are half empty. Not in
         ///< the article; about a quarter of the time less at its density.
};

/// The article's last stage: every step writes all boids anew in the order of cells, row by row, each of x,
/// y, vx and vy in an array of its own, and tests four neighbours at a time with SSE.
class SseBoids final : public BoidsClassic {
 public:
  explicit SseBoids(float half_size = 10.5F, const FlockRules& rules = {}, const BoidsGridOptions& = {},
                    SseRuns runs = SseRuns::kCell);
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  /// One state of all boids, with room for a whole vector behind the last.
  struct Columns {
    std::vector<float> x, y, vx, vy;
    std::vector<std::uint32_t> number;
    void resize(std::size_t size);
  };
  void sort();
  template <SseRuns kRuns>
  [[nodiscard]] Boid stepped(std::uint32_t row) const noexcept;

  float half_size_;
  FlockRules rules_;
  SseRuns runs_;
  BoidsGrid grid_;
  std::size_t size_ = 0;
  Columns now_, sorted_;
  std::vector<std::uint32_t> starts_, cell_of_boid_;
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
  /// One state of all boids, with room for a whole vector behind the last.
  struct Columns {
    std::vector<float> x, y, vx, vy;
    std::vector<std::uint32_t> number;
    void resize(std::size_t size);
  };
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
  Columns now_, sorted_;
  std::vector<std::uint32_t> starts_, cell_of_boid_;
};

/// The same flock on a CellList: the contender `cells`.
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
