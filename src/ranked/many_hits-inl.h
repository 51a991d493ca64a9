// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the hits of a query for large k, and what becomes of points in doubt. Include inside
// top_kernel.cpp only.

#if defined(JUXTA_RANKED_MANY_HITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_MANY_HITS_INL_H
#undef JUXTA_RANKED_MANY_HITS_INL_H
#else
#define JUXTA_RANKED_MANY_HITS_INL_H
#endif

#include <cmath>

#include "ranked/box_query-inl.h"
#include "ranked/lowest_positions-inl.h"
#include "ranked/tree_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Gathers the k lowest hits of a query, window by window, from blocks of positions.
template <class T, class Query = BoxQuery<T>>
class ManyHits {
 public:
  /// `out` has k places.
  ManyHits(const RankedView& view, const Query& query, std::size_t k, std::uint32_t* out)
      : view_(view), query_(query), best_(k, out) {}

  [[nodiscard]] bool full() const { return best_.full(); }
  [[nodiscard]] std::size_t size() const { return best_.size(); }
  [[nodiscard]] std::size_t tested() const { return tested_; }
  /// No position at or above it is wanted any more.
  [[nodiscard]] std::uint32_t threshold() const { return best_.threshold(); }

  /// Positions in [from, to) follow. `mixed`: among others, which must be left out.
  HWY_INLINE void Begin(std::uint32_t from, std::uint32_t to, bool mixed) {
    best_.Begin(from, to);
    from_ = from;
    mixed_ = mixed;
  }

  /// Takes the hits among the points `wanted` of a block; those in `whole` are known to be inside.
  HWY_INLINE void Take(const Block& block, std::uint32_t wanted, std::uint32_t whole) {
    std::uint32_t bits = wanted;
    if ((wanted & ~whole) != 0) {
      tested_ += kBlockSize;
      bits &= InsideBits(block, query_.outer);
      if (bits == 0) {
        return;
      }
    }
    if (mixed_ || best_.limited()) {
      bits &= NameBits(block, from_, best_.threshold());
    }
    if (!query_.exact && (bits & ~whole) != 0) {
      const std::uint32_t sure = query_.inner_empty ? 0 : bits & InsideBits(block, query_.inner);
      Doubt(block, bits & ~sure);
      bits = sure;
    }
    best_.Add(block.name, bits);
  }

  HWY_INLINE void End() {
    ConfirmDoubtful();
    best_.End(view_.index_of);
  }

  /// About how many positions hold what is missing, with some to spare, if this share of them are hits.
  [[nodiscard]] double Reach(double share) const {
    const auto missing = static_cast<double>(best_.missing());
    return (missing + 3 * std::sqrt(missing) + 8) / HWY_MAX(share, 1e-12);
  }

 private:
  static constexpr std::size_t kDoubtful = 64;

  HWY_INLINE void Doubt(const Block& block, std::uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) {
      if (doubtful_size_ == kDoubtful) {
        ConfirmDoubtful();
      }
      const std::uint32_t position = block.name[LowestBit(bits)];
      if (view_.index_of != nullptr) {
        hwy::Prefetch(view_.index_of + position);
      }
      doubtful_[doubtful_size_++] = position;
    }
  }

  /// Looks at the coordinates of the points in edge quanta, many at a time, so that their misses overlap.
  HWY_NOINLINE void ConfirmDoubtful() {
    alignas(64) std::uint32_t kept[kDoubtful];
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      query_.PrefetchCoordinates(view_.index(doubtful_[i]));
    }
    std::size_t n = 0;
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      kept[n] = doubtful_[i];
      n += query_.Contains(view_.index(doubtful_[i])) && doubtful_[i] < best_.threshold();
    }
    for (std::size_t i = 0; i < n; i += kBlockSize) {
      best_.Add(kept + i, n - i >= kBlockSize ? ~0u : (1u << (n - i)) - 1);
    }
    doubtful_size_ = 0;
  }

  const RankedView& view_;
  const Query& query_;
  LowestPositions best_;
  std::uint32_t from_ = 0;
  bool mixed_ = false;
  std::size_t tested_ = 0, doubtful_size_ = 0;
  std::uint32_t doubtful_[kDoubtful];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
