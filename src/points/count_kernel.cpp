// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many points are near each seer.
//
//   sixteen seers    |s s ... s|            a block of points, and its bounds
//   candidates       |B|B|B| ... |B|        blocks of the tree within the radius of those bounds: about 40
//   one seer         |.|X|.| ... |X|        of them within its own radius: 16 bounds a compare, about 13
//   one of those     d2 <= limit            16 points: 3 loads, 3 differences, 3 squares, 2 sums, a compare
//
// Per seer with 30 neighbours in 3D: some 3 steps over bounds and 13 over points, 16 lanes each.
// Limit:           arithmetic; the blocks of the candidates stay in the first cache for all sixteen seers.
// Determinism:     bounds only leave out what is not near; d2 is one fixed sequence of operations.

#include "points/neighbours_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/points/count_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

template <int D, bool exact, bool half>
HWY_INLINE void CountGroups(const Search<D>& search, std::uint32_t first, std::uint32_t last,
                            std::uint32_t* HWY_RESTRICT counts, SearchWork& work) {
  const SplatPeriods<D> periods(search.periods);
  Candidates<D> candidates;
  GroupHits<D> hits;
  ForEachGroup(
      search, first, last,
      [&](std::uint32_t begin, std::uint32_t end, const Aabb<D>& box, float maybe, auto wraps) HWY_ATTR {
        std::uint32_t near[kLanes] = {};
        const auto visit = [&](const Candidates<D>& found) HWY_ATTR {
          hits.template Fill<wraps()>(search, found, periods, begin, end);
          for (std::uint32_t i = 0; i < end - begin; ++i) {
            const Seer<D> seer(search, begin + i);
            const Words own = hn::Set(WordTag(), search.seers.number[begin + i]);
            const std::uint32_t* const HWY_RESTRICT blocks = hits.Blocks(i);
            std::uint32_t count = 0;
            for (std::uint32_t k = 0; k < hits.Count(i); ++k) {
              count += Count(NearBits<D, wraps(), exact, half>(search, blocks[k], seer, periods, own));
            }
            near[i] += count;
            work.tested += std::size_t{hits.Count(i)} * kLanes;
          }
          return true;
        };
        (void)ForEachCandidates<D, wraps()>(search, box, maybe, candidates, work, visit);
        for (std::uint32_t lane = begin; lane < end; ++lane) {
          counts[search.seers.number[lane]] = near[lane - begin] - (search.own && !half ? 1 : 0);
        }
      });
}

template <int D>
void CountBlocks(const Search<D>& search, bool half, std::uint32_t first, std::uint32_t last,
                 std::uint32_t* counts, SearchWork& work) {
  if (search.tree.exact != nullptr) {
    half ? CountGroups<D, true, true>(search, first, last, counts, work)
         : CountGroups<D, true, false>(search, first, last, counts, work);
  } else {
    half ? CountGroups<D, false, true>(search, first, last, counts, work)
         : CountGroups<D, false, false>(search, first, last, counts, work);
  }
}
void CountBlocks2(const Search<2>& search, bool half, std::uint32_t first, std::uint32_t last,
                  std::uint32_t* counts, SearchWork& work) {
  CountBlocks(search, half, first, last, counts, work);
}
void CountBlocks3(const Search<3>& search, bool half, std::uint32_t first, std::uint32_t last,
                  std::uint32_t* counts, SearchWork& work) {
  CountBlocks(search, half, first, last, counts, work);
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::points_detail {

JUXTA_KERNEL(CountBlocks2);
JUXTA_KERNEL(CountBlocks3);

template <>
void count_blocks(const Search<2>& search, bool half, std::uint32_t first, std::uint32_t last,
                  std::uint32_t* counts, SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(CountBlocks2)(search, half, first, last, counts, work);
}
template <>
void count_blocks(const Search<3>& search, bool half, std::uint32_t first, std::uint32_t last,
                  std::uint32_t* counts, SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(CountBlocks3)(search, half, first, last, counts, work);
}

}  // namespace juxta::points_detail
#endif  // HWY_ONCE
