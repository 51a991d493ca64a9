// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The neighbours of each seer as a list, somewhere in memory.
//
//   sixteen seers    |s s ... s|            a block of points, and its bounds
//   candidates       |B|B|B| ... |B|        blocks of the tree within the radius of those bounds: about 40
//   one seer         |.|X|.| ... |X|        of them within its own radius: 16 bounds a compare, about 13
//   one of those     . 7 . . 3 . 9 .        numbers of its points; those that are near ...
//   the list         7 3 9 ...              ... pushed together behind what other blocks gave
//
// Per seer with 30 neighbours in 3D: as counting (count_kernel.cpp), and 13 packings of a register.
// Limit:           arithmetic; 4 bytes a neighbour are written one behind the other.
// Determinism:     blocks and lanes ascend; where a list lies depends on the threads, what it holds does not.

#include "order/radix_buffers.h"
#include "points/neighbours_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/points/find_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

/// Finds the lists of one block of seers after the other.
template <int D, bool exact, bool half>
class ListFinder {
 public:
  ListFinder(const Search<D>& search, const FindTask& task) noexcept
      : search_(search), task_(task), periods_(search.periods) {}
  ListFinder(const ListFinder&) = delete;
  ListFinder& operator=(const ListFinder&) = delete;
  ~ListFinder() { task_.memory->give_back(room_); }

  HWY_INLINE void Find(std::uint32_t first, std::uint32_t last, SearchWork& work) {
    ForEachGroup(search_, first, last,
                 [&](std::uint32_t begin, std::uint32_t end, const Aabb<D>& box, float maybe, auto wraps)
                     HWY_ATTR {
                       const auto visit = [&](const Candidates<D>& found) HWY_ATTR {
                         if (found.Full()) {
                           return false;
                         }
                         hits_.template Fill<wraps()>(search_, found, periods_, begin, end);
                         for (std::uint32_t lane = begin; lane < end; ++lane) {
                           Begin();
                           Look<wraps()>(hits_.Blocks(lane - begin), hits_.Count(lane - begin), lane, work);
                           End(lane);
                         }
                         return true;
                       };
                       if (!ForEachCandidates<D, wraps()>(search_, box, maybe, candidates_, work, visit)) {
                         FindOneByOne<wraps()>(begin, end, work);
                       }
                       // Their places are far apart: stores that wait for memory would hold up all others.
                       for (std::uint32_t lane = begin; lane < end; ++lane) {
                         task_.counts[search_.seers.number[lane]] = lengths_[lane - begin];
                       }
                     });
  }

 private:
  /// Where a seer may see more than there is room for candidates: without a group.
  template <bool wraps>
  HWY_NOINLINE void FindOneByOne(std::uint32_t begin, std::uint32_t end, SearchWork& work) {
    for (std::uint32_t lane = begin; lane < end; ++lane) {
      Begin();
      Aabb<D> box;
      for (int axis = 0; axis < D; ++axis) {
        box.lo[axis] = box.hi[axis] = search_.seers.blocks[lane / kLanes].at[axis][lane % kLanes];
      }
      const float maybe = search_.limits[lane * search_.limit_step].maybe;
      (void)ForEachCandidates<D, wraps>(
          search_, box, maybe, candidates_, work, [&](const Candidates<D>& found) HWY_ATTR {
            hits_.template Fill<wraps>(search_, found, periods_, lane, lane + 1);
            Look<wraps>(hits_.Blocks(0), hits_.Count(0), lane, work);
            return true;
          });
      End(lane);
    }
  }

  HWY_INLINE void Begin() { list_ = room_.at; }

  /// What one seer sees of these blocks, behind what its list holds.
  template <bool wraps>
  HWY_INLINE void Look(const std::uint32_t* blocks, std::uint32_t count, std::uint32_t lane,
                       SearchWork& work) {
    work.tested += std::size_t{count} * kLanes;
    const std::size_t least = std::size_t{count} * kLanes + kBehindList;
    if (HWY_UNLIKELY(static_cast<std::size_t>(room_.end - room_.at) < least) && !MakeRoom(least)) {
      return;
    }
    const Seer<D> seer(search_, lane);
    room_.at =
        task_.lanes ? Collect<wraps, true>(seer, blocks, count) : Collect<wraps, false>(seer, blocks, count);
  }

  /// Lanes or numbers of what a seer sees in these blocks.
  template <bool wraps, bool lanes>
  HWY_INLINE std::uint32_t* Collect(const Seer<D>& seer, const std::uint32_t* HWY_RESTRICT blocks,
                                    std::uint32_t count) {
    const WordTag words;
    const Search<D>& search = search_;
    const SplatPeriods<D> periods = periods_;
    const Words own = hn::Set(words, search.seers.number[seer.lane]);
    const std::uint32_t own_block = !half && search.own ? seer.lane / kLanes : ~std::uint32_t{0};
    const std::uint32_t others = ~(1U << seer.lane % kLanes);
    const std::uint32_t* const HWY_RESTRICT number = search.tree.number;
    std::uint32_t* HWY_RESTRICT out = room_.at;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t block = blocks[i];
      std::uint32_t near = NearBits<D, wraps, exact, half>(search, block, seer, periods, own);
      near &= !half && block == own_block ? others : ~std::uint32_t{0};
      for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
        const std::uint32_t bits = BitsOfPart(near, part), lane = block * kLanes + part * kStep;
        const Words which =
            lanes ? hn::Add(hn::Set(words, lane), hn::Iota(words, 0U)) : hn::Load(words, number + lane);
        hn::StoreU(Pack(which, bits), words, out);
        out += Count(bits);
      }
    }
    return out;
  }

  /// The list that was begun moves to where there is room for so many more.
  HWY_NOINLINE bool MakeRoom(std::size_t least) {
    const auto length = static_cast<std::size_t>(room_.at - list_);
    const Room rest{list_, room_.end};
    // Its memory is not given back before it was copied: `rest` stays out of the hands of others until then.
    const Room room = task_.memory->take(2 * length + least, {});
    if (room.at == nullptr) {
      room_ = rest;
      return false;
    }
    std::copy_n(list_, length, room.at);
    task_.memory->give_back(rest);
    list_ = room.at;
    room_ = {room.at + length, room.end};
    return true;
  }

  HWY_INLINE void End(std::uint32_t lane) {
    const auto length = static_cast<std::size_t>(room_.at - list_);
    lengths_[lane % kLanes] = length;
    if (HWY_UNLIKELY(length > kShortList && task_.sorted)) {
      SortLong(length);
    }
    task_.list_of[lane] = list_;  // sorting may have moved it
  }

  /// By number, digit by digit: branches of std::sort would be mispredicted. Works in the free memory behind
  /// the list, where the next one will be.
  HWY_NOINLINE void SortLong(std::size_t length) {
    const std::size_t spare = task_.lanes ? 3 * length : length;
    if (static_cast<std::size_t>(room_.end - room_.at) < spare && !MakeRoom(spare)) {
      return;
    }
    std::uint32_t* const free = room_.at;
    if (task_.lanes) {
      for (std::size_t i = 0; i < length; ++i) {
        free[i] = search_.tree.number[list_[i]];
      }
      using Columns = order_detail::RadixColumns<std::uint32_t, std::uint32_t>;
      order_detail::radix_sort_serial(Columns{free, list_}, Columns{free + length, free + 2 * length}, length,
                                      false);
    } else {
      using Columns = order_detail::RadixColumns<std::uint32_t, order_detail::NoValues>;
      order_detail::radix_sort_serial(Columns{list_, nullptr}, Columns{free, nullptr}, length, false);
    }
  }

  const Search<D>& search_;
  const FindTask& task_;
  SplatPeriods<D> periods_;
  Room room_;
  std::uint32_t* list_ = nullptr;  // the list that was begun: up to room_.at
  Candidates<D> candidates_;
  GroupHits<D> hits_;
  std::uint64_t lengths_[kLanes];
};

template <int D>
HWY_INLINE void FindBlocks(const Search<D>& search, const FindTask& task, std::uint32_t first,
                           std::uint32_t last, SearchWork& work) {
  if (search.tree.exact != nullptr) {
    task.half ? ListFinder<D, true, true>(search, task).Find(first, last, work)
              : ListFinder<D, true, false>(search, task).Find(first, last, work);
  } else {
    task.half ? ListFinder<D, false, true>(search, task).Find(first, last, work)
              : ListFinder<D, false, false>(search, task).Find(first, last, work);
  }
}
void FindBlocks2(const Search<2>& search, const FindTask& task, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) {
  FindBlocks(search, task, first, last, work);
}
void FindBlocks3(const Search<3>& search, const FindTask& task, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) {
  FindBlocks(search, task, first, last, work);
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::points_detail {

JUXTA_KERNEL(FindBlocks2);
JUXTA_KERNEL(FindBlocks3);

template <>
void find_blocks(const Search<2>& search, const FindTask& task, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(FindBlocks2)(search, task, first, last, work);
}
template <>
void find_blocks(const Search<3>& search, const FindTask& task, std::uint32_t first, std::uint32_t last,
                 SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(FindBlocks3)(search, task, first, last, work);
}

}  // namespace juxta::points_detail
#endif  // HWY_ONCE
