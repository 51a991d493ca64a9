// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: rays and hits, one after the other in memory, from and to columns. For kernel files only.
//
//   in memory  | o.x o.y o.z d.x | of ray 0, 4, 8, 12     each a block of 16 bytes of one register
//              | o.x o.y o.z d.x | of ray 1, 5, 9, 13
//   columns    | o.x of 0 ... 3 | of 4 ... 7 | ...        four registers of blocks, turned around
//
// Columns that were written number by number could not be read as registers at once: such a load waits until
// all of its parts have left for the cache.

#if defined(JUXTA_SHAPE_RAY_COLUMNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_SHAPE_RAY_COLUMNS_INL_H
#undef JUXTA_SHAPE_RAY_COLUMNS_INL_H
#else
#define JUXTA_SHAPE_RAY_COLUMNS_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "core/simd/blocks-inl.h"
#include "hwy/highway.h"
#include "juxta/layer/raycast.h"
#include "juxta/shape/query.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using core_detail::HWY_NAMESPACE::LoadBlocks;
using core_detail::HWY_NAMESPACE::StoreBlocks;
using core_detail::HWY_NAMESPACE::TurnBlocks;

inline constexpr std::uint32_t kPacket = 16;
using RayTag = hn::CappedTag<float, kPacket>;
using Rays = hn::Vec<RayTag>;
inline constexpr std::uint32_t kRayStep = static_cast<std::uint32_t>(hn::MaxLanes(RayTag()));

/// Sixteen rays as columns.
struct alignas(64) RayColumns {
  float origin[3][kPacket], direction[3][kPacket], max[kPacket];

  HWY_INLINE void Load(const Ray3* rays) {
    static_assert(sizeof(Ray3) == 28 && offsetof(Ray3, direction) == 12 && offsetof(Ray3, max) == 24);
    constexpr std::size_t kSize = sizeof(Ray3) / sizeof(float);
    const RayTag d;
    for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
      const float* from = reinterpret_cast<const float*>(rays + s);
      Rays v[4];
      for (std::size_t i = 0; i < 4; ++i) {
        v[i] = LoadBlocks(d, from + i * kSize, 4 * kSize);
      }
      TurnBlocks(d, v);
      for (int axis = 0; axis < 3; ++axis) {
        hn::Store(v[axis], d, origin[axis] + s);
      }
      for (std::size_t i = 0; i < 4; ++i) {
        v[i] = LoadBlocks(d, from + i * kSize + 3, 4 * kSize);
      }
      TurnBlocks(d, v);
      for (int axis = 0; axis < 3; ++axis) {
        hn::Store(v[axis], d, direction[axis] + s);
      }
      hn::Store(v[3], d, max + s);
    }
  }
  [[nodiscard]] HWY_INLINE Ray3 At(std::uint32_t i) const {
    return {{origin[0][i], origin[1][i], origin[2][i]},
            {direction[0][i], direction[1][i], direction[2][i]},
            max[i]};
  }
};

/// Sixteen answers as columns; `hit` is 1 or 0.
struct alignas(64) HitColumns {
  std::uint32_t hit[kPacket], triangle[kPacket];
  float t[kPacket], point[3][kPacket], normal[3][kPacket];

  HWY_INLINE void Store(SurfaceHit* out) const {
    static_assert(sizeof(SurfaceHit) == 40 && offsetof(SurfaceHit, t) == 4 &&
                  offsetof(SurfaceHit, point) == 8 && offsetof(SurfaceHit, normal) == 20 &&
                  offsetof(SurfaceHit, part) == 32);
    constexpr std::size_t kSize = sizeof(SurfaceHit) / sizeof(float);
    const RayTag d;
    const hn::RebindToUnsigned<RayTag> w;
    for (std::uint32_t s = 0; s < kPacket; s += kRayStep) {
      const auto bits = [d](auto v) { return hn::BitCast(d, v); };
      float* to = reinterpret_cast<float*>(out + s);
      Rays first[4] = {bits(hn::Load(w, hit + s)), hn::Load(d, t + s), hn::Load(d, point[0] + s),
                       hn::Load(d, point[1] + s)};
      Rays second[4] = {hn::Load(d, point[2] + s), hn::Load(d, normal[0] + s), hn::Load(d, normal[1] + s),
                        hn::Load(d, normal[2] + s)};
      // Two of them a second time: so this is a block, too.
      Rays third[4] = {second[2], second[3], bits(hn::Set(w, kNoPart)), bits(hn::Load(w, triangle + s))};
      TurnBlocks(d, first);
      TurnBlocks(d, second);
      TurnBlocks(d, third);
      for (std::size_t i = 0; i < 4; ++i) {
        StoreBlocks(d, first[i], to + i * kSize, 4 * kSize);
        StoreBlocks(d, second[i], to + i * kSize + 4, 4 * kSize);
        StoreBlocks(d, third[i], to + i * kSize + 6, 4 * kSize);
      }
    }
  }
};

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
