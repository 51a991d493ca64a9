// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the k lowest positions met so far, and the threshold that they set. Include inside
// top_kernel.cpp only.
//
// A buffer of 2k + 96 that is cut back when it is full. The cut need not be exact: a few probes for a value
// with k to k + 12 positions below it, each a sweep of counting compares, cost a fifth of std::nth_element.

#if defined(JUXTA_RANKED_CANDIDATES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_CANDIDATES_INL_H
#undef JUXTA_RANKED_CANDIDATES_INL_H
#else
#define JUXTA_RANKED_CANDIDATES_INL_H
#endif

#include <algorithm>

#include "hwy/highway.h"
#include "ranked/block-inl.h"
#include "ranked/lowest_positions-inl.h"
#include "ranked/ranked_view.h"
#include "ranked/threshold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Candidates {
 public:
  static constexpr std::size_t kMost = 256;

  /// `k` is at most kMost. No position below `first`, or at or above `threshold`, is wanted.
  Candidates(std::size_t k, std::uint32_t threshold, std::uint32_t first = 0)
      : k_(k), first_(first), threshold_(threshold) {}

  [[nodiscard]] std::size_t wanted() const { return k_; }
  [[nodiscard]] bool full() const { return size_ >= k_; }
  [[nodiscard]] std::uint32_t first() const { return first_; }
  /// Positions at or above it cannot be in the answer, or are in here.
  [[nodiscard]] std::uint32_t threshold() const { return threshold_; }

  HWY_INLINE void add(std::uint32_t position) {
    data_[size_++] = position;
    if (size_ >= 2 * k_ + kSlack) {
      tighten();
    }
  }

  /// Adds the positions of a block's set bits.
  HWY_INLINE void add(const Block& block, std::uint32_t hits) {
    size_ += AppendNames(block, hits, data_ + size_);
    if (size_ >= 2 * k_ + kSlack) {
      tighten();
    }
  }

  /// How many are below `position`.
  HWY_INLINE std::size_t count_below(std::uint32_t position) const {
    return CountBelow(data_, size_, position);
  }

  /// Drops some that cannot be in the answer, and learns a threshold.
  HWY_NOINLINE void tighten() {
    if (size_ <= k_ + kNear) {
      return;
    }
    threshold_ = FindThreshold(first_, threshold_, size_, k_, kNear,
                               [&](std::uint32_t limit) { return count_below(limit); });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint32_t position = data_[i];
      data_[kept] = position;
      kept += position < threshold_;
    }
    size_ = std::min(kept, k_ + kNear);  // more only where a forged file names a point twice
  }

  /// Sorts the answer into `out`; returns how many there are.
  HWY_INLINE std::size_t finish(std::uint32_t* out) {
    if (size_ > k_ + kNear) {
      tighten();
    }
    if (size_ <= kByCounting) {
      return FinishByCounting(out);
    }
#ifdef JUXTA_SMALL_CODE
    PositionSort(PrefetchIndex{nullptr})({data_, size_});  // which is there already
#else
    std::sort(data_, data_ + size_);
#endif
    const std::size_t n = std::min(size_, k_);
    std::copy_n(data_, n, out);
    return n;
  }

 private:
  static constexpr std::size_t kNear = 12;
  // Where std::sort becomes faster: all that tighten() leaves with 16 lanes, half of it with 8.
  static constexpr std::size_t kByCounting = 18 * hn::MaxLanes(hn::CappedTag<std::uint32_t, 16>());
  static constexpr std::size_t kSlack = 3 * kBlockSize;

  /// Sorts by counting for each how many are lower: n * n / 16 compares and no branch. The positions are
  /// distinct.
  HWY_INLINE std::size_t FinishByCounting(std::uint32_t* out) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const std::size_t lanes = hn::Lanes(d), n = std::min(size_, k_);
    std::fill_n(data_ + size_, lanes, kNoPoint);
    std::uint32_t sorted[kByCounting];
    std::fill_n(sorted, n, data_[0]);  // a forged file may leave places that no count leads to
    for (std::size_t i = 0; i < size_; ++i) {
      const auto position = hn::Set(d, data_[i]);
      std::size_t lower = 0;
      for (std::size_t j = 0; j < size_; j += lanes) {
        lower += hn::CountTrue(d, hn::Lt(hn::LoadU(d, data_ + j), position));
      }
      sorted[lower] = data_[i];
    }
    std::copy_n(sorted, n, out);
    return n;
  }

  std::size_t k_;
  std::size_t size_ = 0;
  std::uint32_t first_, threshold_;
  std::uint32_t data_[2 * kMost + kSlack + 2 * kBlockSize];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
