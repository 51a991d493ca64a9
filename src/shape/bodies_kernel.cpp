// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Candidates for exact tests: what a ray or a moving box enters, what is near a box. The search is that of
// the layer for its own rays and points; what is new is that each box is asked about as it is met, and that
// the answer shortens the search.
//
//             half                      a box that moves is a point that moves among boxes grown by its half
//           |--|                        edges, so that rays and casts are one search
//   o ->----|..|=======|..|---->
//         enter         leave
//
// Work:         for 16 boxes 6 loads, 12 subtractions, 6 multiplications, 6 minima and maxima; then an exact
//               test for each box that is met, some 20 to 500 ns, which is why boxes are met nearest first.
// Limit:        latency of the exact tests, and the misses for the bodies that they read.
// Determinism:  fixed float operations, lane by lane, never fused. The slack of 2^-20 covers all roundings of
//               t (four, each 2^-24 of it); half edges are grown by as much, since (side - origin) - half is
//               rounded relative to its larger part. Each step is monotone: a node is met before what it
//               holds.
// Source:       Kay and Kajiya (SIGGRAPH 1986); the slack: Ize, "Robust BVH Ray Traversal" (JCGT 2013).

#include "shape/bodies_kernel.h"

#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/bodies_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "layer/nearest_first-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {
using namespace layer_detail::HWY_NAMESPACE;

inline constexpr float kMore = 1 + 0x1p-20F, kLess = 1 - 0x1p-20F;

/// Where a moving box enters 16 boxes.
class WaySlabs {
 public:
  explicit WaySlabs(const BoxWay& way) {
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      origin_[axis] = way.origin[axis];
      half_[axis] = way.half[axis] == 0 ? 0 : way.half[axis] * kMore + std::numeric_limits<float>::min();
      inverse_[axis] = 1.0F / way.direction[axis];
      along_[axis] = std::fabs(inverse_[axis]) <= std::numeric_limits<float>::max();
      if (!along_[axis] && way.direction[axis] != 0) {
        half_[axis] =
            std::numeric_limits<float>::infinity();  // so slow that floats cannot tell: any box may be met
      }
      const bool up = inverse_[axis] > 0;
      first_[axis] = up ? axis : axis + 3;
      last_[axis] = up ? axis + 3 : axis;
      before_[axis] = up ? half_[axis] : -half_[axis];
      all_along_ = all_along_ && along_[axis];
    }
  }

  /// Writes where it enters 16 boxes; returns those that it enters at or before `limit`.
  HWY_INLINE std::uint32_t operator()(const BoxBlock<3>& block, float limit,
                                      float* HWY_RESTRICT enters) const {
    return HWY_LIKELY(all_along_) ? Enter<true>(block, limit, enters) : Enter<false>(block, limit, enters);
  }

 private:
  template <bool kAllAlong>
  HWY_INLINE std::uint32_t Enter(const BoxBlock<3>& block, float limit, float* HWY_RESTRICT enters) const {
    const FloatTag d;
    const float* rows = block.lo[0];  // lo and hi stand one after the other
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      auto enter = hn::Zero(d), leave = hn::Set(d, std::numeric_limits<float>::infinity());
      auto between = hn::Eq(enter, enter);
      for (int axis = 0; axis < 3; ++axis) {
        const auto from = hn::Set(d, origin_[axis]);
        if (!kAllAlong && !along_[axis]) {
          const auto half = hn::Set(d, half_[axis]);
          const auto below = hn::Sub(hn::Load(d, block.lo[axis] + s), from);
          const auto above = hn::Sub(from, hn::Load(d, block.hi[axis] + s));
          between = hn::And(between, hn::And(hn::Le(below, half), hn::Le(above, half)));
          continue;
        }
        const auto scale = hn::Set(d, inverse_[axis]), before = hn::Set(d, before_[axis]);
        const auto near_side = hn::Sub(hn::Load(d, rows + first_[axis] * kBlockLanes + s), from);
        const auto far_side = hn::Sub(hn::Load(d, rows + last_[axis] * kBlockLanes + s), from);
        enter = hn::Max(enter, hn::Mul(hn::Sub(near_side, before), scale));
        leave = hn::Min(leave, hn::Mul(hn::Add(far_side, before), scale));
      }
      enter = hn::Abs(hn::Mul(enter, hn::Set(d, kLess)));  // -0 becomes 0
      leave = hn::Min(hn::Mul(leave, hn::Set(d, kMore)), hn::Set(d, limit));
      hn::Store(enter, d, enters + s);
      const auto hit = hn::Le(enter, leave);
      bits |= BitsOf(d, kAllAlong ? hit : hn::And(hit, between)) << s;
    }
    return bits;
  }

  float origin_[3], inverse_[3], half_[3], before_[3];
  std::uint32_t first_[3], last_[3];  // which of the rows lo.x, lo.y, lo.z, hi.x, ... it meets first and last
  bool along_[3], all_along_ = true;
};

/// Squared distances of a box from boxes, a little too small.
struct BoxDistances2 {
  Aabb3 box;

  HWY_INLINE std::uint32_t operator()(const BoxBlock<3>& block, float limit, float* HWY_RESTRICT out) const {
    const FloatTag d;
    std::uint32_t bits = 0;
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      const auto used = hn::Le(hn::Load(d, block.lo[0] + s), hn::Load(d, block.hi[0] + s));
      auto sum = hn::Zero(d);
      for (int axis = 0; axis < 3; ++axis) {
        const auto before = hn::Sub(hn::Load(d, block.lo[axis] + s), hn::Set(d, box.hi[axis]));
        const auto after = hn::Sub(hn::Set(d, box.lo[axis]), hn::Load(d, block.hi[axis] + s));
        const auto apart = hn::Max(hn::Max(before, after), hn::Zero(d));
        sum = hn::Add(sum, hn::Mul(apart, apart));
      }
      sum = hn::Mul(sum, hn::Set(d, kLess));
      hn::Store(sum, d, out + s);
      bits |= BitsOf(d, hn::And(used, hn::Le(sum, hn::Set(d, limit)))) << s;
    }
    return bits;
  }
};

/// The boxes in these lanes, nearest first, of equal ones the leftmost. False: the search is over.
HWY_INLINE bool AskLanes(const std::uint32_t* HWY_RESTRICT bodies, const float* HWY_RESTRICT distances,
                         std::uint32_t bits, float& limit, Candidate candidate) {
  while (bits != 0) {
    std::uint32_t nearest = LowestBit(bits);
    for (std::uint32_t rest = bits & (bits - 1); rest != 0; rest &= rest - 1) {
      const std::uint32_t lane = LowestBit(rest);
      nearest = distances[lane] < distances[nearest] ? lane : nearest;
    }
    if (distances[nearest] > limit) {
      return true;
    }
    bits &= ~(1U << nearest);
    const float next = candidate(bodies[nearest]);
    if (!(next >= 0)) {
      return false;
    }
    limit = HWY_MIN(limit, next);
  }
  return true;
}

/// As FindNearest(), but what is found at the bottom is the candidate's business.
template <class Measure>
HWY_INLINE void AskNearestFirst(const layer_detail::LayerView<3>& view, const QueryOptions& options,
                                float limit, layer_detail::SearchWork& work, Candidate candidate,
                                Measure&& measure) {
  HWY_ALIGN float distances[kBlockLanes];
  NodeStack stack;
  std::uint32_t level = view.tree->levels - 1, block = 0;
  for (;;) {
    std::uint32_t bits = measure(view.tree->level[level][block], limit, distances);
    std::uint64_t node;
    ++work.visited;
    if (level > 0) {
      node = stack.Next(distances, bits, level - 1, block * kBlockLanes);
    } else {
      work.tested += kBlockLanes;
      bits = AnswerBits(view, block, bits, options);
      if (!AskLanes(view.body_of + std::size_t{block} * kBlockLanes, distances, bits, limit, candidate)) {
        return;
      }
      node = stack.Pop();
    }
    while (NodeStack::DistanceBits(node) > BitsOfFloat(limit)) {
      if (node == NodeStack::kNone) {
        return;
      }
      node = stack.Pop();
    }
    level = NodeStack::Level(node);
    block = NodeStack::Block(node);
  }
}

void OnWay(const layer_detail::LayerView<3>& view, const BoxWay& way, const QueryOptions& options,
           Candidate candidate, layer_detail::SearchWork& work) {
  AskNearestFirst(view, options, way.end, work, candidate, WaySlabs(way));
}
void NearBox(const layer_detail::LayerView<3>& view, const Aabb3& box, float limit2,
             const QueryOptions& options, Candidate candidate, layer_detail::SearchWork& work) {
  AskNearestFirst(view, options, limit2, work, candidate, BoxDistances2{box});
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(OnWay);
JUXTA_KERNEL(NearBox);

void boxes_on_way(const layer_detail::LayerView<3>& view, const BoxWay& way, const QueryOptions& options,
                  Candidate candidate, layer_detail::SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(OnWay)(view, way, options, candidate, work);
}
void boxes_near(const layer_detail::LayerView<3>& view, const Aabb3& box, float limit2,
                const QueryOptions& options, Candidate candidate, layer_detail::SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(NearBox)(view, box, limit2, options, candidate, work);
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
