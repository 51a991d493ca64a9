// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: which of 32 points are in a box, which of 16 children touch it. For kernel files only.

#if defined(JUXTA_RANKED_BLOCK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_BLOCK_INL_H
#undef JUXTA_RANKED_BLOCK_INL_H
#else
#define JUXTA_RANKED_BLOCK_INL_H
#endif

#include "core/simd/compress-inl.h"
#include "core/simd/mask_bits-inl.h"
#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "ranked/ranked_view.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

HWY_INLINE void PrefetchLines(const void* memory, std::size_t lines) {
  for (std::size_t i = 0; i < lines; ++i) {
    hwy::Prefetch(static_cast<const std::byte*>(memory) + i * 64);
  }
}

/// Unsigned a <= b. Min and Eq exist for u16 and u32 on every target; integer <= does not.
template <class V>
HWY_INLINE auto LessEqual(V a, V b) {
  return hn::Eq(hn::Min(a, b), a);
}

/// `mask(s)` gives the lanes from s on, of kLanes lanes of 16 bits. Lane i as bit i.
template <std::size_t kLanes, class Mask>
HWY_INLINE std::uint32_t BitsOfLanes(Mask&& mask) {
  const hn::CappedTag<std::uint16_t, kLanes> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint32_t bits = 0;
#if HWY_TARGET == HWY_WASM
  for (std::size_t s = 0; s < kLanes; s += 2 * lanes) {  // two registers become one of bytes
    bits |= static_cast<std::uint32_t>(
                wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(mask(s).raw, mask(s + lanes).raw)))
            << s;
  }
#else
  for (std::size_t s = 0; s < kLanes; s += lanes) {
    bits |= BitsOf(d, mask(s)) << s;
  }
#endif
  return bits;
}

/// Bit i: point i of the block is inside the box. 2 loads, 2 subtractions, 2 unsigned compares for 32 points.
HWY_INLINE std::uint32_t InsideBits(const Block& block, const QuantumBox& box) {
  const hn::CappedTag<std::uint16_t, kBlockSize> d;
  const auto lx = hn::Set(d, box.lx), ly = hn::Set(d, box.ly);
  const auto width = hn::Set(d, static_cast<std::uint16_t>(box.hx - box.lx));
  const auto height = hn::Set(d, static_cast<std::uint16_t>(box.hy - box.ly));
  return BitsOfLanes<kBlockSize>([&](std::size_t s) HWY_ATTR {
    const auto on_x = LessEqual(hn::Sub(hn::Load(d, block.x + s), lx), width);
    const auto on_y = LessEqual(hn::Sub(hn::Load(d, block.y + s), ly), height);
    return hn::And(on_x, on_y);
  });
}

/// Bit i: quantum i is in [first, last].
HWY_INLINE std::uint32_t QuantaBits(const std::uint16_t* quanta, std::uint16_t first, std::uint16_t last) {
  const hn::CappedTag<std::uint16_t, kBlockSize> d;
  const auto vfirst = hn::Set(d, first), width = hn::Set(d, static_cast<std::uint16_t>(last - first));
  return BitsOfLanes<kBlockSize>(
      [&](std::size_t s) HWY_ATTR { return LessEqual(hn::Sub(hn::Load(d, quanta + s), vfirst), width); });
}

/// Bit i: the position of point i is in [from, to).
HWY_INLINE std::uint32_t NameBits(const Block& block, std::uint32_t from, std::uint32_t to) {
  const hn::CappedTag<std::uint32_t, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto vfrom = hn::Set(d, from), vlast = hn::Set(d, to - 1);  // to is at least 1
  std::uint32_t bits = 0;
  for (std::size_t s = 0; s < kBlockSize; s += lanes) {
    const auto name = hn::Load(d, block.name + s);
    bits |= BitsOf(d, hn::And(LessEqual(vfrom, name), LessEqual(name, vlast))) << s;
  }
  return bits;
}

/// Appends the names of the set bits; may write a whole vector more. Compressing half a block at once pays;
/// by eights (AVX2) it is as fast as a loop over the bits.
HWY_INLINE std::size_t AppendNames(const Block& block, std::uint32_t hits, std::uint32_t* HWY_RESTRICT out) {
  const hn::CappedTag<std::uint32_t, 16> d;
  std::size_t n = 0;
  if (hn::MaxLanes(d) < 16) {
    for (; hits != 0; hits &= hits - 1) {
      out[n++] = block.name[hwy::Num0BitsBelowLS1Bit_Nonzero32(hits)];
    }
    return n;
  }
  for (std::size_t s = 0; s < kBlockSize; s += 16) {
    const auto part = static_cast<std::uint16_t>(hits >> s);
    hn::StoreU(hn::Compress(hn::Load(d, block.name + s),
                            hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&part))),
               d, out + n);
    n += hwy::PopCount(std::uint64_t{part});
  }
  return n;
}

/// Bit i: child i touches the box.
HWY_INLINE std::uint32_t TouchingBits(const Node& node, const QuantumBox& box) {
  const hn::CappedTag<std::uint16_t, kFanout> d;
  const auto lx = hn::Set(d, box.lx), ly = hn::Set(d, box.ly);
  const auto hx = hn::Set(d, box.hx), hy = hn::Set(d, box.hy);
  return BitsOfLanes<kFanout>([&](std::size_t s) HWY_ATTR {
    const auto on_x =
        hn::And(LessEqual(hn::Load(d, node.lx + s), hx), LessEqual(lx, hn::Load(d, node.hx + s)));
    const auto on_y =
        hn::And(LessEqual(hn::Load(d, node.ly + s), hy), LessEqual(ly, hn::Load(d, node.hy + s)));
    return hn::And(on_x, on_y);
  });
}

/// Bit i: all of child i lies inside the box.
HWY_INLINE std::uint32_t ContainedBits(const Node& node, const QuantumBox& box) {
  const hn::CappedTag<std::uint16_t, kFanout> d;
  const auto lx = hn::Set(d, box.lx), ly = hn::Set(d, box.ly);
  const auto hx = hn::Set(d, box.hx), hy = hn::Set(d, box.hy);
  return BitsOfLanes<kFanout>([&](std::size_t s) HWY_ATTR {
    const auto on_x =
        hn::And(LessEqual(lx, hn::Load(d, node.lx + s)), LessEqual(hn::Load(d, node.hx + s), hx));
    const auto on_y =
        hn::And(LessEqual(ly, hn::Load(d, node.ly + s)), LessEqual(hn::Load(d, node.hy + s), hy));
    return hn::And(on_x, on_y);
  });
}

/// Bit i: the lowest position below child i is in [from, to).
HWY_INLINE std::uint32_t FirstBits(const Node& node, std::uint32_t from, std::uint32_t to) {
  const hn::CappedTag<std::uint32_t, kFanout> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto vfrom = hn::Set(d, from), vto = hn::Set(d, to);
  std::uint32_t bits = 0;
  for (std::size_t s = 0; s < kFanout; s += lanes) {
    const auto first = hn::Load(d, node.first + s);
    bits |= BitsOf(d, hn::And(LessEqual(vfrom, first), hn::Lt(first, vto))) << s;
  }
  return bits;
}

/// The lowest position below the children whose bits are set; kNoPoint: none is.
HWY_INLINE std::uint32_t LowestFirst(const Node& node, std::uint32_t children) {
  const hn::CappedTag<std::uint32_t, kFanout> d;
  const std::size_t lanes = hn::Lanes(d);
  auto lowest = hn::Set(d, kNoPoint);
  for (std::size_t s = 0; s < kFanout; s += lanes) {
    const auto part = static_cast<std::uint16_t>(children >> s);
    const auto set = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&part));
    lowest = hn::Min(lowest, hn::IfThenElse(set, hn::Load(d, node.first + s), hn::Set(d, kNoPoint)));
  }
  return hn::GetLane(hn::MinOfLanes(d, lowest));
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
