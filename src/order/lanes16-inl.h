// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: sixteen lanes in as many registers as they need. For kernel files only.

#if defined(JUXTA_ORDER_LANES16_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_ORDER_LANES16_INL_H
#undef JUXTA_ORDER_LANES16_INL_H
#else
#define JUXTA_ORDER_LANES16_INL_H
#endif

#include "core/simd/mask_bits-inl.h"
#include "hwy/highway.h"
#include "order/block_tree.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::order_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, kBlockLanes>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using Floats = hn::Vec<FloatTag>;
using Words = hn::Vec<WordTag>;
using FloatMask = hn::Mask<FloatTag>;
/// Lanes of one register: 16, 8 or 4. Loops over a block count by it.
inline constexpr std::uint32_t kStep = static_cast<std::uint32_t>(hn::MaxLanes(FloatTag()));

/// Lane i of the sixteen as bit i.
HWY_INLINE std::uint32_t BitsOfBlock(const FloatMask (&parts)[kBlockLanes / kStep]) {
#if HWY_TARGET == HWY_WASM
  // Four registers become one of bytes, whose signs are one instruction.
  const auto low = wasm_i16x8_narrow_i32x4(parts[0].raw, parts[1].raw);
  const auto high = wasm_i16x8_narrow_i32x4(parts[2].raw, parts[3].raw);
  return wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high));
#else
  std::uint32_t bits = 0;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    bits |= BitsOf(FloatTag(), parts[part]) << (part * kStep);
  }
  return bits;
#endif
}

/// One box in every lane.
template <int D>
struct SplatBox {
  Floats lo[D], hi[D];
};

template <int D>
HWY_INLINE SplatBox<D> Splat(const Aabb<D>& box) {
  const FloatTag d;
  SplatBox<D> splat;
  for (int axis = 0; axis < D; ++axis) {
    splat.lo[axis] = hn::Set(d, box.lo[axis]);
    splat.hi[axis] = hn::Set(d, box.hi[axis]);
  }
  return splat;
}

/// One lane of a block in every lane.
template <int D>
HWY_INLINE SplatBox<D> Splat(const BoxBlock<D>& block, std::uint32_t lane) {
  const FloatTag d;
  SplatBox<D> splat;
  for (int axis = 0; axis < D; ++axis) {
    splat.lo[axis] = hn::Set(d, block.lo[axis][lane]);
    splat.hi[axis] = hn::Set(d, block.hi[axis][lane]);
  }
  return splat;
}

/// A whole block in registers, for many tests against it (as far as the registers last).
template <int D>
struct BlockLanes {
  static constexpr std::uint32_t kParts = kBlockLanes / kStep;
  Floats lo[kParts][D], hi[kParts][D];

  explicit HWY_INLINE BlockLanes(const BoxBlock<D>& block) {
    const FloatTag d;
    for (std::uint32_t part = 0; part < kParts; ++part) {
      for (int axis = 0; axis < D; ++axis) {
        lo[part][axis] = hn::Load(d, block.lo[axis] + part * kStep);
        hi[part][axis] = hn::Load(d, block.hi[axis] + part * kStep);
      }
    }
  }

  /// Bit i: lane i overlaps the box.
  HWY_INLINE std::uint32_t Overlaps(const SplatBox<D>& box) const {
    FloatMask hit[kParts];
    for (std::uint32_t part = 0; part < kParts; ++part) {
      hit[part] = hn::And(hn::Le(lo[part][0], box.hi[0]), hn::Le(box.lo[0], hi[part][0]));
      for (int axis = 1; axis < D; ++axis) {
        hit[part] = hn::And(
            hit[part], hn::And(hn::Le(lo[part][axis], box.hi[axis]), hn::Le(box.lo[axis], hi[part][axis])));
      }
    }
    return BitsOfBlock(hit);
  }

  /// Bit i: lane i lies within the box. Empty lanes do.
  HWY_INLINE std::uint32_t Within(const SplatBox<D>& box) const {
    FloatMask in[kParts];
    for (std::uint32_t part = 0; part < kParts; ++part) {
      in[part] = hn::And(hn::Le(box.lo[0], lo[part][0]), hn::Le(hi[part][0], box.hi[0]));
      for (int axis = 1; axis < D; ++axis) {
        in[part] = hn::And(
            in[part], hn::And(hn::Le(box.lo[axis], lo[part][axis]), hn::Le(hi[part][axis], box.hi[axis])));
      }
    }
    return BitsOfBlock(in);
  }
};

/// Bit i: lane i of the block overlaps the box. 2 D loads and compares for 16 boxes.
template <int D>
HWY_INLINE std::uint32_t OverlapBits(const BoxBlock<D>& block, const SplatBox<D>& box) {
  return BlockLanes<D>(block).Overlaps(box);
}

/// The bounds of all lanes of a block.
template <int D>
HWY_INLINE Aabb<D> BoundsOf(const BoxBlock<D>& block) {
  const FloatTag d;
  Aabb<D> bounds;
  for (int axis = 0; axis < D; ++axis) {
    auto lo = hn::Load(d, block.lo[axis]), hi = hn::Load(d, block.hi[axis]);
    for (std::uint32_t s = kStep; s < kBlockLanes; s += kStep) {
      lo = hn::Min(lo, hn::Load(d, block.lo[axis] + s));
      hi = hn::Max(hi, hn::Load(d, block.hi[axis] + s));
    }
    bounds.lo[axis] = hn::GetLane(hn::MinOfLanes(d, lo));
    bounds.hi[axis] = hn::GetLane(hn::MaxOfLanes(d, hi));
  }
  return bounds;
}

}  // namespace juxta::order_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
