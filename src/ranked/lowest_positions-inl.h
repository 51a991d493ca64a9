// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: gathers the k lowest positions, window by window. Include inside top_kernel.cpp only.
//
//   out    | windows done, ascending | this window, in any order | free |
//   stage  | up to 8,192 more |            whole registers are written here, since `out` ends after k
//
// When a window has more than is wanted, the highest are dropped and the rest of it is held against the
// threshold that this leaves. Up to its end, that need not be the lowest possible one: a few probes do.

#if defined(JUXTA_RANKED_LOWEST_POSITIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_LOWEST_POSITIONS_INL_H
#undef JUXTA_RANKED_LOWEST_POSITIONS_INL_H
#else
#define JUXTA_RANKED_LOWEST_POSITIONS_INL_H
#endif

#include <algorithm>

#include "core/simd/compress-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "ranked/ranked_view.h"
#include "ranked/sort_positions.h"
#include "ranked/threshold-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class LowestPositions {
 public:
  LowestPositions(std::size_t k, std::uint32_t* out) : k_(k), out_(out) {}

  [[nodiscard]] bool full() const { return size_ == k_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t missing() const { return k_ - size_; }
  /// Positions at or above it are not wanted in this window.
  [[nodiscard]] std::uint32_t threshold() const { return threshold_; }
  /// Whether the threshold is lower than the window's end.
  [[nodiscard]] bool limited() const { return limited_; }

  /// Positions in [from, to) follow.
  HWY_INLINE void Begin(std::uint32_t from, std::uint32_t to) {
    from_ = from;
    threshold_ = to;
    limited_ = false;
    begin_ = size_;
  }

  /// Adds those of a block's 32 positions whose bit is set.
  HWY_INLINE void Add(const std::uint32_t* positions, std::uint32_t bits) {
    const hn::CappedTag<std::uint32_t, 16> d;
    const std::size_t lanes = hn::Lanes(d);
    const std::uint32_t all = (1u << lanes) - 1;
    for (std::size_t s = 0; s < kBlockSize && bits >> s != 0; s += lanes) {
      const std::uint32_t part = bits >> s & all;
      const auto values = hn::Load(d, positions + s);
      if (part == all) {
        hn::StoreU(values, d, stage_ + staged_);
      } else {
        const auto mask_bits = static_cast<std::uint16_t>(part);
        hn::StoreU(
            hn::Compress(values, hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&mask_bits))), d,
            stage_ + staged_);
      }
      staged_ += hwy::PopCount(std::uint64_t{part});
    }
    if (staged_ >= kStage) {
      Flush(std::min(kStage / 4, (k_ - begin_) / 8));
    }
  }

  /// The window is done: sorts it. `index_of` is asked for what the positions lead to, or null.
  HWY_INLINE void End(const std::uint32_t* index_of) {
    Flush(0);
    PositionSort(PrefetchIndex{index_of})({out_ + begin_, size_ - begin_});
  }

 private:
  static constexpr std::size_t kStage = 8192;

  HWY_NOINLINE void Flush(std::size_t slack) {
    if (staged_ > k_ - size_) {
      DropHighest(slack);
      return;
    }
    std::copy_n(stage_, staged_, out_ + size_);
    size_ += staged_;
    staged_ = 0;
  }

  /// Keeps the k_ - begin_ lowest of the window so far and of the stage, and at most `slack` more in the
  /// stage.
  HWY_INLINE void DropHighest(std::size_t slack) {
    const std::size_t placed = size_ - begin_;
    threshold_ =
        FindThreshold(from_, threshold_, placed + staged_, k_ - begin_, slack, [&](std::uint32_t limit) {
          return CountBelow(out_ + begin_, placed, limit) + CountBelow(stage_, staged_, limit);
        });
    limited_ = true;
    std::size_t kept = begin_;
    for (std::size_t i = begin_; i < size_; ++i) {
      const std::uint32_t position = out_[i];
      out_[kept] = position;
      kept += position < threshold_;
    }
    std::size_t i = 0, left = 0;
    for (; i < staged_ && kept < k_; ++i) {
      out_[kept] = stage_[i];
      kept += stage_[i] < threshold_;
    }
    for (; i < staged_; ++i) {
      const std::uint32_t position = stage_[i];
      stage_[left] = position;
      left += position < threshold_;
    }
    size_ = kept;
    staged_ = std::min(left, slack);  // more only where a forged file names a point twice
  }

  std::size_t k_, size_ = 0, begin_ = 0, staged_ = 0;
  std::uint32_t from_ = 0, threshold_ = 0;
  bool limited_ = false;
  std::uint32_t* out_;
  std::uint32_t stage_[kStage + 2 * kBlockSize];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
