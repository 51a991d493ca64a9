// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the points that one seer met, of which the nearest are wanted. For kernel files only.

#if defined(JUXTA_POINTS_MET_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_POINTS_MET_INL_H
#undef JUXTA_POINTS_MET_INL_H
#else
#define JUXTA_POINTS_MET_INL_H
#endif

#include <algorithm>
#include <cmath>
#include <limits>

#include "hwy/highway.h"
#include "points/list_memory.h"
#include "points/met_key.h"
#include "points/rank-inl.h"
#include "points/seek-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {

/// Squares of distances (in the floats of the kernel) and lanes, side by side.
template <int D, class Real>
class Met {
  using Key = MetKey<Real>;

 public:
  Met(const Search<D>& search, std::uint32_t k, ListMemory& memory) noexcept
      : search_(search), memory_(memory), k_(k), most_(4 * std::size_t{k} + 1024) {
    const std::size_t padded = (most_ + kBehind + kLanes - 1) / kLanes * kLanes;
    const std::size_t words = padded * (2 + sizeof(Real) / 4 + sizeof(Key) / 4) + kLanes;
    room_ = memory_.take(words, {});
    if (room_.at == nullptr) {
      return;
    }
    const std::size_t skew = reinterpret_cast<std::uintptr_t>(room_.at) % 64 / sizeof(std::uint32_t);
    std::uint32_t* const at = room_.at + (skew == 0 ? 0 : kLanes - skew);
    lanes_ = at;
    squares_ = reinterpret_cast<float*>(at + padded);
    exact_ = reinterpret_cast<Real*>(at + 2 * padded);
    keys_ = reinterpret_cast<Key*>(at + padded * (2 + sizeof(Real) / 4));
  }
  Met(const Met&) = delete;
  Met& operator=(const Met&) = delete;
  ~Met() { memory_.give_back(room_); }

  [[nodiscard]] bool ready() const noexcept { return room_.at != nullptr; }

  /// Squares to choose from: before Begin().
  HWY_INLINE void Note(Floats squares, std::uint32_t at) { hn::Store(squares, FloatTag(), squares_ + at); }
  HWY_INLINE float NthNoted(std::uint32_t n, std::uint32_t count) { return Nth(n, count); }

  /// Nothing was met. `error` as error_of(), 0 for points of floats.
  HWY_INLINE void Begin(float reach, float error) {
    count_ = 0;
    reach_ = reach;
    error_ = error;
  }
  /// What is further (squared) is not among the nearest.
  [[nodiscard]] HWY_INLINE float reach() const { return reach_; }

  /// The points of these blocks within reach, the seer left out.
  template <bool wraps>
  HWY_INLINE void Meet(const Seer<D>& seer, const std::uint32_t* HWY_RESTRICT blocks,
                       std::uint32_t blocks_count, const SplatPeriods<D>& periods) {
    const FloatTag d;
    const WordTag words;
    const std::uint32_t own_block = search_.own ? seer.lane / kLanes : kNoPoint;
    const std::uint32_t others = ~(1U << seer.lane % kLanes);
    for (std::uint32_t i = 0; i < blocks_count; ++i) {
      if (HWY_UNLIKELY(count_ + 2 * kLanes > most_)) {
        Tighten();
        MakeRoom(seer.lane);
      }
      const Floats reach = hn::Set(d, reach_);
      const std::uint32_t keep = blocks[i] == own_block ? others : ~std::uint32_t{0};
      for (std::uint32_t part = 0; part < kLanes / kStep; ++part) {
        const Floats squares = SquaresFrom<D, wraps>(search_.tree.blocks[blocks[i]], part, seer.at, periods);
        const std::uint32_t bits = BitsOf(d, hn::Le(squares, reach)) & BitsOfPart(keep, part);
        const Words lanes = hn::Add(hn::Set(words, blocks[i] * kLanes + part * kStep), hn::Iota(words, 0U));
        hn::StoreU(Pack(hn::BitCast(words, squares), bits), words,
                   reinterpret_cast<std::uint32_t*>(squares_) + count_);
        hn::StoreU(Pack(lanes, bits), words, lanes_ + count_);
        count_ += Count(bits);
      }
    }
  }

  /// With k or more: the reach becomes that of the k-th, and what is beyond it is forgotten.
  HWY_INLINE void Tighten() {
    if (count_ < k_ || k_ == 0) {
      return;
    }
    const float nth = Nth(k_, count_);
    const float root = std::sqrt(nth) * 1.00001F + 2 * error_;
    reach_ = std::min(reach_, error_ == 0 ? nth : root * root);
    const FloatTag d;
    const WordTag words;
    const Floats reach = hn::Set(d, reach_);
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < count_; i += kStep) {
      const auto mine = hn::FirstN(d, count_ - i);
      const Floats squares = hn::LoadU(d, squares_ + i);
      const std::uint32_t bits = BitsOf(d, hn::And(mine, hn::Le(squares, reach)));
      const Words lanes = hn::LoadU(words, lanes_ + i);
      hn::StoreU(Pack(hn::BitCast(words, squares), bits), words,
                 reinterpret_cast<std::uint32_t*>(squares_) + kept);
      hn::StoreU(Pack(lanes, bits), words, lanes_ + kept);
      kept += Count(bits);
    }
    count_ = kept;
  }

  /// Where the answer of one seer goes: k each.
  struct Answer {
    std::uint32_t* index;
    Real* distance2;     // or null
    Real* displacement;  // D each, or null
  };

  /// Writes the k nearest, and what stands behind them; how many there are.
  HWY_INLINE std::uint32_t Finish(std::uint32_t seer, const Answer& answer) {
    if (HWY_UNLIKELY(count_ > k_ + kRanked)) {
      Tighten();
    }
    const bool ranked = count_ <= kRanked && RankExact(seer, answer);
    const std::uint32_t found = ranked ? std::min(count_, k_) : SortExact(seer, answer);
    FillRest(found, answer);
    return found;
  }
  /// Writes an answer that was found in another way.
  HWY_INLINE void Write(std::uint32_t seer, const std::uint32_t* HWY_RESTRICT lanes,
                        const Real* HWY_RESTRICT squares, std::uint32_t count, const Answer& answer) {
    for (std::uint32_t i = 0; i < count; ++i) {
      answer.index[i] = search_.tree.number[lanes[i]];
    }
    if (answer.distance2 != nullptr) {
      std::copy_n(squares, count, answer.distance2);
    }
    if (answer.displacement != nullptr) {
      for (std::uint32_t i = 0; i < count; ++i) {
        SetDisplacement(seer, lanes[i], answer, i);
      }
    }
    FillRest(count, answer);
  }
  /// After Finish(), if k were found: at least how far the last of them is, in the floats of the kernel.
  [[nodiscard]] HWY_INLINE float furthest() const { return furthest_; }

 private:
  static constexpr std::size_t kBehind = 64;     // entries that may be read and written behind the last
  static constexpr std::uint32_t kRanked = 192;  // more are sorted
  static constexpr bool kExact = sizeof(Real) == sizeof(double);

  /// What stands behind those that there are.
  HWY_INLINE void FillRest(std::uint32_t found, const Answer& answer) const {
    std::fill(answer.index + found, answer.index + k_, kNoPoint);
    if (answer.distance2 != nullptr) {
      std::fill(answer.distance2 + found, answer.distance2 + k_, std::numeric_limits<Real>::infinity());
    }
    if (answer.displacement != nullptr) {
      std::fill(answer.displacement + std::size_t{found} * D, answer.displacement + std::size_t{k_} * D,
                std::numeric_limits<Real>::quiet_NaN());
    }
  }

  /// The n-th smallest of the first `count` squares.
  HWY_INLINE float Nth(std::uint32_t n, std::uint32_t count) {
    if (HWY_UNLIKELY(count > kRanked)) {
      auto* const copy = reinterpret_cast<float*>(keys_);
      std::copy_n(squares_, count, copy);
      std::nth_element(copy, copy + n - 1, copy + count);
      return copy[n - 1];
    }
    const FloatTag d;
    const WordTag words;
    auto* const ranks = reinterpret_cast<std::uint32_t*>(ranks_);
    RankAll(squares_, count, ranks);
    Floats most = hn::Zero(d);  // of those that fewer than n are less than
    for (std::uint32_t i = 0; i < count; i += kStep) {
      const auto low = hn::RebindMask(d, hn::Lt(hn::Load(words, ranks + i), hn::Set(words, n)));
      const auto mine = hn::And(low, hn::FirstN(d, count - i));
      most = hn::Max(most, hn::IfThenElseZero(mine, hn::Load(d, squares_ + i)));
    }
    return hn::GetLane(hn::MaxOfLanes(d, most));
  }

  /// The true squares; those that are too far are infinite. How many are not.
  HWY_INLINE std::uint32_t Measure(std::uint32_t seer) {
    if constexpr (!kExact) {
      std::copy_n(squares_, count_, exact_);
      return count_;
    } else {
      const double limit = search_.limits[seer * search_.limit_step].exact;
      std::uint32_t near = 0;
      for (std::uint32_t i = 0; i < count_; ++i) {
        const double square = apart(search_, seer, lanes_[i], 0.0).d2;
        exact_[i] = square <= limit ? square : std::numeric_limits<double>::infinity();
        near += square <= limit ? 1 : 0;
      }
      return near;
    }
  }

  /// False when some are equally far, or too far: they have no ranks of their own.
  HWY_INLINE bool RankExact(std::uint32_t seer, const Answer& answer) {
    std::uint32_t* const HWY_RESTRICT index = answer.index;
    Real* const HWY_RESTRICT distance2 = answer.distance2;
    if (Measure(seer) != count_) {
      return false;
    }
    RankAll(exact_, count_, ranks_);
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      sum += ranks_[i];
    }
    if (HWY_UNLIKELY(2 * sum != std::size_t{count_} * (count_ - (count_ != 0 ? 1 : 0)))) {
      return false;
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (ranks_[i] < k_) {
        index[ranks_[i]] = search_.tree.number[lanes_[i]];
        if (distance2 != nullptr) {
          distance2[ranks_[i]] = exact_[i];
        }
        if (answer.displacement != nullptr) {
          SetDisplacement(seer, lanes_[i], answer, ranks_[i]);
        }
        furthest_ = ranks_[i] + 1 == k_ ? std::sqrt(squares_[i]) : furthest_;
      }
    }
    return true;
  }

  HWY_NOINLINE std::uint32_t SortExact(std::uint32_t seer, const Answer& answer) {
    const std::uint32_t found = std::min(Measure(seer), k_);
    SortKeys(found);
    for (std::uint32_t i = 0; i < found; ++i) {
      answer.index[i] = keys_[i].number;
      if (answer.distance2 != nullptr) {
        answer.distance2[i] = keys_[i].square;
      }
      if (answer.displacement != nullptr) {
        SetDisplacement(seer, lanes_[keys_[i].place], answer, i);
      }
      furthest_ = std::sqrt(squares_[keys_[i].place]);
    }
    return found;
  }
  void SetDisplacement(std::uint32_t seer, std::uint32_t lane, const Answer& answer, std::size_t place) {
    const auto way = apart(search_, seer, lane, Real());
    std::copy_n(way.d, D, answer.displacement + place * D);
  }
  /// The first n of what was measured, in order.
  void SortKeys(std::uint32_t n) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      keys_[i] = {exact_[i], search_.tree.number[lanes_[i]], i};
    }
    sort_first(keys_, n, count_);
  }

  /// Where more than can be kept are equally far, or nearly: the k nearest stay.
  HWY_NOINLINE void MakeRoom(std::uint32_t seer) {
    if (count_ + 2 * kLanes <= most_) {
      return;
    }
    (void)Measure(seer);
    SortKeys(k_);
    for (std::uint32_t i = 0; i < k_; ++i) {
      exact_[i] = static_cast<Real>(squares_[keys_[i].place]);
    }
    for (std::uint32_t i = 0; i < k_; ++i) {
      keys_[i].number = lanes_[keys_[i].place];
    }
    for (std::uint32_t i = 0; i < k_; ++i) {
      lanes_[i] = keys_[i].number;
      squares_[i] = static_cast<float>(exact_[i]);
    }
    count_ = k_;
  }

  const Search<D>& search_;
  ListMemory& memory_;
  Room room_;
  std::uint32_t k_;
  std::size_t most_;
  std::uint32_t count_ = 0;
  float reach_ = 0, error_ = 0, furthest_ = 0;
  std::uint32_t* lanes_ = nullptr;
  float* squares_ = nullptr;
  Real* exact_ = nullptr;  // measured by Finish()
  Key* keys_ = nullptr;    // for sorting
  alignas(64) RankOf<Real> ranks_[kRanked + kBehind];
};

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
