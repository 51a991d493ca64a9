// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a ray enters, nearest first; and the box nearest to a point, which is the same search with another
// distance.
//
//          lo.x   hi.x            Per axis the ray is between two sides for t in [enter, leave]. It is in the
//   o ->----|======|-->           box where it is between all of them: from the last entry to the first
//   leave,
//       enter     leave           and a block of 16 bounds is one go.
//
// Work:         6 loads, 6 subtractions, 6 multiplications, 6 minima and maxima for 16 boxes; a closest ray
//               through 100k uniform boxes reads 10 blocks.
// Limit:        latency: each block is known only after the one before it.
// Determinism:  t = (side - origin) * (1 / direction), rounded twice, never fused. Rounding is monotone, so
// the
//               bounds of a block are entered no later than any box inside, and left no earlier.
// Source:       Kay and Kajiya, "Ray tracing complex scenes" (SIGGRAPH 1986).

#include "layer/ray_kernel.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/layer/ray_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "layer/nearest_first-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::layer_detail::HWY_NAMESPACE {

/// A ray made ready. An axis that it does not move along has no t: the origin is between its sides or not.
template <int D>
struct Slabs {
  float origin[D], inverse[D];
  std::uint32_t first[D], last[D];  // which of the rows lo.x, lo.y, (lo.z,) hi.x, ... it meets first and last
  bool along[D], all_along = true;

  explicit Slabs(const Ray<D>& ray) {
    for (int axis = 0; axis < D; ++axis) {
      origin[axis] = ray.origin[axis];
      inverse[axis] = 1.0F / ray.direction[axis];
      along[axis] = std::fabs(inverse[axis]) <= std::numeric_limits<float>::max();
      const auto lo = static_cast<std::uint32_t>(axis), hi = lo + D;
      first[axis] = inverse[axis] > 0 ? lo : hi;
      last[axis] = inverse[axis] > 0 ? hi : lo;
      all_along = all_along && along[axis];
    }
  }

  /// Writes where the ray enters 16 boxes; returns those that it enters at or before `limit`.
  HWY_INLINE std::uint32_t operator()(const BoxBlock<D>& block, float limit,
                                      float* HWY_RESTRICT enters) const {
    return HWY_LIKELY(all_along) ? Enter<true>(block, limit, enters) : Enter<false>(block, limit, enters);
  }

 private:
  template <bool kAllAlong>
  HWY_INLINE std::uint32_t Enter(const BoxBlock<D>& block, float limit, float* HWY_RESTRICT enters) const {
    const FloatTag d;
    const float* rows = block.lo[0];  // lo and hi stand one after the other
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      auto enter = hn::Zero(d), leave = hn::Set(d, limit);
      auto between = hn::Eq(enter, enter);
      for (int axis = 0; axis < D; ++axis) {
        const auto from = hn::Set(d, origin[axis]), scale = hn::Set(d, inverse[axis]);
        if (!kAllAlong && !along[axis]) {
          between = hn::And(between, hn::And(hn::Le(hn::Load(d, block.lo[axis] + s), from),
                                             hn::Le(from, hn::Load(d, block.hi[axis] + s))));
          continue;
        }
        const auto near_side = hn::Load(d, rows + first[axis] * kBlockLanes + s);
        const auto far_side = hn::Load(d, rows + last[axis] * kBlockLanes + s);
        enter = hn::Max(enter, hn::Mul(hn::Sub(near_side, from), scale));
        leave = hn::Min(leave, hn::Mul(hn::Sub(far_side, from), scale));
      }
      hn::Store(hn::Abs(enter), d, enters + s);  // -0 becomes 0
      const auto hit = hn::Le(enter, leave);
      bits |= BitsOf(d, kAllAlong ? hit : hn::And(hit, between)) << s;
    }
    return bits;
  }
};

template <int D>
HWY_INLINE RayHit ClosestOf(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                            SearchWork& work) {
  const Best best = FindNearest<D>(view, options, ray.max, work, Slabs<D>(ray));
  return best.body == kNoBody ? RayHit{} : RayHit{best.body, best.distance};
}

/// Calls `hit(RayHit)` in the layer's order; it returns the new end of the ray, negative to stop.
template <int D, class Hit>
HWY_INLINE void ForEachHit(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                           SearchWork& work, Hit&& hit) {
  HWY_ALIGN float enters[kBlockLanes];
  const Slabs<D> slabs(ray);
  float end = ray.max;
  const auto enter = [&](std::uint32_t level, std::uint32_t block) HWY_ATTR {
    ++work.visited;
    return slabs(view.tree->level[level][block], end, enters);
  };
  const auto leaf = [&](std::uint32_t block) HWY_ATTR {
    ++work.visited;
    work.tested += kBlockLanes;
    std::uint32_t bits = AnswerBits(view, block, slabs(view.tree->level[0][block], end, enters), options);
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t lane = LowestBit(bits);
      if (enters[lane] <= end) {  // the end may have come nearer since the block was read
        const float next = hit(RayHit{view.body_of[std::size_t{block} * kBlockLanes + lane], enters[lane]});
        if (!(next >= 0)) {
          return false;
        }
        end = HWY_MIN(end, next);
      }
    }
    return true;
  };
  Descend<D>(*view.tree, enter, leaf);
}

template <int D>
HWY_INLINE RayHit AnyHitOf(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,
                           SearchWork& work) {
  RayHit found;
  ForEachHit<D>(view, ray, options, work, [&](RayHit hit) HWY_ATTR {
    found = hit;
    return -1.0F;
  });
  return found;
}

// What coordinates are scaled by, so that no square is beyond float.
inline constexpr float kFar = 0x1p-66F;
inline constexpr double kFar2Back = 0x1p132;

/// Squared distances of a point from boxes; kScaled: all coordinates times kFar.
template <int D, bool kScaled>
struct Distances2 {
  Vec<D> point;

  HWY_INLINE static auto Side(const float* HWY_RESTRICT from) {
    const FloatTag d;
    if constexpr (kScaled) {
      return hn::Mul(hn::Load(d, from), hn::Set(d, kFar));
    } else {
      return hn::Load(d, from);
    }
  }

  HWY_INLINE std::uint32_t operator()(const BoxBlock<D>& block, float limit, float* HWY_RESTRICT out) const {
    const FloatTag d;
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      const auto used = hn::Le(hn::Load(d, block.lo[0] + s), hn::Load(d, block.hi[0] + s));
      auto sum = hn::Zero(d);
      for (int axis = 0; axis < D; ++axis) {
        const auto p = hn::Set(d, point[static_cast<std::size_t>(axis)]);
        const auto before = hn::Sub(Side(block.lo[axis] + s), p);
        const auto after = hn::Sub(p, Side(block.hi[axis] + s));
        const auto apart = hn::Max(hn::Max(before, after), hn::Zero(d));
        sum = axis == 0 ? hn::Mul(apart, apart) : hn::Add(sum, hn::Mul(apart, apart));
      }
      hn::Store(sum, d, out + s);
      bits |= BitsOf(d, hn::And(used, hn::Le(sum, hn::Set(d, limit)))) << s;
    }
    return bits;
  }
};

template <int D>
HWY_INLINE FarNearest NearestOf(const LayerView<D>& view, const Vec<D>& point, float max_distance,
                                const QueryOptions& options, SearchWork& work) {
  const Best best =
      FindNearest<D>(view, options, max_distance * max_distance, work, Distances2<D, false>{point});
  if (best.body == kNoBody) {
    return {};
  }
  if (HWY_LIKELY(best.distance <= std::numeric_limits<float>::max())) {
    return {{best.body, best.distance}, best.distance};
  }
  // All squares are beyond float: once more, with everything scaled by a power of two.
  Distances2<D, true> scaled{point};
  scaled.point *= kFar;
  const float most = max_distance * kFar;
  const Best far = FindNearest<D>(view, options, most * most, work, scaled);
  return far.body == kNoBody ? FarNearest{} : FarNearest{{far.body, best.distance}, far.distance * kFar2Back};
}

// clang-format off
#define JUXTA_RAYS(D)                                                                                          \
  RayHit Closest##D(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options, SearchWork& work) {             \
    return ClosestOf<D>(view, ray, options, work);                                                              \
  }                                                                                                            \
  RayHit AnyHit##D(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options, SearchWork& work) {              \
    return AnyHitOf<D>(view, ray, options, work);                                                               \
  }                                                                                                            \
  void Hits##D(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options, FunctionRef<float(RayHit)> visitor, \
               SearchWork& work) {                                                                              \
    ForEachHit<D>(view, ray, options, work, visitor);                                                           \
  }                                                                                                            \
  FarNearest Nearest##D(const LayerView<D>& view, const Vec<D>& point, float most, const QueryOptions& options,           \
                        SearchWork& work) {                                                                     \
    return NearestOf<D>(view, point, most, options, work);                                                     \
  }
// clang-format on
JUXTA_RAYS(2)
JUXTA_RAYS(3)
#undef JUXTA_RAYS

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::layer_detail {

template <int D>
bool is_sound(const Ray<D>& ray) noexcept {
  for (int axis = 0; axis < D; ++axis) {
    if (!std::isfinite(ray.origin[axis]) || !std::isfinite(ray.direction[axis])) {
      return false;
    }
  }
  return ray.max >= 0;
}
template bool is_sound(const Ray<2>&) noexcept;
template bool is_sound(const Ray<3>&) noexcept;

// clang-format off
#define JUXTA_DISPATCH(D)                                                                                      \
  JUXTA_KERNEL(Closest##D);                                                                                      \
  JUXTA_KERNEL(AnyHit##D);                                                                                       \
  JUXTA_KERNEL(Hits##D);                                                                                         \
  JUXTA_KERNEL(Nearest##D);                                                                                      \
  template <>                                                                                                  \
  RayHit closest_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options, SearchWork& work) noexcept {\
    return JUXTA_CALL_KERNEL(Closest##D)(view, ray, options, work);                                          \
  }                                                                                                            \
  template <>                                                                                                  \
  RayHit any_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options, SearchWork& work) noexcept {    \
    return JUXTA_CALL_KERNEL(AnyHit##D)(view, ray, options, work);                                           \
  }                                                                                                            \
  template <>                                                                                                  \
  void hits_on_ray(const LayerView<D>& view, const Ray<D>& ray, const QueryOptions& options,                                 \
                   FunctionRef<float(RayHit)> visitor, SearchWork& work) noexcept {                             \
    JUXTA_CALL_KERNEL(Hits##D)(view, ray, options, visitor, work);                                           \
  }                                                                                                            \
  template <>                                                                                                  \
  FarNearest nearest_to_point(const LayerView<D>& view, const Vec<D>& point, float most, const QueryOptions& options,     \
                              SearchWork& work) noexcept {                                                      \
    return JUXTA_CALL_KERNEL(Nearest##D)(view, point, most, options, work);                                 \
  }
// clang-format on
JUXTA_DISPATCH(2)
JUXTA_DISPATCH(3)
#undef JUXTA_DISPATCH

}  // namespace juxta::layer_detail
#endif  // HWY_ONCE
