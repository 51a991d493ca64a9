// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the queries of a batch by turns, so that each one's misses are hidden behind the others' work.
// Include inside top_kernel.cpp only.
//
//   16 rectangles:   where their edges are, all but the last level of the axes     (asks for the last level)
//                    boxes of quanta, where their lists are                        (asks for the lists)
//                    answers from lists; boxes that get none wait for a search in the trees
//   two searches:    a step of each, round and round; when one ends, the next box takes its place
//
// Limit: the misses overlap, so what remains is the work of a hot query and the bandwidth of memory.

#if defined(JUXTA_RANKED_TOP_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TOP_BATCH_INL_H
#undef JUXTA_RANKED_TOP_BATCH_INL_H
#else
#define JUXTA_RANKED_TOP_BATCH_INL_H
#endif

#include "ranked/list_scan-inl.h"
#include "ranked/tree_race-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// Boxes that no list answers, searched through the trees some at a time.
template <class T>
class Races {
 public:
  Races(const RankedView& view, std::size_t k, std::uint32_t* out, std::uint32_t* counts)
      : view_(view), k_(k), out_(out), counts_(counts) {}

  /// Takes a box in; waits for a seat when there is none.
  HWY_INLINE void Add(const BoxQuery<T>& box, std::size_t place) {
    while (taken_ == kSeats) {
      Round();
    }
    for (Seat& seat : seats_) {
      if (!seat.taken) {
        seat.taken = true;
        seat.box = box;
        seat.place = place;
        seat.race.emplace(view_, seat.box, k_);
        ++taken_;
        return;
      }
    }
  }

  HWY_INLINE void Finish() {
    while (taken_ != 0) {
      Round();
    }
  }

 private:
  static constexpr std::size_t kSeats = 2;  // of 36 KiB; four or eight are no faster
  struct Seat {
    std::optional<TreeRace<T>> race;
    BoxQuery<T> box;
    std::size_t place = 0;
    bool taken = false;
  };

  HWY_INLINE void Round() {
    for (Seat& seat : seats_) {
      if (seat.race.has_value()) {
        if (!seat.race->Step()) {
          End(seat);
        }
      } else if (seat.taken) {
        ToIndices(view_, counts_[seat.place], out_ + seat.place * k_);
        seat.taken = false;
        --taken_;
      }
    }
  }

  /// The positions are known; the indices wait for the next round.
  HWY_INLINE void End(Seat& seat) {
    std::uint32_t* out = out_ + seat.place * k_;
    const std::size_t written = seat.race->Finish(out).written;
    counts_[seat.place] = static_cast<std::uint32_t>(written);
    for (std::size_t i = 0; i < written && view_.index_of != nullptr; ++i) {
      hwy::Prefetch(view_.index_of + out[i]);
    }
    seat.race.reset();
  }

  const RankedView& view_;
  const std::size_t k_;
  std::uint32_t* const out_;
  std::uint32_t* const counts_;
  std::size_t taken_ = 0;
  Seat seats_[kSeats];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
