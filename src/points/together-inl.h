// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: sixteen seers, one a lane, and the few nearest points that each has met. For kernel files only.
//
//   key      | d2, rounded down: 20 bits | slot: 8 | lane: 4 |   bits of floats ascend as the floats do
//   level    | 0 | 0 | first | second | ... | k-th | next |      of each seer; `levels` registers of keys
//
// A key goes into all sixteen lists at once: level i becomes the middle one of level i - 1, level i and the
// key. That takes 2 operations a level and no branch. Levels that are too many for k hold 0 and never move.
//
// What is certain: who is not in a list is at least as far as the `next` key says. If that is beyond the
// k-th even with all that was rounded off, then the k before it are the nearest.

#if defined(JUXTA_POINTS_TOGETHER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_POINTS_TOGETHER_INL_H
#undef JUXTA_POINTS_TOGETHER_INL_H
#else
#define JUXTA_POINTS_TOGETHER_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

template <int D, std::uint32_t levels>
class Together {
 public:
  static constexpr std::uint32_t kMostBlocks = 192;  // candidates; with more the seers look one by one

  Together(const Search<D>& search, std::uint32_t k) noexcept
      : search_(search), periods_(search.periods), k_(k) {}

  /// Sixteen seers that have met nothing. `error` as error_of(), 0 for points of floats.
  HWY_INLINE void Begin(std::uint32_t seers, float error) {
    seers_ = seers;
    error_ = error;
    // (sqrt(u) + 2 e)^2 is at most u + u / 256 + 4 e^2 * 257.
    grow_ = error == 0 ? 1.0F : 1.0F + 1.0F / 256;
    add_ = 1032.0F * error * error;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      limit_[i] = search_.limits[(seers + i) * search_.limit_step].maybe;
    }
    const WordTag words;
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      const Floats limit = hn::Load(FloatTag(), limit_ + part * kStep);
      const Words none = hn::Or(hn::BitCast(words, limit), hn::Set(words, kPlace));
      hn::Store(none, words, none_ + part * kStep);
      for (std::uint32_t level = 0; level < levels; ++level) {
        hn::Store(level + k_ + 1 < levels ? hn::Zero(words) : none, words, level_[level] + part * kStep);
      }
    }
  }

  /// They meet the points of a block and its neighbours along the curve.
  template <bool wraps>
  HWY_NOINLINE void Start(std::uint32_t middle) {
    const std::uint32_t blocks = search_.tree.block_count();
    start_ = middle - std::min(middle, 1U);
    started_ = std::min(start_ + kStarts, blocks) - start_;
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      Registers own = Load(part);
      for (std::uint32_t i = 0; i < started_; ++i) {
        MeetBlock<wraps>(start_ + i, kFirstStart + i, part, own);
      }
      Store(part, own);
    }
  }

  /// The squares within which each seer's k nearest are at least; the largest of them.
  HWY_INLINE float SetReaches(float (&reaches)[kLanes]) const {
    const FloatTag d;
    Floats most = hn::Zero(d);
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      const Words kth = hn::Load(WordTag(), level_[levels - 2] + part * kStep);
      const Floats reach = hn::Min(Bound(kth), hn::Load(d, limit_ + part * kStep));
      hn::StoreU(reach, d, reaches + part * kStep);
      most = hn::Max(most, reach);
    }
    return hn::GetLane(hn::MaxOfLanes(d, most));
  }

  /// They meet the points of candidates; `box` has the seers, `reach` as SetReaches().
  template <bool wraps>
  HWY_NOINLINE void Meet(const Candidates<D>& found, const Aabb<D>& box, float reach, SearchWork& work) {
    found_ = &found;
    std::uint32_t count = Order<wraps>(found, box, -1.0F, reach * (1.0F / 16), 0);
    count = Order<wraps>(found, box, reach * (1.0F / 16), reach, count);
    std::uint32_t met = started_ * (kLanes / kStep);
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      Registers own = Load(part);
      for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t slot = order_[i];
        const SplatBox<D> bounds = found.Bounds(slot);
        const Floats gaps = SquaredGaps<D, wraps>(bounds.lo, bounds.hi, own.at, own.at, periods_);
        if (hn::AllFalse(FloatTag(), hn::Le(gaps, Bound(own.level[levels - 2])))) {
          continue;
        }
        ++met;
        MeetBlock<wraps>(found.block(slot), slot, part, own);
      }
      Store(part, own);
    }
    work.tested += std::size_t{met} * kStep * kLanes;
  }

  /// Bit i: seer i may have nearer points than those in its list, or others as near.
  HWY_INLINE std::uint32_t Unsure() const {
    const FloatTag d;
    const WordTag words;
    std::uint32_t sure = 0;
    for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
      const Words kth = hn::Load(words, level_[levels - 2] + part * kStep);
      const Words next = hn::Load(words, level_[levels - 1] + part * kStep);
      const Words none = hn::Load(words, none_ + part * kStep);
      const Words below = hn::AndNot(hn::Set(words, kPlace), next);
      auto apart = hn::RebindMask(d, hn::Gt(below, kth));
      if (error_ != 0) {
        const Floats furthest =
            hn::Add(hn::Mul(hn::Sqrt(Above(kth)), hn::Set(d, 1.000001F)), hn::Set(d, 2.00001F * error_));
        apart = hn::Gt(hn::Sqrt(hn::BitCast(d, below)), furthest);
      }
      const auto all = hn::RebindMask(d, hn::Eq(next, none));
      sure |= BitsOf(d, hn::Or(apart, all)) << (part * kStep);
    }
    return ~sure & ((1U << kLanes) - 1);
  }

  /// The lanes of the points in the list of seer i, at most k, in the order of their keys.
  HWY_INLINE std::uint32_t List(std::uint32_t i, std::uint32_t* HWY_RESTRICT lanes) const {
    std::uint32_t count = 0;
    for (std::uint32_t level = levels - 1 - k_; level < levels - 1; ++level) {
      const std::uint32_t key = level_[level][i];
      if (key == none_[i]) {
        break;
      }
      const std::uint32_t slot = (key & kPlace) / kLanes;
      const std::uint32_t block = slot >= kFirstStart ? start_ + slot - kFirstStart : found_->block(slot);
      lanes[count++] = block * kLanes + key % kLanes;
    }
    return count;
  }

 private:
  static constexpr std::uint32_t kPlace = 0xFFF;  // slot and lane; all ones are no place
  static constexpr std::uint32_t kStarts = 3;
  static constexpr std::uint32_t kFirstStart = 252;  // slots of the blocks of Start()
  static_assert(kMostBlocks <= kFirstStart && kFirstStart + kStarts < 256);

  struct Registers {
    Floats at[D];
    Words level[levels];
  };

  HWY_INLINE Registers Load(std::uint32_t part) const {
    Registers own;
    for (int axis = 0; axis < D; ++axis) {
      own.at[axis] = hn::Load(FloatTag(), search_.seers.blocks[seers_ / kLanes].at[axis] + part * kStep);
    }
    ForEachLevel([&](std::uint32_t level)
                     HWY_ATTR { own.level[level] = hn::Load(WordTag(), level_[level] + part * kStep); });
    return own;
  }
  HWY_INLINE void Store(std::uint32_t part, const Registers& own) {
    ForEachLevel([&](std::uint32_t level)
                     HWY_ATTR { hn::Store(own.level[level], WordTag(), level_[level] + part * kStep); });
  }

  /// The largest d2 of a key, and how far may be what is nearer than the point of a key.
  static HWY_INLINE Floats Above(Words key) {
    return hn::BitCast(FloatTag(), hn::Or(key, hn::Set(WordTag(), kPlace)));
  }
  HWY_INLINE Floats Bound(Words key) const {
    const FloatTag d;
    return hn::Add(hn::Mul(Above(key), hn::Set(d, grow_)), hn::Set(d, add_));
  }

  /// From the last to the first, unrolled: levels stay in registers.
  template <std::uint32_t level = levels - 1, class Work>
  static HWY_INLINE void ForEachLevel(Work&& work) {
    work(level);
    if constexpr (level > 0) {
      ForEachLevel<level - 1>(work);
    }
  }
  static HWY_INLINE void Insert(Words key, Words (&own)[levels]) {
    ForEachLevel([&](std::uint32_t level) HWY_ATTR {
      own[level] = hn::Min(own[level], level == 0 ? key : hn::Max(own[level - 1], key));
    });
  }

  template <bool wraps>
  HWY_INLINE void MeetBlock(std::uint32_t block, std::uint32_t slot, std::uint32_t part,
                            Registers& own) const {
    const std::uint32_t points = std::min(search_.tree.count - block * kLanes, kLanes);
    if (search_.own && block == seers_ / kLanes) {
      MeetPoints<wraps, true>(search_.tree.blocks[block], points, slot, part, own);
    } else {
      MeetPoints<wraps, false>(search_.tree.blocks[block], points, slot, part, own);
    }
  }
  /// With `self`, the key of a seer's own point is higher than any.
  template <bool wraps, bool self>
  HWY_INLINE void MeetPoints(const PointBlock<D>& block, std::uint32_t points, std::uint32_t slot,
                             std::uint32_t part, Registers& own) const {
    const FloatTag d;
    const WordTag words;
    Words place = hn::Set(words, slot * kLanes);
    const Words mine = hn::Add(hn::Iota(words, 0U), hn::Set(words, slot * kLanes + part * kStep));
    for (std::uint32_t i = 0; i < points; ++i) {
      Floats squares = hn::Zero(d);
      for (int axis = 0; axis < D; ++axis) {
        Floats apart = hn::Sub(hn::Set(d, block.at[axis][i]), own.at[axis]);
        if constexpr (wraps) {
          apart = NearestImage(apart, periods_.whole[axis], periods_.half[axis]);
        }
        const Floats square = hn::Mul(apart, apart);
        squares = axis == 0 ? square : hn::Add(squares, square);
      }
      Words key = hn::Or(hn::AndNot(hn::Set(words, kPlace), hn::BitCast(words, squares)), place);
      if constexpr (self) {
        key = hn::Or(key, hn::VecFromMask(words, hn::Eq(place, mine)));
      }
      place = hn::Add(place, hn::Set(words, 1U));
      if (levels <= 3 || !hn::AllFalse(words, hn::Lt(key, own.level[levels - 1]))) {
        Insert(key, own.level);
      }
    }
  }

  /// Appends the candidates that are more than `beyond` and at most `most` (squared) from the box to order_,
  /// without those of Start().
  template <bool wraps>
  HWY_INLINE std::uint32_t Order(const Candidates<D>& found, const Aabb<D>& box, float beyond, float most,
                                 std::uint32_t count) {
    const FloatTag d;
    const WordTag words;
    const SplatBox<D> splat = Splat(box);
    for (std::uint32_t c = 0; c < found.count(); c += kStep) {
      const Floats gaps = found.template Gaps<wraps>(c, splat.lo, splat.hi, periods_);
      const Words blocks = found.Blocks(c);
      const auto met = hn::Lt(hn::Sub(blocks, hn::Set(words, start_)), hn::Set(words, started_));
      const auto wanted = hn::And(hn::Le(gaps, hn::Set(d, most)), hn::Gt(gaps, hn::Set(d, beyond)));
      const std::uint32_t bits = BitsOf(d, hn::AndNot(hn::RebindMask(d, met), wanted));
      const Words slots = hn::Add(hn::Set(words, c), hn::Iota(words, 0U));
      hn::StoreU(Pack(slots, bits), words, order_ + count);
      count += Count(bits);
    }
    return count;
  }

  const Search<D>& search_;
  SplatPeriods<D> periods_;
  std::uint32_t k_;
  std::uint32_t seers_ = 0;                // the lane of the first
  std::uint32_t start_ = 0, started_ = 0;  // blocks
  float error_ = 0, grow_ = 1, add_ = 0;
  const Candidates<D>* found_ = nullptr;
  alignas(64) std::uint32_t level_[levels][kLanes];
  alignas(64) float limit_[kLanes];         // how far they look at most
  alignas(64) std::uint32_t none_[kLanes];  // the key of no point
  alignas(64) std::uint32_t order_[kMostBlocks + 2 * kLanes];
};

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
