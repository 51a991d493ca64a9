// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#else
#include <algorithm>
#include <array>
#endif

namespace juxta::classics {

/// As many floats as one register of this machine holds: 16 with AVX-512, 8 with AVX2, else 8 in plain C++.
/// A Near says which lanes count.
#if defined(__AVX512F__)

struct Lanes {
  static constexpr std::uint32_t kCount = 16;
  __m512 v = _mm512_setzero_ps();

  static Lanes load(const float* from) { return {_mm512_loadu_ps(from)}; }
  static Lanes all(float value) { return {_mm512_set1_ps(value)}; }
  friend Lanes operator+(Lanes a, Lanes b) { return {_mm512_add_ps(a.v, b.v)}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {_mm512_sub_ps(a.v, b.v)}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {_mm512_mul_ps(a.v, b.v)}; }
};

struct Near {
  __mmask16 mask;
};
/// The first `count` lanes; all from kCount on.
inline Near first_lanes(std::uint32_t count) {
  return {static_cast<__mmask16>(count < Lanes::kCount ? (1U << count) - 1 : 0xFFFFU)};
}
/// Lanes of `among` where a < b.
inline Near less(Near among, Lanes a, Lanes b) {
  return {_mm512_mask_cmp_ps_mask(among.mask, a.v, b.v, _CMP_LT_OQ)};
}
inline void add(Near near, Lanes& sum, Lanes value) {
  sum.v = _mm512_mask_add_ps(sum.v, near.mask, sum.v, value.v);
}
inline std::uint32_t count(Near near) {
  return static_cast<std::uint32_t>(__builtin_popcount(near.mask));
}
inline __m256 halves(Lanes a) {
  // With a mask of all: the plain form reads a value that gcc 12 rightly calls uninitialised.
  const __m512d v = _mm512_castps_pd(a.v);
  return _mm256_add_ps(_mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xFF, v, 0)),
                       _mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(0xFF, v, 1)));
}

#elif defined(__AVX2__)

struct Lanes {
  static constexpr std::uint32_t kCount = 8;
  __m256 v = _mm256_setzero_ps();

  static Lanes load(const float* from) { return {_mm256_loadu_ps(from)}; }
  static Lanes all(float value) { return {_mm256_set1_ps(value)}; }
  friend Lanes operator+(Lanes a, Lanes b) { return {_mm256_add_ps(a.v, b.v)}; }
  friend Lanes operator-(Lanes a, Lanes b) { return {_mm256_sub_ps(a.v, b.v)}; }
  friend Lanes operator*(Lanes a, Lanes b) { return {_mm256_mul_ps(a.v, b.v)}; }
};

struct Near {
  __m256 mask;
};
inline Near first_lanes(std::uint32_t count) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return {_mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lane))};
}
inline Near less(Near among, Lanes a, Lanes b) {
  return {_mm256_and_ps(among.mask, _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ))};
}
inline void add(Near near, Lanes& sum, Lanes value) {
  sum.v = _mm256_add_ps(sum.v, _mm256_and_ps(near.mask, value.v));
}
inline std::uint32_t count(Near near) {
  return static_cast<std::uint32_t>(__builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(near.mask))));
}
inline __m256 halves(Lanes a) {
  return a.v;
}

#else

struct Lanes {
  static constexpr std::uint32_t kCount = 8;
  std::array<float, kCount> v{};

  static Lanes load(const float* from) {
    Lanes lanes;
    std::copy_n(from, kCount, lanes.v.begin());
    return lanes;
  }
  static Lanes all(float value) {
    Lanes lanes;
    lanes.v.fill(value);
    return lanes;
  }
  template <class Do>
  static Lanes each(const Do& one) {
    Lanes lanes;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      lanes.v[i] = one(i);
    }
    return lanes;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each([&](std::uint32_t i) { return a.v[i] + b.v[i]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each([&](std::uint32_t i) { return a.v[i] - b.v[i]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each([&](std::uint32_t i) { return a.v[i] * b.v[i]; });
  }
};

struct Near {
  std::array<bool, Lanes::kCount> mask{};
};
inline Near first_lanes(std::uint32_t count) {
  Near near;
  std::fill_n(near.mask.begin(), std::min(count, Lanes::kCount), true);
  return near;
}
inline Near less(Near among, const Lanes& a, const Lanes& b) {
  for (std::uint32_t i = 0; i < Lanes::kCount; ++i) {
    among.mask[i] = among.mask[i] && a.v[i] < b.v[i];
  }
  return among;
}
inline void add(const Near& near, Lanes& sum, const Lanes& value) {
  for (std::uint32_t i = 0; i < Lanes::kCount; ++i) {
    sum.v[i] += near.mask[i] ? value.v[i] : 0;
  }
}
inline std::uint32_t count(const Near& near) {
  return static_cast<std::uint32_t>(std::count(near.mask.begin(), near.mask.end(), true));
}

#endif

/// out[i] = the sum of the lanes of sums[i]. Six registers at once: a third of the shuffles of one by one.
inline void sums_of_lanes(const Lanes (&sums)[6], float (&out)[8]) {
#if defined(__AVX2__)
  // 8 lanes of each, then pairs of neighbours, then pairs of pairs: sums[0..3] and sums[4..5], low and high.
  const __m256 a = _mm256_hadd_ps(halves(sums[0]), halves(sums[1]));
  const __m256 b = _mm256_hadd_ps(halves(sums[2]), halves(sums[3]));
  const __m256 c = _mm256_hadd_ps(halves(sums[4]), halves(sums[5]));
  const __m256 ab = _mm256_hadd_ps(a, b), cc = _mm256_hadd_ps(c, c);
  const __m256 low = _mm256_permute2f128_ps(ab, cc, 0x20), high = _mm256_permute2f128_ps(ab, cc, 0x31);
  _mm256_storeu_ps(out, _mm256_add_ps(low, high));
#else
  for (std::uint32_t i = 0; i < 6; ++i) {
    out[i] = 0;
    for (const float value : sums[i].v) {
      out[i] += value;
    }
  }
#endif
}

}  // namespace juxta::classics
