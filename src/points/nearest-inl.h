// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the nearest points of one seer after the other. For kernel files only.
//
//   sixteen seers   |s s ... s|     a block, its centre c, and some blocks of the tree around it
//   reach           d(c) + |s - c|  d(c): of these points the k-th nearest to c. No seer's k-th is further
//   candidates      |B|B| ... |B|   blocks of the tree within the reach of the group
//   one seer        |X|.|X| .. |.|  those within an eighth of its reach are looked into first; the k-th
//                                   nearest in them is the new reach, usually a good one
//   what it met     d2 d2 d2 ...    pushed together with their lanes; ranks of the last ones are the answer
//
// The next seer is near this one, so its reach is at most d(this) + |s - this|.

#if defined(JUXTA_POINTS_NEAREST_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_POINTS_NEAREST_INL_H
#undef JUXTA_POINTS_NEAREST_INL_H
#else
#define JUXTA_POINTS_NEAREST_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "points/met-inl.h"
#include "points/nearest_kernel.h"
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

constexpr float kMostFloat = std::numeric_limits<float>::max();

/// A sum of two sides of a triangle as a squared reach, rounded up.
HWY_INLINE float SquaredReach(float sides, float error) {
  const float reach = sides * 1.00001F + 4 * error;
  return std::min(reach * reach, kMostFloat);
}

/// One seer after the other.
template <int D, class Real>
class NearestFinder {
 public:
  NearestFinder(const Search<D>& search, const NearestTask<Real>& task) noexcept
      : search_(search), task_(task), periods_(search.periods), met_(search, task.k, *task.memory) {}

  HWY_NOINLINE std::size_t Find(std::uint32_t first, std::uint32_t last, SearchWork& work) {
    std::size_t found = 0;
    for (std::uint32_t block = first; block < last && met_.ready(); ++block) {
      const Aabb<D> box = BeginGroup(block);
      const float reach = SetReaches(box);
      found += search_.wraps && !IsInside(search_, box, reach) ? FindGroup<true>(box, reach, work)
                                                               : FindGroup<false>(box, reach, work);
    }
    return found;
  }

 protected:
  /// The bounds of a block of seers.
  HWY_INLINE Aabb<D> BeginGroup(std::uint32_t block) {
    begin_ = block * kLanes;
    end_ = std::min(begin_ + kLanes, search_.seers.count);
    const Aabb<D> box = search_.seers.boxes.level[0][block / kLanes].box(block % kLanes);
    error_ = error_of(search_, box);
    return box;
  }

  template <bool wraps>
  HWY_INLINE std::size_t FindGroup(const Aabb<D>& box, float reach, SearchWork& work) {
    std::size_t found = 0;
    previous_ = kNoPoint;
    const auto visit = [&](const Candidates<D>& candidates) HWY_ATTR {
      if (candidates.Full()) {
        return false;
      }
      for (std::uint32_t lane = begin_; lane < end_; ++lane) {
        found += FindOne<wraps>(candidates, lane, work);
      }
      return true;
    };
    if (!ForEachCandidates<D, wraps>(search_, box, reach, candidates_, work, visit)) {
      found = FindOneByOne<wraps>(work);
    }
    return found;
  }

  template <bool wraps>
  HWY_NOINLINE std::uint32_t FindOne(const Candidates<D>& candidates, std::uint32_t lane, SearchWork& work) {
    Begin(lane);
    Look<wraps>(candidates, lane, work);
    return End(lane);
  }

  /// Where a group may see more than there is room for candidates.
  template <bool wraps>
  HWY_NOINLINE std::size_t FindOneByOne(SearchWork& work) {
    std::size_t found = 0;
    previous_ = kNoPoint;
    for (std::uint32_t lane = begin_; lane < end_; ++lane) {
      Begin(lane);
      Aabb<D> box;
      for (int axis = 0; axis < D; ++axis) {
        box.lo[axis] = box.hi[axis] = search_.seers.blocks[lane / kLanes].at[axis][lane % kLanes];
      }
      (void)ForEachCandidates<D, wraps>(search_, box, met_.reach(), candidates_, work,
                                        [&](const Candidates<D>& candidates) HWY_ATTR {
                                          Look<wraps>(candidates, lane, work);
                                          return true;
                                        });
      found += End(lane);
    }
    return found;
  }

  /// The squared distance within which each seer's k nearest are at least; the largest of them.
  HWY_INLINE float SetReaches(const Aabb<D>& box) {
    float centre[D];
    for (int axis = 0; axis < D; ++axis) {
      centre[axis] = box.lo[axis] * 0.5F + box.hi[axis] * 0.5F;
    }
    const std::uint32_t wanted = task_.k + (search_.own ? 1 : 0);  // itself is among them
    const bool enough = wanted <= search_.tree.count;
    const float of_centre = enough ? std::sqrt(ReachOf(centre, wanted)) : 0;
    float most = 0;
    for (std::uint32_t lane = begin_; lane < end_; ++lane) {
      float& reach = reaches_[lane - begin_];
      reach = search_.limits[lane * search_.limit_step].maybe;
      if (enough) {
        const Apart<D, float> side(&search_.seers.blocks[lane / kLanes].at[0][lane % kLanes], kLanes, centre,
                                   1, search_.periods);
        reach = std::min(reach, SquaredReach(of_centre + std::sqrt(side.d2), error_));
      }
      most = std::max(most, reach);
    }
    return most;
  }

  /// The squared distance of the n-th nearest to a point, among some that are near it.
  HWY_INLINE float ReachOf(const float (&point)[D], std::uint32_t n) {
    const FloatTag d;
    Floats at[D];
    for (int axis = 0; axis < D; ++axis) {
      at[axis] = hn::Set(d, point[axis]);
    }
    const std::uint32_t blocks = search_.tree.block_count();
    const std::uint32_t some = std::min(n / kLanes + 2, blocks);
    const std::uint32_t middle = IsTree() ? begin_ / kLanes : BlockNear(at);
    const std::uint32_t first = std::min(middle - std::min(middle, some / 2), blocks - some);
    for (std::uint32_t block = first; block < first + some; ++block) {
      for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
        Floats squares = SquaresFrom<D, true>(search_.tree.blocks[block], part, at, periods_);
        // Behind the last point: infinitely far.
        squares = hn::IfThenElse(hn::Eq(squares, squares), squares, hn::Set(d, kMostFloat));
        met_.Note(squares, (block - first) * kLanes + part * kStep);
      }
    }
    return met_.NthNoted(n, some * kLanes);
  }

  /// The seers are the points of the tree, whether each leaves itself out or not.
  [[nodiscard]] HWY_INLINE bool IsTree() const { return search_.seers.blocks == search_.tree.blocks; }
  /// A block of the tree where the seers of a box are, or near them.
  HWY_INLINE std::uint32_t BlockAt(const Aabb<D>& box) const {
    if (IsTree()) {
      return begin_ / kLanes;
    }
    Floats at[D];
    for (int axis = 0; axis < D; ++axis) {
      at[axis] = hn::Set(FloatTag(), box.lo[axis] * 0.5F + box.hi[axis] * 0.5F);
    }
    return BlockNear(at);
  }
  /// A block of the tree that is near: down to the nearest child from level to level.
  HWY_NOINLINE std::uint32_t BlockNear(const Floats (&at)[D]) const {
    const FloatTag d;
    std::uint32_t block = 0;
    for (std::uint32_t level = search_.tree.boxes.levels; level-- > 0;) {
      const BoxBlock<D>& node = search_.tree.boxes.level[level][block];
      alignas(64) float gaps[kLanes];
      for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
        Floats lo[D], hi[D];
        for (int axis = 0; axis < D; ++axis) {
          lo[axis] = hn::Load(d, node.lo[axis] + part * kStep);
          hi[axis] = hn::Load(d, node.hi[axis] + part * kStep);
        }
        hn::Store(SquaredGaps<D, true>(lo, hi, at, at, periods_), d, gaps + part * kStep);
      }
      block = block * kLanes + static_cast<std::uint32_t>(std::min_element(gaps, gaps + kLanes) - gaps);
    }
    return block;
  }

  HWY_INLINE void Begin(std::uint32_t lane) {
    float reach = reaches_[lane - begin_];
    if (previous_ != kNoPoint) {
      const auto& blocks = search_.seers.blocks;
      const Apart<D, float> side(&blocks[lane / kLanes].at[0][lane % kLanes], kLanes,
                                 &blocks[previous_ / kLanes].at[0][previous_ % kLanes], kLanes,
                                 search_.periods);
      reach = std::min(reach, SquaredReach(previous_distance_ + std::sqrt(side.d2), error_));
    }
    met_.Begin(reach, search_.tree.exact != nullptr ? error_ : 0);
  }

  /// What one seer meets in these blocks.
  template <bool wraps>
  HWY_INLINE void Look(const Candidates<D>& found, std::uint32_t lane, SearchWork& work) {
    const Seer<D> seer(search_, lane);
    const float close = met_.reach() * (1.0F / 64);
    std::uint32_t blocks = found.template Near<wraps>(seer.at, -1.0F, close, periods_, hits_);
    work.tested += std::size_t{blocks} * kLanes;
    met_.template Meet<wraps>(seer, hits_, blocks, periods_);
    met_.Tighten();
    blocks = found.template Near<wraps>(seer.at, close, met_.reach(), periods_, hits_);
    work.tested += std::size_t{blocks} * kLanes;
    met_.template Meet<wraps>(seer, hits_, blocks, periods_);
  }

  /// Where the answer of a seer goes.
  HWY_INLINE typename Met<D, Real>::Answer AnswerOf(std::uint32_t lane) const {
    const std::size_t at = std::size_t{search_.seers.number[lane]} * task_.k;
    return {task_.index + at, task_.distance2 == nullptr ? nullptr : task_.distance2 + at,
            task_.displacement == nullptr ? nullptr : task_.displacement + at * D};
  }

  HWY_INLINE std::uint32_t End(std::uint32_t lane) {
    const std::uint32_t found = met_.Finish(lane, AnswerOf(lane));
    previous_ = found == task_.k && found != 0 ? lane : kNoPoint;
    previous_distance_ = met_.furthest();
    return found;
  }

  const Search<D>& search_;
  const NearestTask<Real>& task_;
  SplatPeriods<D> periods_;
  std::uint32_t begin_ = 0, end_ = 0;  // the group
  float error_ = 0;                    // of distances in it
  float reaches_[kLanes];              // squared
  std::uint32_t previous_ = kNoPoint;  // the seer before, if it found k
  float previous_distance_ = 0;        // and how far the last of them is
  Met<D, Real> met_;
  Candidates<D> candidates_;
  alignas(64) std::uint32_t hits_[Candidates<D>::kMost + kLanes];
};

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
