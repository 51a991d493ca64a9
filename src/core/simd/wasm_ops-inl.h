// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What Highway 1.0 does on WebAssembly by loops and through memory, though
// SIMD128 has an instruction: masks as integers, looking up bytes, and whether
// a mask is empty. It dates from before every browser had them.
//
// Highway's own functions (StoreMaskBits, Compress, TableLookupLanes) find
// these overloads by their arguments, and prefer them because they name the
// type of a lane. Kernels include this file before they call CountTrue or
// AllFalse.
#pragma once

#include "hwy/highway.h"

#if HWY_TARGET == HWY_WASM && HWY_MAJOR == 1 && HWY_MINOR == 0

HWY_BEFORE_NAMESPACE();
namespace hwy::HWY_NAMESPACE {

// Of bytes, full registers alone; of others, Highway cuts off the lanes beyond N.
#define JUXTA_WASM_MASK(type, bytes, bitmask)                                                    \
  template <std::size_t N>                                                                       \
  HWY_API std::uint64_t BitsFromMask(hwy::SizeTag<bytes> /*tag*/, const Mask128<type, N> mask) { \
    return static_cast<std::uint64_t>(bitmask(mask.raw));                                        \
  }                                                                                              \
  JUXTA_WASM_OPS(type, bitmask)
#define JUXTA_WASM_BYTE_MASK(type)                                                        \
  HWY_API std::uint64_t BitsFromMask(hwy::SizeTag<1> /*tag*/, const Mask128<type> mask) { \
    return static_cast<std::uint64_t>(wasm_i8x16_bitmask(mask.raw));                      \
  }                                                                                       \
  JUXTA_WASM_OPS(type, wasm_i8x16_bitmask)
#define JUXTA_WASM_OPS(type, bitmask)                                                                   \
  HWY_API std::size_t CountTrue(const Full128<type> /*d*/, const Mask128<type> mask) {                  \
    return static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(bitmask(mask.raw))));      \
  }                                                                                                     \
  HWY_API bool AllFalse(const Full128<type> /*d*/, const Mask128<type> mask) {                          \
    return !wasm_v128_any_true(mask.raw);                                                               \
  }                                                                                                     \
  template <std::size_t N, std::size_t NI>                                                              \
  HWY_API Vec128<type, NI> TableLookupBytes(const Vec128<type, N> table, const Vec128<type, NI> from) { \
    return {wasm_i8x16_swizzle(table.raw, from.raw)};                                                   \
  }
JUXTA_WASM_BYTE_MASK(std::uint8_t)
JUXTA_WASM_BYTE_MASK(std::int8_t)
JUXTA_WASM_MASK(std::uint16_t, 2, wasm_i16x8_bitmask)
JUXTA_WASM_MASK(std::int16_t, 2, wasm_i16x8_bitmask)
JUXTA_WASM_MASK(std::uint32_t, 4, wasm_i32x4_bitmask)
JUXTA_WASM_MASK(std::int32_t, 4, wasm_i32x4_bitmask)
JUXTA_WASM_MASK(float, 4, wasm_i32x4_bitmask)
JUXTA_WASM_MASK(std::uint64_t, 8, wasm_i64x2_bitmask)
JUXTA_WASM_MASK(std::int64_t, 8, wasm_i64x2_bitmask)
JUXTA_WASM_MASK(double, 8, wasm_i64x2_bitmask)
#undef JUXTA_WASM_OPS
#undef JUXTA_WASM_BYTE_MASK
#undef JUXTA_WASM_MASK

}  // namespace hwy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_WASM
