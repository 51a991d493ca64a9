// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: a vector mask as an integer. For kernel files only.

#if defined(JUXTA_CORE_MASK_BITS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_CORE_MASK_BITS_INL_H
#undef JUXTA_CORE_MASK_BITS_INL_H
#else
#define JUXTA_CORE_MASK_BITS_INL_H
#endif

#include <cstdint>

#include "core/simd/wasm_ops-inl.h"
#include "hwy/highway.h"

#ifdef JUXTA_SMALL_CODE
// A file that is downloaded: from here on the compiler decides what is worth a copy. (Highway's own
// functions, above, are single instructions.)
#undef HWY_INLINE
#define HWY_INLINE inline
#endif

HWY_BEFORE_NAMESPACE();
namespace juxta::core_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Lane i of `mask` as bit i.
template <class D, class M>
HWY_INLINE std::uint32_t BitsOf(D d, M mask) {
  std::uint8_t bytes[8];  // read back at the width that was stored, or forwarding it would stall
  hn::StoreMaskBits(d, mask, bytes);
  std::uint32_t bits = 0;
  hwy::CopyBytes<(hn::MaxLanes(d) + 7) / 8>(bytes, &bits);
  return bits;
}

}  // namespace juxta::core_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
