// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Lists that were found go to their places.
//
//   the list     7 3 9 ...
//   ranks        1 0 2 ...      how many are lower: every one compared with sixteen at a time
//   its place    3 7 9 ...      stored by rank: no branch depends on the order
//
// Per list of 30:  30 x 2 compares for the ranks, 30 stores.
// Limit:           arithmetic for compact trees; else the cache misses of places that are far apart.
// Determinism:     numbers differ, so ranks are a permutation. Long lists come sorted: ranks take m * m / 16
//                  compares.

#include <algorithm>

#include "core/prefetch.h"
#include "points/neighbours_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/points/write_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "points/rank-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {
using namespace order_detail::HWY_NAMESPACE;

/// Differences and distances of the points in some lanes from a seer.
template <int D, class Real>
class Measurer {
 public:
  explicit Measurer(const Search<D>& search) noexcept : search_(search) {}

  /// `lanes` has lanes to the end of the last register.
  HWY_INLINE void Measure(std::uint32_t seer, const std::uint32_t* HWY_RESTRICT lanes, std::size_t count) {
    Real at[D];
    for (std::size_t axis = 0; axis < D; ++axis) {
      at[axis] = SeerAt(seer, axis, Real());
    }
    for (std::size_t i = 0; i < count; i += kAtOnce) {
      const auto lane = LanesAt(lanes + i);
      auto sum = hn::Zero(Tag());
      for (std::size_t axis = 0; axis < D; ++axis) {
        auto apart = hn::Sub(PointsAt(lane, axis), hn::Set(Tag(), at[axis]));
        if (search_.wraps) {
          apart = NearestImage(apart, PeriodsOf(Real()).whole[axis], PeriodsOf(Real()).half[axis]);
        }
        hn::Store(apart, Tag(), difference_[axis] + i);
        const auto square = hn::Mul(apart, apart);
        sum = axis == 0 ? square : hn::Add(sum, square);
      }
      hn::Store(hn::Sqrt(sum), Tag(), distance_ + i);
    }
  }
  [[nodiscard]] const Real* distance() const noexcept { return distance_; }
  [[nodiscard]] const Real* difference(std::size_t axis) const noexcept { return difference_[axis]; }

 private:
  using Tag = hn::CappedTag<Real, kLanes>;
  using IndexTag = hn::RebindToSigned<Tag>;
  static constexpr std::size_t kAtOnce = hn::MaxLanes(Tag());

  HWY_INLINE float SeerAt(std::uint32_t seer, std::size_t axis, float) const {
    return search_.seers.blocks[seer / kLanes].at[axis][seer % kLanes];
  }
  HWY_INLINE double SeerAt(std::uint32_t seer, std::size_t axis, double) const {
    return search_.seers.exact[std::size_t{seer} * D + axis];
  }
  HWY_INLINE const Periods<D, float>& PeriodsOf(float) const { return search_.periods; }
  HWY_INLINE const Periods<D, double>& PeriodsOf(double) const { return search_.exact_periods; }

  /// Where their first coordinates are: floats in blocks, doubles one point behind the other.
  HWY_INLINE hn::Vec<IndexTag> LanesAt(const std::uint32_t* lanes) const {
    const IndexTag d;
    if constexpr (sizeof(Real) == sizeof(float)) {
      const Words lane = hn::LoadU(WordTag(), lanes);
      const Words block = hn::ShiftRight<4>(lane), rest = hn::And(lane, hn::Set(WordTag(), kLanes - 1));
      return hn::BitCast(d, hn::Add(hn::Mul(block, hn::Set(WordTag(), kLanes * D)), rest));
    } else {
      const hn::Rebind<std::uint32_t, Tag> half;
      const hn::RebindToUnsigned<Tag> wide;
      const auto lane = hn::PromoteTo(wide, hn::LoadU(half, lanes));
      return hn::BitCast(d, D == 2 ? hn::Add(lane, lane) : hn::Add(lane, hn::Add(lane, lane)));
    }
  }
  HWY_INLINE hn::Vec<Tag> PointsAt(hn::Vec<IndexTag> index, std::size_t axis) const {
    if constexpr (sizeof(Real) == sizeof(float)) {
      return hn::GatherIndex(Tag(), search_.tree.blocks[0].at[axis], index);
    } else {
      return hn::GatherIndex(Tag(), search_.tree.exact + axis, index);
    }
  }
  static HWY_INLINE hn::Vec<Tag> NearestImage(hn::Vec<Tag> d, Real period, Real half) {
    const auto whole = hn::Set(Tag(), period), above = hn::Set(Tag(), half);
    return hn::IfThenElse(hn::Gt(d, above), hn::Sub(d, whole),
                          hn::IfThenElse(hn::Lt(d, hn::Neg(above)), hn::Add(d, whole), d));
  }

  const Search<D>& search_;
  alignas(64) Real distance_[kShortList + kLanes];
  alignas(64) Real difference_[D][kShortList + kLanes];
};

template <int D, class Real>
class ListWriter {
 public:
  ListWriter(const Search<D>& search, const WriteTask<Real>& task) noexcept
      : search_(search), task_(task), measurer_(search) {}

  HWY_INLINE void Write(std::uint32_t first, std::uint32_t last) {
    const std::uint32_t end = std::min(last * kLanes, search_.seers.count);
    for (std::uint32_t lane = first * kLanes; lane < end; ++lane) {
      Fetch(lane, end);
      const std::uint64_t* const offset = task_.offsets + search_.seers.number[lane];
      const auto count = static_cast<std::size_t>(offset[1] - offset[0]);
      if (HWY_LIKELY(count <= kShortList)) {
        WriteShort(lane, static_cast<std::uint32_t>(count), offset[0]);
      } else {
        WriteLong(lane, count, offset[0]);
      }
    }
  }

 private:
  static constexpr std::uint32_t kSoon = 8, kLater = 16;  // seers ahead

  /// Places are far apart: their memory is asked for while others are written.
  HWY_INLINE void Fetch(std::uint32_t lane, std::uint32_t end) const {
    if (lane + kLater < end) {
      core_detail::prefetch_line(task_.offsets + search_.seers.number[lane + kLater]);
    }
    if (lane + kSoon < end) {
      const std::uint64_t* const offset = task_.offsets + search_.seers.number[lane + kSoon];
      const std::uint64_t first = offset[0], last = std::min(offset[1], offset[0] + 64);
      FetchPlace(task_.index, first, last);
      FetchPlace(task_.index64, first, last);
      FetchPlace(task_.pairs, 2 * first, 2 * last);
      FetchPlace(task_.pairs64, 2 * first, 2 * last);
      FetchPlace(task_.distance, first, last);
      FetchPlace(task_.displacement, D * first, D * last);
    }
  }
  template <class T>
  static HWY_INLINE void FetchPlace(const T* array, std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; array != nullptr && i < last; i += 64 / sizeof(T)) {
      core_detail::prefetch_line(array + i);
    }
  }

  HWY_INLINE void WriteShort(std::uint32_t lane, std::uint32_t count, std::uint64_t at) {
    const std::uint32_t* const HWY_RESTRICT numbers = NumbersOf(task_.list_of[lane], count);
    if (task_.sorted) {
      RankAll(numbers, count, ranks_);
      WriteAll(lane, numbers, count, at, [this](std::size_t i) HWY_ATTR { return ranks_[i]; });
    } else {
      WriteAll(lane, numbers, count, at, [](std::size_t i) HWY_ATTR { return i; });
    }
  }

  /// A long list is in order.
  HWY_NOINLINE void WriteLong(std::uint32_t lane, std::size_t count, std::uint64_t at) {
    for (std::size_t i = 0; i < count; i += kShortList) {
      const std::size_t part = std::min<std::size_t>(kShortList, count - i);
      WriteAll(lane, NumbersOf(task_.list_of[lane] + i, part), part, at + i,
               [](std::size_t k) HWY_ATTR { return k; });
    }
  }

  /// The numbers in a list; lanes are kept in lanes_, to the end of a register.
  HWY_INLINE const std::uint32_t* NumbersOf(const std::uint32_t* HWY_RESTRICT list, std::size_t count) {
    if (!task_.lanes) {
      return list;
    }
    const WordTag d;
    const hn::RebindToSigned<WordTag> index;
    const auto* const number = reinterpret_cast<const std::int32_t*>(search_.tree.number);
    for (std::size_t i = 0; i < count; i += kStep) {
      // What is behind the list may be no lane.
      const auto mine = hn::FirstN(d, count - i);
      const Words lane = hn::IfThenElse(mine, hn::LoadU(d, list + i), hn::Set(d, list[0]));
      hn::Store(lane, d, lanes_ + i);
      hn::Store(hn::BitCast(d, hn::GatherIndex(index, number, hn::BitCast(index, lane))), d, numbers_ + i);
    }
    return numbers_;
  }

  template <class PlaceOf>
  HWY_INLINE void WriteAll(std::uint32_t lane, const std::uint32_t* HWY_RESTRICT numbers, std::size_t count,
                           std::uint64_t at, PlaceOf place_of) {
    WriteNumbers(lane, numbers, count, at, place_of);
    if ((task_.distance == nullptr && task_.displacement == nullptr) || count == 0) {
      return;
    }
    measurer_.Measure(lane, lanes_, count);
    if (task_.distance != nullptr) {
      Real* const HWY_RESTRICT out = task_.distance + at;
      for (std::size_t i = 0; i < count; ++i) {
        out[place_of(i)] = measurer_.distance()[i];
      }
    }
    if (task_.displacement != nullptr) {
      Real* const HWY_RESTRICT out = task_.displacement + at * D;
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t axis = 0; axis < D; ++axis) {
          out[place_of(i) * D + axis] = measurer_.difference(axis)[i];
        }
      }
    }
  }

  /// The i-th goes to place_of(i).
  template <class PlaceOf>
  HWY_INLINE void WriteNumbers(std::uint32_t lane, const std::uint32_t* HWY_RESTRICT numbers,
                               std::size_t count, std::uint64_t at, PlaceOf place_of) const {
    if (task_.index != nullptr) {
      std::uint32_t* const HWY_RESTRICT out = task_.index + at;
      for (std::size_t i = 0; i < count; ++i) {
        out[place_of(i)] = numbers[i];
      }
    }
    if (task_.index64 != nullptr) {
      std::int64_t* const HWY_RESTRICT out = task_.index64 + at;
      for (std::size_t i = 0; i < count; ++i) {
        out[place_of(i)] = numbers[i];
      }
    }
    const std::uint32_t own = search_.seers.number[lane];
    if (task_.pairs != nullptr) {
      std::uint32_t* const HWY_RESTRICT out = task_.pairs + 2 * at;
      for (std::size_t i = 0; i < count; ++i) {
        out[2 * place_of(i)] = own;
        out[2 * place_of(i) + 1] = numbers[i];
      }
    }
    if (task_.pairs64 != nullptr) {
      std::int64_t* const HWY_RESTRICT out = task_.pairs64 + 2 * at;
      for (std::size_t i = 0; i < count; ++i) {
        out[2 * place_of(i)] = own;
        out[2 * place_of(i) + 1] = numbers[i];
      }
    }
  }

  const Search<D>& search_;
  const WriteTask<Real>& task_;
  Measurer<D, Real> measurer_;
  alignas(64) std::uint32_t lanes_[kShortList + kBehindList];
  alignas(64) std::uint32_t numbers_[kShortList + kBehindList];
  alignas(64) std::uint32_t ranks_[kShortList + kBehindList];
};

void WriteBlocks2F(const Search<2>& search, const WriteTask<float>& task, std::uint32_t first,
                   std::uint32_t last) {
  ListWriter<2, float>(search, task).Write(first, last);
}
void WriteBlocks3F(const Search<3>& search, const WriteTask<float>& task, std::uint32_t first,
                   std::uint32_t last) {
  ListWriter<3, float>(search, task).Write(first, last);
}
void WriteBlocks2D(const Search<2>& search, const WriteTask<double>& task, std::uint32_t first,
                   std::uint32_t last) {
  ListWriter<2, double>(search, task).Write(first, last);
}
void WriteBlocks3D(const Search<3>& search, const WriteTask<double>& task, std::uint32_t first,
                   std::uint32_t last) {
  ListWriter<3, double>(search, task).Write(first, last);
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::points_detail {

JUXTA_KERNEL(WriteBlocks2F);
JUXTA_KERNEL(WriteBlocks3F);
JUXTA_KERNEL(WriteBlocks2D);
JUXTA_KERNEL(WriteBlocks3D);

template <>
void write_blocks(const Search<2>& search, const WriteTask<float>& task, std::uint32_t first,
                  std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(WriteBlocks2F)(search, task, first, last);
}
template <>
void write_blocks(const Search<3>& search, const WriteTask<float>& task, std::uint32_t first,
                  std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(WriteBlocks3F)(search, task, first, last);
}
template <>
void write_blocks(const Search<2>& search, const WriteTask<double>& task, std::uint32_t first,
                  std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(WriteBlocks2D)(search, task, first, last);
}
template <>
void write_blocks(const Search<3>& search, const WriteTask<double>& task, std::uint32_t first,
                  std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(WriteBlocks3D)(search, task, first, last);
}

}  // namespace juxta::points_detail
#endif  // HWY_ONCE
