// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The pairs of near points, each once.
//
//   a block          |s s ... s|            sixteen points, and their bounds
//   candidates       |B|B|B| ... |B|        this block and those behind it, within the radius of its bounds
//   one point        |.|X|.| ... |X|        of them within its own radius: 16 bounds a compare, about 7
//   one of those     . 7 . . 3 . 9 .        numbers of its points; those that are near, pushed together
//   pairs            3 5 | 5 7 | 5 9        with the number of s, 5: the lower one first
//
// Per point with 30 neighbours in 3D: half of the steps of find_kernel.cpp, since no pair is met twice.
// Limit:           arithmetic; 8 bytes a pair are written one behind the other.
// Determinism:     blocks and lanes ascend; differences of a pair have the same squares both ways.

#include "points/pairs_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/points/pairs_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

template <int D, bool exact>
class PairFinder {
 public:
  PairFinder(const Search<D>& search, PairSink& sink) noexcept
      : search_(search), sink_(sink), periods_(search.periods) {}

  HWY_INLINE bool Find(std::uint32_t first, std::uint32_t last, SearchWork& work) {
    bool going = true;
    ForEachGroup(search_, first, last,
                 [&](std::uint32_t begin, std::uint32_t end, const Aabb<D>& box, float maybe, auto wraps)
                     HWY_ATTR {
                       const auto visit = [&](const Candidates<D>& found) HWY_ATTR {
                         hits_.template Fill<wraps()>(search_, found, periods_, begin, end);
                         for (std::uint32_t lane = begin; going && lane < end; ++lane) {
                           const std::uint32_t count = hits_.Count(lane - begin);
                           work.tested += std::size_t{count} * kLanes;
                           going = Look<wraps()>(hits_.Blocks(lane - begin), count, lane);
                         }
                         return going;
                       };
                       if (going) {
                         (void)ForEachCandidates<D, wraps()>(search_, box, maybe, candidates_, work, visit,
                                                             begin / kLanes);
                       }
                     });
    return going;
  }

 private:
  /// What one point sees in these blocks, behind it in the tree.
  template <bool wraps>
  HWY_INLINE bool Look(const std::uint32_t* HWY_RESTRICT blocks, std::uint32_t count, std::uint32_t lane) {
    const WordTag words;
    const Search<D>& search = search_;
    const SplatPeriods<D> periods = periods_;
    const Seer<D> seer(search, lane);
    const Words own = hn::Set(words, search.seers.number[lane]);
    const std::uint32_t own_block = lane / kLanes;
    const std::uint32_t behind = ~((2U << lane % kLanes) - 1);
    const std::uint32_t* const HWY_RESTRICT number = search.tree.number;
    PointPair* HWY_RESTRICT out = sink_.at;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (HWY_UNLIKELY(sink_.end - out < PairSink::kLeastRoom)) {
        sink_.at = out;
        if (!sink_.more(sink_)) {
          return false;
        }
        out = sink_.at;
      }
      const std::uint32_t block = blocks[i];
      const std::uint32_t near = NearBits<D, wraps, exact, false>(search, block, seer, periods, own) &
                                 (block == own_block ? behind : ~std::uint32_t{0});
      for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
        const std::uint32_t bits = BitsOfPart(near, part);
        const Words others = Pack(hn::Load(words, number + block * kLanes + part * kStep), bits);
        hn::StoreInterleaved2(hn::Min(others, own), hn::Max(others, own), words, &out->a);
        out += Count(bits);
      }
    }
    sink_.at = out;
    return true;
  }

  const Search<D>& search_;
  PairSink& sink_;
  SplatPeriods<D> periods_;
  Candidates<D> candidates_;
  GroupHits<D> hits_;
};

template <int D>
HWY_INLINE bool PairBlocks(const Search<D>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                           SearchWork& work) {
  return search.tree.exact != nullptr ? PairFinder<D, true>(search, sink).Find(first, last, work)
                                      : PairFinder<D, false>(search, sink).Find(first, last, work);
}
bool PairBlocks2(const Search<2>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) {
  return PairBlocks(search, sink, first, last, work);
}
bool PairBlocks3(const Search<3>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) {
  return PairBlocks(search, sink, first, last, work);
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::points_detail {

JUXTA_KERNEL(PairBlocks2);
JUXTA_KERNEL(PairBlocks3);

template <>
bool pair_blocks(const Search<2>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(PairBlocks2)(search, sink, first, last, work);
}
template <>
bool pair_blocks(const Search<3>& search, PairSink& sink, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(PairBlocks3)(search, sink, first, last, work);
}

}  // namespace juxta::points_detail
#endif  // HWY_ONCE
