// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the rank of each of some values. For kernel files only.

#if defined(JUXTA_POINTS_RANK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_POINTS_RANK_INL_H
#undef JUXTA_POINTS_RANK_INL_H
#else
#define JUXTA_POINTS_RANK_INL_H
#endif

#include <cstdint>

#include "core/simd/doubles-inl.h"
#include "hwy/highway.h"
#include "order/lanes16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::points_detail::HWY_NAMESPACE {
using namespace order_detail::HWY_NAMESPACE;

/// The type of a rank: as wide as the value.
template <class T>
using RankOf = hwy::MakeUnsigned<T>;

/// How many of values[0, count) are less than each value of `parts` registers, which begin at `of`.
template <std::uint32_t parts, class T>
HWY_INLINE void RankParts(const T* HWY_RESTRICT values, std::uint32_t count, const T* HWY_RESTRICT of,
                          RankOf<T>* HWY_RESTRICT ranks) {
  const hn::CappedTag<T, kBlockLanes> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::RebindToFloat<decltype(d)> df;
  constexpr std::uint32_t kAtOnce = static_cast<std::uint32_t>(hn::MaxLanes(d));
  hn::Vec<decltype(d)> own[parts];
  hn::Vec<decltype(du)> rank[parts];
  for (std::uint32_t part = 0; part < parts; ++part) {
    own[part] = hn::LoadU(d, of + part * kAtOnce);
    rank[part] = hn::Zero(du);
  }
  for (std::uint32_t j = 0; j < count; ++j) {
    hn::TFromD<decltype(df)> bits;  // as a float: gcc loads it into all lanes at once then
    hwy::CopySameSize(values + j, &bits);
    const auto value = hn::BitCast(d, hn::Set(df, bits));
    for (std::uint32_t part = 0; part < parts; ++part) {
      const auto less = hn::RebindMask(du, hn::Lt(value, own[part]));
      rank[part] = hn::Sub(rank[part], hn::VecFromMask(du, less));
    }
  }
  for (std::uint32_t part = 0; part < parts; ++part) {
    hn::Store(rank[part], du, ranks + part * kAtOnce);
  }
}

/// ranks[i] = how many of values[0, count) are less than values[i]. Both have room for 64 more, of which
/// `values` holds anything. Cost: count * count / lanes compares.
template <class T>
HWY_INLINE void RankAll(const T* HWY_RESTRICT values, std::uint32_t count, RankOf<T>* HWY_RESTRICT ranks) {
  constexpr std::uint32_t kAtOnce = static_cast<std::uint32_t>(hn::MaxLanes(hn::CappedTag<T, kBlockLanes>()));
  std::uint32_t i = 0;
  for (; i + 2 * kAtOnce < count; i += 4 * kAtOnce) {
    RankParts<4>(values, count, values + i, ranks + i);
  }
  if (i + kAtOnce < count) {
    RankParts<2>(values, count, values + i, ranks + i);
  } else if (i < count) {
    RankParts<1>(values, count, values + i, ranks + i);
  }
}

}  // namespace juxta::points_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
