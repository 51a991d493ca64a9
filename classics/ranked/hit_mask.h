// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

namespace juxta::classics {

namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::ScalableTag<float>;
using IndexTag = hn::RebindToUnsigned<FloatTag>;

/// The widest vector of this build, chosen by -march.
inline std::size_t lanes() {
  return hn::Lanes(FloatTag());
}

/// One bit per lane, lane 0 lowest.
template <class Mask>
inline std::uint32_t bits_of(Mask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), mask, bytes);
  std::uint32_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return bits;
}

}  // namespace juxta::classics
