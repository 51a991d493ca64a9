// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The water of models/dam_break.cpp as one would write it without Juxta: particles in the order of cells as
// wide as the kernel reaches, sorted anew each step by counting, and one loop over the cells around each. In
// float, as the model is. Oracle of its tests and yardstick of bench_models.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace juxta::test {

/// What the equations (models/dam_break_rules.h) need to know. SI units.
struct ScalarWater {
  double spacing, h, sound, gravity;
  double viscosity, diffusion;  ///< alpha and delta
  double time_step;
  double depth;  ///< In 3D: the period along z.
};

template <std::size_t dimensions>
class ScalarDamBreak {
 public:
  using Vector = std::array<float, dimensions>;
  /// What others see of a particle, side by side in memory: the loop over pairs reads this alone.
  struct Seen {
    Vector x, v;
    float push, head;
    float water;  // 1, or 0 for a wall
  };
  struct Own {
    Vector u;
    float compression;
    std::uint32_t number;
  };

  explicit ScalarDamBreak(const ScalarWater& water);
  void add(const Seen& seen, const Own& own);
  void step();

  /// In the order of cells.
  [[nodiscard]] const std::vector<Seen>& seen() const noexcept { return seen_; }
  [[nodiscard]] const std::vector<Own>& own() const noexcept { return own_; }

 private:
  /// The sums over all that a particle sees, without their common factor.
  struct Found {
    Vector force;
    float rate;
  };
  /// What a wall adds up of the water in reach.
  struct Touched {
    float weight, heads;
  };
  using Cell = std::array<std::int32_t, dimensions>;

  void sort();
  void bound_cells();
  [[nodiscard]] Cell cell_of(const Seen& particle) const noexcept;
  [[nodiscard]] std::uint32_t number_of(const Cell& cell) const noexcept;
  template <class Sums>
  [[nodiscard]] Sums look_around(std::uint32_t row) const noexcept;
  template <bool wrapped, class Sums>
  void look_along(std::uint32_t row, const Cell& at, Sums& sums) const noexcept;
  /// What one pair adds to the sums, where d is from `me` to `other`.
  void add_pair(const Seen& me, const Seen& other, const Vector& d, float distance2,
                Found& sum) const noexcept;
  void add_pair(const Seen& me, const Seen& other, const Vector& d, float distance2,
                Touched& sum) const noexcept;
  void carry(std::uint32_t row, const Touched& touched) noexcept;
  void move(std::uint32_t row, const Found& found) noexcept;

  float reach_, viscosity_, softening_;
  float time_step_, gravity_, scale_, sound2_, diffusion_, still_slope_, depth_;
  Vector lo_{}, one_over_edge_{};
  Cell cells_{};
  std::vector<std::uint32_t> begins_, cell_;
  std::vector<Seen> seen_, sorted_seen_;
  std::vector<Own> own_, sorted_own_;
  std::vector<Found> found_;
};

}  // namespace juxta::test
