// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: lanes as bits, and going down a tree in the order of its lanes. For kernel files only.

#if defined(JUXTA_ORDER_DESCEND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_ORDER_DESCEND_INL_H
#undef JUXTA_ORDER_DESCEND_INL_H
#else
#define JUXTA_ORDER_DESCEND_INL_H
#endif

#include "core/simd/compress-inl.h"
#include "hwy/highway.h"
#include "order/lanes16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::order_detail::HWY_NAMESPACE {

HWY_INLINE std::uint32_t LowestBit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
}
HWY_INLINE std::uint32_t Count(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::PopCount(bits));
}

/// The lanes of one register whose bits are set, moved to its front; there are no bits beyond its lanes.
HWY_INLINE Words Pack(Words lanes, std::uint32_t bits) {
  const std::uint64_t wide = bits;  // 8 readable bytes are asked for
  return hn::CompressBits(lanes, reinterpret_cast<const std::uint8_t*>(&wide));
}

/// The bits of the lanes in register `part` of a block.
HWY_INLINE std::uint32_t BitsOfPart(std::uint32_t bits, std::uint32_t part) {
  return bits >> part * kStep & ((1U << kStep) - 1);
}

/// Goes down wherever `enter(level, block)` has a bit, lanes in order, and calls `leaf(block)` at the bottom
/// until that returns false. What is still to do is a mask of lanes for each level: no stack can overflow.
template <int D, class Enter, class Leaf>
HWY_INLINE void Descend(const BlockTree<D>& tree, Enter&& enter, Leaf&& leaf) {
  std::uint32_t bits[kMaxTreeLevels], block[kMaxTreeLevels];
  const std::uint32_t top = tree.levels - 1;
  std::uint32_t level = top;
  block[top] = 0;
  bits[top] = enter(top, 0U);
  for (;;) {
    if (bits[level] == 0) {
      if (level == top) {
        return;
      }
      ++level;
      continue;
    }
    const std::uint32_t child = block[level] * kBlockLanes + LowestBit(bits[level]);
    bits[level] &= bits[level] - 1;
    if (level > 1) {
      --level;
      block[level] = child;
      bits[level] = enter(level, child);
    } else if (!leaf(child)) {
      return;
    }
  }
}

}  // namespace juxta::order_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
