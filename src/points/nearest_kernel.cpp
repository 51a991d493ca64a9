// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The k nearest points of each seer.
//
// For k up to 15, sixteen seers at once, one a lane (together-inl.h):
//
//   sixteen seers   |s s ... s|     a block, or queries that were sorted like one
//   start           |B|B|B|         the block where they are and its neighbours along the curve: each seer's
//                                   k-th nearest point in them is its reach
//   candidates      |B|B| ... |B|   blocks of the tree within the largest reach, the nearest first
//   one block       |B|             left out if no seer reaches its bounds; else each of its points goes
//                                   into all sixteen lists, in registers
//
// Seers whose lists do not tell (points that are equally far, or that floats cannot tell apart), larger k,
// and seers that are far from each other look one by one (nearest-inl.h).
//
// Per seer, k = 8 in 3D:  about 40 blocks a group. A point takes 8 operations for its sixteen squares and 18
//                         for the lists if one of them takes it. One by one: some 15 blocks, and ranks among
//                         about 30 points.
// Limit:                  arithmetic; blocks stay in the first cache for all sixteen seers.
// Determinism:            reaches only leave out what is not among the nearest; the answer is by (d2,
// number).

#include <algorithm>

#include "core/prefetch.h"
#include "points/nearest_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/points/nearest_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which they need once per instruction set:
#include "points/nearest-inl.h"
#include "points/together-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

/// Sixteen seers at once, for a k below `levels`.
template <int D, class Real, std::uint32_t levels>
class FewNearestFinder : NearestFinder<D, Real> {
  using Base = NearestFinder<D, Real>;

 public:
  FewNearestFinder(const Search<D>& search, const NearestTask<Real>& task) noexcept
      : Base(search, task), together_(search, task.k) {}

  /// Where most are left unsure, by points that are equally far, some groups that follow do without.
  HWY_INLINE std::size_t Find(std::uint32_t first, std::uint32_t last, SearchWork& work) {
    std::size_t found = 0;
    for (std::uint32_t block = first, rest = 0; block < last && met_.ready(); ++block) {
      const Aabb<D> box = this->BeginGroup(block);
      if (end_ - begin_ < kLanes || rest != 0) {
        rest -= rest != 0 ? 1 : 0;
        found += Base::Find(block, block + 1, work);
        continue;
      }
      together_.Begin(begin_, search_.tree.exact != nullptr ? error_ : 0);
      FetchAnswers();
      const std::uint32_t middle = this->BlockAt(box);
      search_.wraps ? together_.template Start<true>(middle) : together_.template Start<false>(middle);
      const float reach = together_.SetReaches(reaches_);
      std::uint32_t unsure = 0;
      found += search_.wraps && !IsInside(search_, box, reach) ? FindGroup<true>(box, reach, unsure, work)
                                                               : FindGroup<false>(box, reach, unsure, work);
      rest = Count(unsure) > kLanes / 2 ? 15 : 0;
    }
    return found;
  }

 private:
  using Base::begin_, Base::candidates_, Base::end_, Base::error_, Base::met_, Base::previous_,
      Base::reaches_, Base::search_, Base::task_;

  template <bool wraps>
  HWY_INLINE std::size_t FindGroup(const Aabb<D>& box, float reach, std::uint32_t& unsure, SearchWork& work) {
    std::size_t found = 0;
    previous_ = kNoPoint;
    const auto visit = [&](const Candidates<D>& candidates) HWY_ATTR {
      if (candidates.Full()) {
        return false;
      }
      const bool few = candidates.count() <= together_.kMostBlocks;
      unsure = (1U << kLanes) - 1;
      if (few) {
        together_.template Meet<wraps>(candidates, box, reach, work);
        unsure = together_.Unsure();
        (void)together_.SetReaches(reaches_);
      }
      for (std::uint32_t lane = begin_; lane < end_; ++lane) {
        found += (unsure >> (lane - begin_) & 1) == 0 ? EndOne(lane)
                                                      : this->template FindOne<wraps>(candidates, lane, work);
      }
      unsure = few ? unsure : 0;
      return true;
    };
    if (!ForEachCandidates<D, wraps>(search_, box, reach, candidates_, work, visit)) {
      found = this->template FindOneByOne<wraps>(work);
    }
    return found;
  }

  /// The points in its list are the nearest. Their keys are almost in order.
  HWY_INLINE std::uint32_t EndOne(std::uint32_t lane) {
    std::uint32_t lanes[levels];
    Real squares[levels];
    std::uint32_t count = together_.List(lane - begin_, lanes);
    bool ascending = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      squares[i] = apart(search_, lane, lanes[i], Real()).d2;
      ascending = ascending & (i == 0 || squares[i - 1] < squares[i]);
    }
    if (HWY_UNLIKELY(!ascending)) {
      Sort(lanes, squares, count);
    }
    const Limit& limit = search_.limits[lane * search_.limit_step];
    const auto most = static_cast<Real>(sizeof(Real) == sizeof(float) ? limit.maybe : limit.exact);
    while (count != 0 && squares[count - 1] > most) {
      --count;
    }
    met_.Write(lane, lanes, squares, count, this->AnswerOf(lane));
    return count;
  }
  /// By (square, number).
  HWY_NOINLINE void Sort(std::uint32_t* lanes, Real* squares, std::uint32_t count) const {
    const std::uint32_t* const number = search_.tree.number;
    for (std::uint32_t i = 1; i < count; ++i) {
      const Real square = squares[i];
      const std::uint32_t lane = lanes[i];
      std::uint32_t to = i;
      for (; to > 0 && (square < squares[to - 1] ||
                        (square == squares[to - 1] && number[lane] < number[lanes[to - 1]]));
           --to) {
        squares[to] = squares[to - 1];
        lanes[to] = lanes[to - 1];
      }
      squares[to] = square;
      lanes[to] = lane;
    }
  }

  /// Answers are far apart: their memory is asked for before they are found.
  HWY_INLINE void FetchAnswers() const {
    for (std::uint32_t lane = begin_; lane < end_; ++lane) {
      const auto answer = this->AnswerOf(lane);
      Fetch(answer.index, task_.k);
      Fetch(answer.distance2, task_.k);
      Fetch(answer.displacement, std::size_t{task_.k} * D);
    }
  }
  template <class T>
  static HWY_INLINE void Fetch(const T* at, std::size_t count) {
    for (std::size_t i = 0; at != nullptr && i < count; i += 64 / sizeof(T)) {
      core_detail::prefetch_line(at + i);
    }
  }

  Together<D, levels> together_;
};

template <int D, class Real>
HWY_INLINE std::size_t NearestBlocks(const Search<D>& search, const NearestTask<Real>& task,
                                     std::uint32_t first, std::uint32_t last, SearchWork& work) {
  return task.k == 1    ? FewNearestFinder<D, Real, 2>(search, task).Find(first, last, work)
         : task.k <= 4  ? FewNearestFinder<D, Real, 5>(search, task).Find(first, last, work)
         : task.k <= 8  ? FewNearestFinder<D, Real, 9>(search, task).Find(first, last, work)
         : task.k <= 15 ? FewNearestFinder<D, Real, 16>(search, task).Find(first, last, work)
                        : NearestFinder<D, Real>(search, task).Find(first, last, work);
}
std::size_t Nearest2F(const Search<2>& search, const NearestTask<float>& task, std::uint32_t first,
                      std::uint32_t last, SearchWork& work) {
  return NearestBlocks(search, task, first, last, work);
}
std::size_t Nearest3F(const Search<3>& search, const NearestTask<float>& task, std::uint32_t first,
                      std::uint32_t last, SearchWork& work) {
  return NearestBlocks(search, task, first, last, work);
}
std::size_t Nearest2D(const Search<2>& search, const NearestTask<double>& task, std::uint32_t first,
                      std::uint32_t last, SearchWork& work) {
  return NearestBlocks(search, task, first, last, work);
}
std::size_t Nearest3D(const Search<3>& search, const NearestTask<double>& task, std::uint32_t first,
                      std::uint32_t last, SearchWork& work) {
  return NearestBlocks(search, task, first, last, work);
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::points_detail {

JUXTA_KERNEL(Nearest2F);
JUXTA_KERNEL(Nearest3F);
JUXTA_KERNEL(Nearest2D);
JUXTA_KERNEL(Nearest3D);

template <>
std::size_t nearest_blocks(const Search<2>& search, const NearestTask<float>& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Nearest2F)(search, task, first, last, work);
}
template <>
std::size_t nearest_blocks(const Search<3>& search, const NearestTask<float>& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Nearest3F)(search, task, first, last, work);
}
template <>
std::size_t nearest_blocks(const Search<2>& search, const NearestTask<double>& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Nearest2D)(search, task, first, last, work);
}
template <>
std::size_t nearest_blocks(const Search<3>& search, const NearestTask<double>& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Nearest3D)(search, task, first, last, work);
}

}  // namespace juxta::points_detail
#endif  // HWY_ONCE
