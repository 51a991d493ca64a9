// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A convex shape down the tree of triangles.
//
//   node    eight boxes       axes of the mesh and of the shape's own box, in floats: which are clearly too
//   far?
//                             squared gaps in doubles: which comes first?
//   block   four triangles    their boxes, their normals, edges crossed with the box, the way between two
//   near
//                             points, in floats: which are clearly too far?
//   triangle                  the visitor: exact, in doubles
//
// Work:         a node is some 150 operations of four lanes, a block 100 ... 500: it ends as soon as all four
//               are too far. The visitor takes 200 ns ... 3 us.
// Limit:        arithmetic, as long as the tree fits into the cache.
// Determinism:  floats leave out what the visitor would refuse, and accept what it would accept; the order of
// all others comes from doubles,
//               summed axis by axis, never fused.
#include <limits>

#include "shape/triangle_near.h"
#include "shape/triangle_tree.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/shape/triangle_near_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "shape/triangle_near-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::shape_detail::HWY_NAMESPACE {

using WideTag = hn::CappedTag<double, kTreeLanes>;
using HalfTag = hn::Rebind<float, WideTag>;
inline constexpr std::uint32_t kWideStep = static_cast<std::uint32_t>(hn::MaxLanes(WideTag()));

struct WideBox {
  double lo[3], hi[3];

  HWY_INLINE explicit WideBox(const Aabb3& box) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = static_cast<double>(box.lo[axis]);
      hi[axis] = static_cast<double>(box.hi[axis]);
    }
  }
};

/// Squared gaps between a box and eight; infinite for empty lanes.
HWY_INLINE void Gaps2(const WideBox& box, const float (*lo)[kTreeLanes], const float (*hi)[kTreeLanes],
                      double* HWY_RESTRICT out) {
  const WideTag d;
  const HalfTag half;
  for (std::uint32_t first = 0; first < kTreeLanes; first += kWideStep) {
    auto sum = hn::Zero(d);
    for (int axis = 0; axis < 3; ++axis) {
      const auto before =
          hn::Sub(hn::PromoteTo(d, hn::Load(half, lo[axis] + first)), hn::Set(d, box.hi[axis]));
      const auto after =
          hn::Sub(hn::Set(d, box.lo[axis]), hn::PromoteTo(d, hn::Load(half, hi[axis] + first)));
      const auto gap = hn::Max(hn::Max(before, after), hn::Zero(d));
      sum = hn::Add(sum, hn::Mul(gap, gap));
    }
    hn::Store(sum, d, out + first);
  }
}

/// The boxes of a leaf's triangles.
struct LeafBoxes {
  HWY_ALIGN float lo[3][kTreeLanes], hi[3][kTreeLanes];

  HWY_INLINE LeafBoxes(const TriangleBlock* blocks, std::uint32_t count) {
    const BlockTag d;
    for (std::uint32_t first = 0; first < kTreeLanes; first += kBlockLanes) {
      const TriangleBlock& block = blocks[first < count ? first / kBlockLanes : 0];
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = hn::Load(d, block.corner[0][axis]), b = hn::Load(d, block.corner[1][axis]),
                   c = hn::Load(d, block.corner[2][axis]);
        hn::Store(hn::Min(hn::Min(a, b), c), d, lo[axis] + first);
        hn::Store(hn::Max(hn::Max(a, b), c), d, hi[axis] + first);
      }
    }
  }
};

HWY_INLINE bool Hides(const HalfSpace& half, const TriangleBlock& block, std::uint32_t lane) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& corner : block.corner) {
    const double along = half.way[0] * static_cast<double>(corner[0][lane]) +
                         half.way[1] * static_cast<double>(corner[1][lane]) +
                         half.way[2] * static_cast<double>(corner[2][lane]);
    least = along < least ? along : least;
  }
  return least > half.most;
}

/// What floats say of a leaf: bit i for triangle i.
struct LeafBits {
  std::uint32_t near;  // it may be within `most`
  std::uint32_t met;   // it overlaps for certain
};

template <class D>
HWY_INLINE LeafBits NearBits(const NearCore& core, const TriangleBlock* blocks, float most) {
  const D d;
  const auto limit = hn::Set(d, most);
  NearTriangles<D> some(core, blocks);
  const auto left = [&] { return BitsOf(d, hn::Not(hn::Gt(some.Least(), limit))); };
  const auto met = [&] { return BitsOf(d, some.Met()); };
  std::uint32_t bits = left();
  if (bits == 0) {
    return {0, 0};
  }
  if ((core.crossed & (core.crossed - 1)) == 0) {  // a point or a segment: it is round
    static_cast<void>(some.TryNearest(most));
    bits = left();
    if (bits == 0 || met() != 0) {
      return {bits, met()};
    }
  } else if (core.boxed) {
    some.TryCorners();
    if (met() != 0) {
      return {bits, met()};
    }
  }
  some.TryFaces();
  bits = left();
  if (bits != 0 && core.side_count != 0) {
    some.TrySides();
    bits = left();
  }
  if (bits != 0 && core.count != 0) {
    static_cast<void>(some.TryPoints(most));
    bits = left();
  } else if (bits != 0 && core.crossed != 0) {
    some.TryEdges();
    bits = left();
    if (bits != 0 && core.boxed) {
      static_cast<void>(some.TryNearest(most));
      return {bits, met()};
    }
  }
  return {bits, 0};
}
HWY_INLINE LeafBits NearBits(const NearCore& core, const TriangleBlock* blocks, std::uint32_t count,
                             float most) {
  LeafBits out;
  if (count <= kBlockLanes) {
    out = NearBits<BlockTag>(core, blocks, most);
  } else if constexpr (hn::MaxLanes(LeafTag()) == kTreeLanes) {
    out = NearBits<LeafTag>(core, blocks, most);
  } else {
    out = NearBits<BlockTag>(core, blocks, most);
    const LeafBits more = NearBits<BlockTag>(core, blocks + 1, most);
    out = {out.near | more.near << kBlockLanes, out.met | more.met << kBlockLanes};
  }
  const std::uint32_t used = (2U << (count - 1)) - 1;
  return {out.near & used, out.met & used};
}

/// The depth-first search of Triangles::visit_near(). Triangles wait until there are many, or no more: then
/// the one that seems nearest is measured first, and most others are found to be too far.
class NearSearch {
 public:
  HWY_INLINE NearSearch(const TriangleTree& tree, const Aabb3& box, double limit, const NearVisitor& visitor,
                        const HalfSpace& hidden, const NearCore& core)
      : tree_(tree),
        box_(box),
        limit_(limit),
        visitor_(visitor),
        hidden_(hidden),
        core_(core),
        deep_(4 * kNearSlack * core.size) {}

  HWY_INLINE void Run() {
    Expand(0);
    while (size_ != 0) {
      const Waiting top = stack_[--size_];
      if (!Within(top.measure) || top.least > MostOfBoxes()) {
        continue;  // what has been found since it was put here is nearer
      }
      const std::uint32_t child = top.child;
      if (ChildWord::is_leaf(child)) {
        if (found_count_ + kTreeLanes > kMostFound) {
          VisitFound();
        }
        Keep(&tree_.blocks[ChildWord::index(child)], ChildWord::count(child));
      } else {
        Expand(child);
      }
    }
    VisitFound();
  }

 private:
  struct Waiting {
    double measure;
    float least;  // its distance from the core at least
    std::uint32_t child;
  };
  static constexpr std::uint32_t kMostFound = 64;
  struct Found {
    float least;  // its distance from the core at least
    std::uint32_t lane;
    const TriangleBlock* block;
    double measure;
  };

  [[nodiscard]] HWY_INLINE bool Within(double measure) const {
    return limit_ >= 0 && measure <= limit_ * limit_ && measure < std::numeric_limits<double>::infinity();
  }
  [[nodiscard]] HWY_INLINE float Most() const { return HWY_MIN(core_.most, most_); }
  /// No depth is known of the slivers in a box.
  [[nodiscard]] HWY_INLINE float MostOfBoxes() const { return HWY_MAX(Most(), 0.0F); }

  HWY_INLINE void Expand(std::uint32_t parent) {
    const TriangleNode& node = tree_.nodes[parent];
    HWY_ALIGN double at[kTreeLanes];
    HWY_ALIGN float least[kTreeLanes];
    Gaps2(box_, node.side, node.side + 3, at);
    const std::uint32_t first = size_;
    for (std::uint32_t bits = NearBoxes(core_, node, MostOfBoxes(), least); bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
      if (Within(at[lane])) {
        // Sorted in, the least on top; equal ones: the lower lane.
        std::uint32_t place = size_++;
        for (; place > first && stack_[place - 1].measure <= at[lane]; --place) {
          stack_[place] = stack_[place - 1];
        }
        stack_[place] = {at[lane], least[lane], node.child[lane]};
      }
    }
  }

  HWY_INLINE void Keep(const TriangleBlock* blocks, std::uint32_t count) {
    HWY_ALIGN float least[kTreeLanes];
    std::uint32_t bits;
    if (count <= kBlockLanes) {
      bits = Bound<BlockTag>(blocks, least);
    } else if constexpr (hn::MaxLanes(LeafTag()) == kTreeLanes) {
      bits = Bound<LeafTag>(blocks, least);
    } else {
      bits = Bound<BlockTag>(blocks, least) | Bound<BlockTag>(blocks + 1, least + kBlockLanes) << kBlockLanes;
    }
    bits &= (2U << (count - 1)) - 1;
    if (bits == 0) {
      return;
    }
    const LeafBoxes boxes(blocks, count);
    HWY_ALIGN double at[kTreeLanes];
    Gaps2(box_, boxes.lo, boxes.hi, at);
    for (; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
      found_[found_count_++] = {least[lane], lane % kBlockLanes, blocks + lane / kBlockLanes, at[lane]};
    }
  }

  HWY_NOINLINE void VisitFound() {
    std::uint32_t nearest = 0, left = 0;
    for (std::uint32_t i = 0; i < found_count_; ++i) {
      nearest = found_[i].least < found_[nearest].least ? i : nearest;
      left += found_[i].least <= Most() ? 1U : 0U;
    }
    if (left > 1 && Counts(found_[nearest])) {
      const float measured = visitor_.measure(Number(found_[nearest]));
      most_ = HWY_MIN(most_, measured);
    }
    for (std::uint32_t i = 0; i < found_count_; ++i) {
      if (Counts(found_[i])) {
        limit_ = visitor_.visit(Number(found_[i]));
      }
    }
    found_count_ = 0;
  }
  [[nodiscard]] HWY_INLINE bool Counts(const Found& one) const {
    return !(one.least > Most()) && Within(one.measure) && !Hides(hidden_, *one.block, one.lane);
  }
  [[nodiscard]] static HWY_INLINE std::uint32_t Number(const Found& one) {
    return one.block->number[one.lane];
  }

  /// Bit i: triangle i may count; least[i] is what its distance is at least.
  /// Once something is known to overlap, points that are next to each other tell nothing more.
  template <class D>
  HWY_INLINE std::uint32_t Bound(const TriangleBlock* blocks, float* HWY_RESTRICT least) {
    const D d;
    NearTriangles<D> some(core_, blocks);
    const auto near_bits = [&] {
      const auto at = some.Least();
      hn::Store(at, d, least);
      return BitsOf(d, hn::Not(hn::Gt(at, hn::Set(d, Most()))));
    };
    std::uint32_t bits = near_bits();
    if (bits != 0 && Most() > deep_) {
      const auto far = core_.count == 0 ? some.TryNearest(Most()) : some.TryPoints(Most());
      if (core_.boxed || core_.whole) {
        const float nearest = hn::GetLane(hn::MinOfLanes(d, far));
        most_ = HWY_MIN(most_, nearest);
      }
      bits = near_bits();
    }
    if (bits != 0) {
      some.TryFaces();
      bits = near_bits();
    }
    if (bits != 0 && core_.side_count != 0) {
      some.TrySides();
      bits = near_bits();
    }
    if (bits != 0 && core_.crossed != 0 && core_.side_count == 0) {
      some.TryEdges();
      bits = near_bits();
    }
    return bits;
  }

  const TriangleTree& tree_;
  const WideBox box_;
  double limit_;
  const NearVisitor& visitor_;
  const HalfSpace& hidden_;
  const NearCore& core_;
  const float deep_;
  float most_ = kInf;  // what is farther from the core than this is not the nearest
  std::uint32_t size_ = 0, found_count_ = 0;
  Found found_[kMostFound];
  Waiting stack_[kMostWaiting];
};

void NearestFirst(const TriangleTree& tree, const Aabb3& box, double limit, const NearVisitor& visitor,
                  const HalfSpace& hidden, const NearCore& core) {
  NearSearch(tree, box, limit, visitor, hidden, core).Run();
}

/// True: one overlaps for certain, or the visitor says so.
void AnyNear(const TriangleTree& tree, FunctionRef<bool(std::uint32_t)> visitor, const NearCore& core,
             bool& found) {
  std::uint32_t stack[kMostWaiting], size = 1;
  stack[0] = 0;
  const float most = core.most, most_of_boxes = HWY_MAX(most, 0.0F);
  while (size != 0) {
    const std::uint32_t at = stack[--size];
    if (ChildWord::is_leaf(at)) {
      const TriangleBlock* blocks = &tree.blocks[ChildWord::index(at)];
      LeafBits leaf = NearBits(core, blocks, ChildWord::count(at), most);
      found = leaf.met != 0 && core.touch >= 0;
      for (; leaf.near != 0 && !found; leaf.near &= leaf.near - 1) {
        const auto lane = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(leaf.near));
        found = visitor(blocks[lane / kBlockLanes].number[lane % kBlockLanes]);
      }
      if (found) {
        return;
      }
      continue;
    }
    const TriangleNode& node = tree.nodes[at];
    HWY_ALIGN float least[kTreeLanes];
    for (std::uint32_t bits = NearBoxes(core, node, most_of_boxes, least); bits != 0; bits &= bits - 1) {
      stack[size++] = node.child[hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)];
    }
  }
}

}  // namespace juxta::shape_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::shape_detail {

JUXTA_KERNEL(NearestFirst);
JUXTA_KERNEL(AnyNear);

void visit_near(const Triangles& triangles, const Aabb3& box, double limit, const NearVisitor& visitor,
                const HalfSpace& hidden, const NearCore& core) noexcept {
  if (!triangles.tree().nodes.empty()) {
    JUXTA_CALL_KERNEL(NearestFirst)(triangles.tree(), box, limit, visitor, hidden, core);
  }
}

bool any_near(const Triangles& triangles, FunctionRef<bool(std::uint32_t)> visitor,
              const NearCore& core) noexcept {
  bool found = false;
  if (!triangles.tree().nodes.empty()) {
    JUXTA_CALL_KERNEL(AnyNear)(triangles.tree(), visitor, core, found);
  }
  return found;
}

}  // namespace juxta::shape_detail
#endif  // HWY_ONCE
