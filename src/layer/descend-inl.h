// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: going down a tree in the order of its lanes. For kernel files only.

#if defined(JUXTA_LAYER_DESCEND_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_LAYER_DESCEND_INL_H
#undef JUXTA_LAYER_DESCEND_INL_H
#else
#define JUXTA_LAYER_DESCEND_INL_H
#endif

#include "hwy/highway.h"
#include "juxta/layer/filter.h"
#include "layer/store.h"
#include "order/lanes16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {

HWY_INLINE std::uint32_t LowestBit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
}
HWY_INLINE std::uint32_t Count(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::PopCount(bits));
}

/// Lanes of a leaf whose bodies meet this filter. Only for layers that are filtered.
template <int D>
HWY_INLINE std::uint32_t MeetingBits(const LayerView<D>& view, std::uint32_t leaf, Filter filter) {
  const WordTag d;
  const auto category = hn::Set(d, filter.category), mask = hn::Set(d, filter.mask);
  const std::size_t base = std::size_t{leaf} * kBlockLanes;
  std::uint32_t bits = 0;
  for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
    const auto theirs = hn::And(hn::Load(d, view.category + base + s), mask);
    const auto ours = hn::And(hn::Load(d, view.mask + base + s), category);
    const auto apart = hn::Or(hn::Eq(theirs, hn::Zero(d)), hn::Eq(ours, hn::Zero(d)));
    bits |= BitsOf(d, hn::Not(apart)) << s;
  }
  return bits;
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

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
