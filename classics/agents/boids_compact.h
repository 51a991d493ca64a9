// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids.h"

namespace juxta::classics {

/// SseBoids with positions of few bits relative to the cell, which the article names as future work: an
/// experiment (docs/decisions/0023-positions-of-few-bits.md). Stored is
///   std::uint8_t   a cell is 256 steps wide; a place is relative to its cell
///   std::uint16_t  a cell is 2,048 steps wide; a place is relative to the 32nd cell before it, so that
///                  differences are right across cells, and runs may be whole rows
///
///   row          0         1       ..       boids in the order of cells, as in SseBoids
///   place     | x  y  |  x  y  |  ..        two numbers a boid
///   seer      | sx sy |  sx sy |  ..        8 bits: relative to the cell that it looks into
///
/// One difference and one multiply-add of pairs give four squared distances. Positions stay floats between
/// steps; only the search rounds them, down to the step below. So who is near is decided for rounded places,
/// and the results are not quite those of the rules. Boids must be within the world, and the radius that they
/// see less than three cells. One thread.
template <class Stored>
class CompactBoids final : public BoidsClassic {
 public:
  /// Steps to a cell's edge.
  static constexpr std::int32_t kSteps = sizeof(Stored) == 1 ? 256 : 2048;

  /// Whole rows as runs with 16 bits alone; with 8 bits a place says nothing without its cell.
  explicit CompactBoids(float half_size = 10.5F, const FlockRules& rules = {}, SseRuns runs = SseRuns::kCell);
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

 private:
  [[nodiscard]] std::int32_t steps_of(float coordinate) const noexcept;
  void round_places();
  [[nodiscard]] Found found_by(std::uint32_t row) const noexcept;

  float half_size_;
  FlockRules rules_;
  SseRuns runs_;
  BoidsInCellOrder cells_;
  float step_ = 0;                    ///< In units of the world.
  std::int32_t see_ = 0, avoid_ = 0;  ///< The least squared distances, in steps, that are not near.
  std::uint32_t registers_ = 1;       ///< So many differences of those near can be added in 16 bits.
  std::vector<Stored> places_;        ///< Of `sorted`, x and y in turn.
};

extern template class CompactBoids<std::uint8_t>;
extern template class CompactBoids<std::uint16_t>;

}  // namespace juxta::classics
