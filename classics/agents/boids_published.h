// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/agents/boids.h"

namespace juxta::classics {

/// What SseBlockBoids does with four boids whose indices follow each other.
enum class SeerLoads : std::uint8_t {
  kWhereTheyFollow,  ///< As meant: one load a column. Other fours are gathered.
  kNever,            ///< What the printed test comes to (agents_boids_slips_test): all are gathered.
};

/// In which order SseBlockBoids walks over the cells, and therefore writes its boids.
enum class CellWalk : std::uint8_t {
  kRows,    ///< As published.
  kMorton,  ///< The curves that the article names as future work.
  kHilbert,
};

struct SseBlockOptions {
  SeerLoads loads = SeerLoads::kWhereTheyFollow;
  CellWalk walk = CellWalk::kRows;
};

/// The article's SIMD kernel. A cell is a list of blocks of indices; four boids of a block look together,
/// and meet one neighbour after the other:
///
///   four seers, loaded or gathered        | x7 x8 x9 x10 |
///   one neighbour, in all lanes           | x3 x3 x3 x3  |   for each index of each block of each cell
///   cells between the least and the most that any of the four reaches
///
/// What they become is written in the order in which the cells are walked, so that boids near each other are
/// near each other in the next step, and many fours have indices that follow each other.
///
/// As printed: columns, blocks of indices, four against one, the mask that leaves a boid itself out, loading
/// or gathering, rules in four lanes, the order of writing. Not as printed: the slips (docs/agents.md), the
/// size of blocks, sums of differences instead of positions, and the numbers of boids, which the program does
/// not keep. The last boids of a block, fewer than four, are gathered with copies of the first.
class SseBlockBoids final : public BoidsClassic {
 public:
  explicit SseBlockBoids(float half_size = 10.5F, const FlockRules& rules = {}, const BoidsGridOptions& = {},
                         const SseBlockOptions& = {});
  void set(std::span<const Boid> boids) override;
  void step() override;
  void get(std::span<Boid> boids) const override;

  /// How the groups of seers came into the registers, since set().
  struct Groups {
    std::uint64_t loaded = 0, gathered = 0;
    std::uint64_t fewer = 0;  ///< Of fewer than four, always gathered.
  };
  [[nodiscard]] const Groups& groups() const noexcept { return groups_; }

 private:
  using Cells = BlockCells<28>;  ///< Two cache lines a block.
  struct Kernel;

  float half_size_;
  FlockRules rules_;
  SeerLoads loads_;
  BoidsGrid grid_;
  std::vector<std::uint32_t> walk_;  ///< All cells, as they are walked.
  BoidColumns now_, next_;
  Cells cells_;
  Groups groups_;
};

}  // namespace juxta::classics
