// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: what Highway 1.0 compresses by a table that is a local constant. gcc 12 copies such a table to
// the stack in every call, 1 KB on AVX2, 256 bytes on SSE4 and NEON: a pass over agents took three to four
// times as long.
//
// Calls of Highway's functions (Compress, CompressBits, CompressStore) of 32-bit lanes prefer these overloads
// because they name the type of a lane, where a kernel includes this file first. Lanes behind those that are
// kept have any value.

#if defined(JUXTA_CORE_COMPRESS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_CORE_COMPRESS_INL_H
#undef JUXTA_CORE_COMPRESS_INL_H
#else
#define JUXTA_CORE_COMPRESS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/pack_table.h"
#include "hwy/highway.h"

#if HWY_MAJOR == 1 && HWY_MINOR == 0 && \
    (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_NEON)

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

HWY_INLINE Vec128<std::uint8_t> PackPlaces(Full128<std::uint32_t> /*d*/, std::uint64_t mask) {
  return LoadU(Full128<std::uint8_t>(), juxta::core_detail::kPackTableOfFour[mask].data());
}
template <class T>
HWY_INLINE Vec128<T> Pack(Vec128<T> v, Vec128<std::uint8_t> places) {
  return BitCast(Full128<T>(), TableLookupBytes(BitCast(Full128<std::uint8_t>(), v), places));
}
#if HWY_TARGET == HWY_AVX2
HWY_INLINE __m256i PackPlaces(Full256<std::uint32_t> /*d*/, std::uint64_t mask) {
  return _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&juxta::core_detail::kPackTable[mask])));
}
HWY_INLINE Vec256<std::uint32_t> Pack(Vec256<std::uint32_t> v, __m256i places) {
  return {_mm256_permutevar8x32_epi32(v.raw, places)};
}
HWY_INLINE Vec256<float> Pack(Vec256<float> v, __m256i places) {
  return {_mm256_permutevar8x32_ps(v.raw, places)};
}
#endif

#define JUXTA_COMPRESS(bits, type)                                                            \
  HWY_API Vec##bits<type> Compress(const Vec##bits<type> v, const Mask##bits<type> mask) {    \
    return Pack(v, PackPlaces(Full##bits<std::uint32_t>(), detail::BitsFromMask(mask)));      \
  }                                                                                           \
  HWY_API Vec##bits<type> CompressBits(const Vec##bits<type> v, const std::uint8_t* mask) {   \
    return Pack(v, PackPlaces(Full##bits<std::uint32_t>(), *mask & ((1U << bits / 32) - 1))); \
  }                                                                                           \
  HWY_API std::size_t CompressStore(const Vec##bits<type> v, const Mask##bits<type> mask,     \
                                    const Full##bits<type> d, type* HWY_RESTRICT to) {        \
    StoreU(Compress(v, mask), d, to);                                                         \
    return CountTrue(d, mask);                                                                \
  }
JUXTA_COMPRESS(128, float)
JUXTA_COMPRESS(128, std::uint32_t)
#if HWY_TARGET == HWY_AVX2
JUXTA_COMPRESS(256, float)
JUXTA_COMPRESS(256, std::uint32_t)
#endif
#undef JUXTA_COMPRESS

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
#endif
