// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/agents/field_disc.h"
#include "classics/agents/boids.h"
#include "juxta/agents/flock.h"

namespace juxta::bench {

/// Where FieldBoids takes from whom a boid must keep away.
enum class FieldAvoid : std::uint8_t {
  kField,  ///< From the field, as everything else.
  kPairs,  ///< From each of those that are too near, exactly.
};

struct FieldOptions {
  std::uint32_t nodes_per_radius = 4;  ///< Nodes of the grid to one radius of sight, >= 2.
  FieldAvoid avoid = FieldAvoid::kField;
  /// The sum around a node is over a smaller disc, such that after dealing out and reading back, which blur,
  /// it has the true disc's spread. Without it the disc is the true one, and what boids find comes from
  /// farther.
  bool same_spread = true;
};

/// The boids of the article without neighbours: an experiment (docs/decisions/0017-field-flock.md).
/// Number, velocity and place of all boids become fields on a square grid, and a boid reads what it would
/// have summed over its neighbours:
///
///   each boid  --1, vx, vy-->  the four nodes around it, bilinear weights
///   each node  <--sums of n, v, d-- the nodes within the radius, each by how much of its square is inside
///   each boid  <--the four nodes around it, bilinear weights, less its own share
///
/// The cost does not depend on how many neighbours there are. The results are not those of the rules: who is
/// near is decided for nodes, not for pairs. Boids must be set within the world. One thread.
class FieldBoids final : public classics::BoidsClassic {
 public:
  explicit FieldBoids(float half_size = 10.5F, const FlockRules& rules = {}, const FieldOptions& = {});
  void set(std::span<const classics::Boid> boids) override;
  void step() override;
  void get(std::span<classics::Boid> boids) const override;

  /// A boid's share of what the rules ask for.
  struct Sums {
    float count = 0, sum_vx = 0, sum_vy = 0, sum_dx = 0, sum_dy = 0, away_x = 0, away_y = 0;
  };
  /// What each boid finds where it is now, by number. As many as were set. count is no whole number.
  void look(std::span<Sums> sums);
  /// Bytes of the grid and of the boids.
  [[nodiscard]] std::size_t memory_bytes() const noexcept;

 private:
  /// Sums around a node; moments are of the distances from it, in nodes. Eight floats: one register.
  struct alignas(32) Node {
    float n, vx, vy, mx, my;         ///< Within sight.
    float near_n, near_mx, near_my;  ///< Within the radius to avoid.
  };
  /// A boid's square of four nodes: the lowest one, and how far along the edges it stands, in [0, 1).
  struct Place {
    std::size_t node;
    float fx, fy;
  };
  /// As many boids as a register has lanes, what they found, column by column.
  struct Batch;

  [[nodiscard]] Place place_of(std::size_t row) const noexcept;
  void prepare();
  void sort();
  void deal_out();
  void sum_up();
  void sum_up_row(std::size_t row);
  void find_near_pairs();
  void read_back(std::size_t first, Batch& batch) const noexcept;
  void steer(std::size_t first, const Batch& batch) noexcept;

  float half_size_;
  FlockRules rules_;
  FieldOptions options_;

  // The grid: rows of `width_` nodes, with room for the discs all around.
  float spacing_ = 0, nodes_per_unit_ = 0, origin_ = 0;  ///< The origin is node 0, in both axes.
  std::size_t margin_ = 0, nodes_ = 0, width_ = 0, height_ = 0;
  FieldDisc sight_, near_;
  std::vector<std::array<float, 4>> dealt_;   ///< n, vx, vy of each node.
  std::array<std::vector<float>, 3> planes_;  ///< The same, apart.
  std::vector<Node> sums_;

  // The boids, in the order of small cells as of some steps ago (of now, where pairs are asked).
  struct Columns {
    std::vector<float> x, y, vx, vy;
    std::vector<std::uint32_t> number;
  };
  std::size_t size_ = 0, steps_to_sort_ = 0;
  Columns now_, sorted_;
  float cells_per_unit_ = 0;
  std::size_t cells_ = 0;  ///< Per axis, one more than needed on each side.
  std::vector<std::uint32_t> starts_, cell_of_boid_;
  std::vector<float> away_x_, away_y_;  ///< By row.
};

}  // namespace juxta::bench
