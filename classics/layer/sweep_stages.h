// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classics/layer/collision_layer.h"
#include "classics/layer/dual_axis-inl.h"
#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/math/aabb.h"

namespace juxta::classics {

/// How "Find Pairs 1" to "Find Pairs 4" (parts 1, 5, 8 and 11) make the sweep over one sorted bucket faster,
/// step by step. The pairs are the same. All take boxes that are sorted by xmin already, as the article's
/// tests do; what else is sorted or precomputed beforehand stands beside each.
enum class SweepStage : std::uint8_t {
  kNaive,       ///< Part 1: an array of structures; four compares, each with its branch.
  kOneBranch,   ///< Part 1: the four results or-ed as integers: one branch.
  kSimd,        ///< Part 1: two vectors put together from eight floats, one compare, one movmskps.
  kRearranged,  ///< Part 5: y and z side by side in the structure: two loads, two shuffles.
  kColumns,     ///< Parts 5, 8: columns instead of structures, shuffled by halves ("SoaShuffle",
                ///< "OptimalOrder").
  kFlipped,  ///< Part 8: upper bounds negated, no shuffle in the loop. What the layer does (Sweep::kOneAxis).
  kSentinel,    ///< Part 8: an xmin of infinity behind the last box ends the loop.
  kBatches,     ///< Part 8: bounds of eight boxes at a time (precomputed) are tested first.
  kUnrolled4,   ///< Part 8: four boxes a turn, no branch: each pair goes to a buffer and counts when it
                ///< overlaps.
  kUnrolled16,  ///< Part 8: sixteen a turn.
  kTwoAxes,     ///< Part 8: dual_axis-inl.h; its sorts and ranges are precomputed.
  kLinked,      ///< Part 11: as kTwoAxes, but open boxes form a list in the order of zmin, instead of bits.
  kAvx,         ///< Part 11: two boxes to an 8-wide compare (Sweep::kPaired).
};
inline constexpr std::array kSweepStages{
    SweepStage::kNaive,     SweepStage::kOneBranch,  SweepStage::kSimd,     SweepStage::kRearranged,
    SweepStage::kColumns,   SweepStage::kFlipped,    SweepStage::kSentinel, SweepStage::kBatches,
    SweepStage::kUnrolled4, SweepStage::kUnrolled16, SweepStage::kTwoAxes,  SweepStage::kLinked,
    SweepStage::kAvx};

/// Two stages have a slip in the printed code. kPublished is here to show them in a test.
/// - kSentinel: the bounds of the box that looks are negated but not turned round, so that lower bounds are
/// compared
///   with lower ones. Other pairs are found.
/// - kUnrolled*: a box that begins exactly where the looking one ends is left out, which the other stages
/// report.
enum class StageForm : std::uint8_t { kCorrected, kPublished };

/// Boxes in every layout that a stage wants. One thread.
class SweepStages {
 public:
  explicit SweepStages(std::span<const Aabb3> boxes);
  SweepStages(const SweepStages&) = delete;
  SweepStages& operator=(const SweepStages&) = delete;

  /// All pairs, in the stage's order and each once; writes as many as `out` holds, returns how many there
  /// are.
  std::size_t find_pairs(SweepStage stage, std::span<Pair> out, StageForm form = StageForm::kCorrected);

 private:
  struct BoxEntity {  // 32 bytes, as printed
    Aabb3 box;
    std::uint32_t index, version;
  };
  struct Rearranged {
    float xmin, xmax;
    float yz[4];  // ymin, zmin, ymax, zmax
    std::uint32_t index, version;
  };
  struct Out;

  std::size_t naive(Out out) const;
  std::size_t one_branch(Out out) const;
  std::size_t simd(Out out) const;
  std::size_t rearranged(Out out) const;
  std::size_t columns(Out out) const;
  std::size_t flipped(Out out) const;
  template <StageForm kForm>
  std::size_t sentinel(Out out) const;
  std::size_t batches(Out out) const;
  template <std::uint32_t kTurn, StageForm kForm>
  std::size_t unrolled(Out out) const;
  std::size_t two_axes(Out out);
  std::size_t linked(Out out);
  std::size_t avx(Out out) const;

  Workspace workspace_;
  CollisionLayer layer_;  // one bucket: columns with flipped signs
  LayerRows rows_{};
  std::vector<BoxEntity> boxes_;
  std::vector<Rearranged> rearranged_;
  std::vector<float> xmins_;  // one more than boxes: infinity
  std::vector<YzBounds> yz_;  // ymin, zmin, ymax, zmax, whatever the names say: nothing is negated here
  std::vector<YzBounds> batches_;
  DualAxes axes_;
  std::vector<std::uint32_t> next_;  // of kLinked, by row
};

}  // namespace juxta::classics
