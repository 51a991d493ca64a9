// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes into blocks of 16, and blocks into bounds.
//
//   order   | 7 3 9 ... |            block   lo.x | b7 b3 b9 ... |        parent  lo.x | ... min ... |
//   boxes   | b0 b1 b2  |   gather           lo.y | ............ |   ->              ...   lane = this block
//                                            hi.z | ............ |
//
// Work:         6 scalar loads and stores a box in space. In the plane one load and one store, and 8 shuffles
// for
//               4 boxes; blocks with holes go box by box. 6 loads, 30 minima and shuffles a block for its
//               bounds.
// Bytes:        24 read at random, 24 written a box; at 1M and more the limit is memory.
// Determinism:  minima and maxima of numbers without signed zeros: any order gives the same bits.

#include "order/block_fit_kernel.h"

#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/order/block_fit_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "order/lanes16-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::order_detail::HWY_NAMESPACE {

template <int D>
HWY_INLINE void Clear(BoxBlock<D>& block, std::uint32_t lane) {
  for (int axis = 0; axis < D; ++axis) {
    block.lo[axis][lane] = std::numeric_limits<float>::infinity();
    block.hi[axis][lane] = -std::numeric_limits<float>::infinity();
  }
}

template <int D>
HWY_INLINE void Fill(BoxBlock<D>* HWY_RESTRICT leaves, const Aabb<D>* HWY_RESTRICT boxes,
                     const std::uint32_t* HWY_RESTRICT order, std::size_t count, std::uint32_t first,
                     std::uint32_t last) {
  constexpr std::size_t kAhead = 32;
  for (std::uint32_t b = first; b < last; ++b) {
    BoxBlock<D>& block = leaves[b];
    const std::size_t base = std::size_t{b} * kBlockLanes;
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const std::size_t at = base + lane;
      if (at + kAhead < count && order[at + kAhead] != kEmptyLane) {
        hwy::Prefetch(boxes + order[at + kAhead]);
      }
      if (at >= count || order[at] == kEmptyLane) {
        Clear(block, lane);
        continue;
      }
      const Aabb<D>& box = boxes[order[at]];
      for (int axis = 0; axis < D; ++axis) {
        block.lo[axis][lane] = box.lo[axis] + 0.0F;  // -0 becomes 0
        block.hi[axis][lane] = box.hi[axis] + 0.0F;
      }
    }
  }
}

constexpr std::uint32_t kRun = 4;  // blocks
constexpr std::uint32_t kRunLanes = kRun * kBlockLanes;

template <std::uint32_t kLanes>
HWY_INLINE bool AnyEmpty(const std::uint32_t* HWY_RESTRICT order) {
  const WordTag d;
  const auto empty = hn::Set(d, kEmptyLane);
  auto found = hn::Eq(hn::LoadU(d, order), empty);
  for (std::uint32_t s = kStep; s < kLanes; s += kStep) {
    found = hn::Or(found, hn::Eq(hn::LoadU(d, order + s), empty));
  }
  return !hn::AllFalse(d, found);
}

/// Four blocks of the plane without an empty lane: the boxes are copied side by side, each at once, and then
/// turned by registers. Of four blocks, because a register cannot be loaded from where stores are on their
/// way. In space the turn takes longer than it saves.
HWY_INLINE void FillRun(BoxBlock<2>* HWY_RESTRICT leaves, const Aabb2* HWY_RESTRICT boxes,
                        const std::uint32_t* HWY_RESTRICT order) {
  const FloatTag d;
  const auto zero = hn::Zero(d);
  HWY_ALIGN float run[kRunLanes * 4];
  for (std::uint32_t lane = 0; lane < kRunLanes; ++lane) {
    std::memcpy(run + std::size_t{lane} * 4, boxes + order[lane], sizeof(Aabb2));
  }
  for (std::uint32_t lane = 0; lane < kRunLanes; lane += kStep) {
    Floats lo[2], hi[2];
    hn::LoadInterleaved4(d, run + std::size_t{lane} * 4, lo[0], lo[1], hi[0], hi[1]);
    BoxBlock<2>& block = leaves[lane / kBlockLanes];
    for (int axis = 0; axis < 2; ++axis) {
      hn::Store(hn::Add(lo[axis], zero), d, block.lo[axis] + lane % kBlockLanes);  // -0 becomes 0
      hn::Store(hn::Add(hi[axis], zero), d, block.hi[axis] + lane % kBlockLanes);
    }
  }
}

void Fill2(BoxBlock<2>* leaves, const Aabb2* boxes, const std::uint32_t* order, std::size_t count,
           std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t b = first; b < last; b += kRun) {
    const std::size_t base = std::size_t{b} * kBlockLanes;
    if (b + kRun > last || base + kRunLanes > count || AnyEmpty<kRunLanes>(order + base)) {
      Fill<2>(leaves, boxes, order, count, b, HWY_MIN(b + kRun, last));
      continue;
    }
    if (base + 2 * kRunLanes <= count) {
      for (std::uint32_t lane = 0; lane < kRunLanes; ++lane) {  // of the next run
        const std::uint32_t box = order[base + kRunLanes + lane];
        hwy::Prefetch(boxes + (box == kEmptyLane ? 0 : box));
      }
    }
    FillRun(leaves + b, boxes, order + base);
  }
}

#if HWY_TARGET == HWY_WASM
/// A block in space without an empty lane, four boxes at once. V8 compares and computes an address for each
/// of the 24 loads and stores that they take one by one.
HWY_INLINE void FillWhole(BoxBlock<3>& block, const Aabb3* HWY_RESTRICT boxes,
                          const std::uint32_t* HWY_RESTRICT order) {
  const FloatTag d;
  const auto zero = hn::Zero(d);
  for (std::uint32_t lane = 0; lane < kBlockLanes; lane += kStep) {
    Floats a[kStep], b[kStep];  // lo.x lo.y lo.z hi.x, and lo.z hi.x hi.y hi.z
    for (std::uint32_t i = 0; i < kStep; ++i) {
      const Aabb3& box = boxes[order[lane + i]];
      a[i] = hn::Add(hn::LoadU(d, &box.lo.x), zero);  // -0 becomes 0
      b[i] = hn::Add(hn::LoadU(d, &box.lo.z), zero);
    }
    const auto lo01 = hn::InterleaveLower(d, a[0], a[1]), lo23 = hn::InterleaveLower(d, a[2], a[3]);
    hn::Store(hn::ConcatLowerLower(d, lo23, lo01), d, block.lo[0] + lane);
    hn::Store(hn::ConcatUpperUpper(d, lo23, lo01), d, block.lo[1] + lane);
    const auto mid01 = hn::InterleaveLower(d, b[0], b[1]), mid23 = hn::InterleaveLower(d, b[2], b[3]);
    hn::Store(hn::ConcatLowerLower(d, mid23, mid01), d, block.lo[2] + lane);
    hn::Store(hn::ConcatUpperUpper(d, mid23, mid01), d, block.hi[0] + lane);
    const auto hi01 = hn::InterleaveUpper(d, b[0], b[1]), hi23 = hn::InterleaveUpper(d, b[2], b[3]);
    hn::Store(hn::ConcatLowerLower(d, hi23, hi01), d, block.hi[1] + lane);
    hn::Store(hn::ConcatUpperUpper(d, hi23, hi01), d, block.hi[2] + lane);
  }
}
#endif

void Fill3(BoxBlock<3>* leaves, const Aabb3* boxes, const std::uint32_t* order, std::size_t count,
           std::uint32_t first, std::uint32_t last) {
#if HWY_TARGET == HWY_WASM
  for (std::uint32_t b = first; b < last; ++b) {
    const std::size_t base = std::size_t{b} * kBlockLanes;
    if (base + kBlockLanes > count || AnyEmpty<kBlockLanes>(order + base)) {
      Fill<3>(leaves, boxes, order, count, b, b + 1);
    } else {
      FillWhole(leaves[b], boxes, order + base);
    }
  }
#else
  Fill<3>(leaves, boxes, order, count, first, last);
#endif
}

template <int D>
HWY_INLINE void Fit(const BoxBlock<D>* HWY_RESTRICT children, std::uint32_t children_end,
                    BoxBlock<D>* HWY_RESTRICT parents, std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t p = first; p < last; ++p) {
    for (std::uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const std::uint64_t child = std::uint64_t{p} * kBlockLanes + lane;
      if (child < children_end) {
        parents[p].set(lane, BoundsOf(children[child]));
      } else {
        Clear(parents[p], lane);
      }
    }
  }
}
void Fit2(const BoxBlock<2>* children, std::uint32_t end, BoxBlock<2>* parents, std::uint32_t first,
          std::uint32_t last) {
  Fit<2>(children, end, parents, first, last);
}
void Fit3(const BoxBlock<3>* children, std::uint32_t end, BoxBlock<3>* parents, std::uint32_t first,
          std::uint32_t last) {
  Fit<3>(children, end, parents, first, last);
}

// Per lane in float over one block, then lane by lane in double: one order on every target. Eighths, so that
// no float overflows; empty lanes have an edge of -inf, which counts as 0.
template <int D>
HWY_INLINE double EdgeSum(const BoxBlock<D>* HWY_RESTRICT blocks, std::uint32_t first, std::uint32_t last) {
  const FloatTag d;
  const auto eighth = hn::Set(d, 0.125F);
  HWY_ALIGN float edges[kBlockLanes];
  double sum = 0;
  for (std::uint32_t b = first; b < last; ++b) {
    for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
      auto edge = hn::Zero(d);
      for (int axis = 0; axis < D; ++axis) {
        const auto lo = hn::Mul(hn::Load(d, blocks[b].lo[axis] + s), eighth);
        const auto hi = hn::Mul(hn::Load(d, blocks[b].hi[axis] + s), eighth);
        edge = hn::Add(edge, hn::Max(hn::Sub(hi, lo), hn::Zero(d)));
      }
      hn::Store(edge, d, edges + s);
    }
    for (const float edge : edges) {
      sum += static_cast<double>(edge);
    }
  }
  return sum;
}
double EdgeSum2(const BoxBlock<2>* blocks, std::uint32_t first, std::uint32_t last) {
  return EdgeSum<2>(blocks, first, last);
}
double EdgeSum3(const BoxBlock<3>* blocks, std::uint32_t first, std::uint32_t last) {
  return EdgeSum<3>(blocks, first, last);
}

template <int D>
HWY_INLINE void Path(BlockTree<D>& tree, std::uint32_t lane) {
  std::uint32_t block = lane / kBlockLanes;
  for (std::uint32_t level = 0; level + 1 < tree.levels; ++level, block /= kBlockLanes) {
    const Aabb<D> bounds = BoundsOf(tree.level[level][block]);
    BoxBlock<D>& parent = tree.level[level + 1][block / kBlockLanes];
    if (parent.box(block % kBlockLanes) == bounds) {
      return;
    }
    parent.set(block % kBlockLanes, bounds);
  }
}
void Path2(BlockTree<2>& tree, std::uint32_t lane) {
  Path(tree, lane);
}
void Path3(BlockTree<3>& tree, std::uint32_t lane) {
  Path(tree, lane);
}

}  // namespace juxta::order_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::order_detail {

JUXTA_KERNEL(Fill2);
JUXTA_KERNEL(Fill3);
JUXTA_KERNEL(Fit2);
JUXTA_KERNEL(Fit3);
JUXTA_KERNEL(EdgeSum2);
JUXTA_KERNEL(EdgeSum3);
JUXTA_KERNEL(Path2);
JUXTA_KERNEL(Path3);

template <>
void fill_blocks(BoxBlock<2>* leaves, const Aabb2* boxes, const std::uint32_t* order, std::size_t count,
                 std::uint32_t first, std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(Fill2)(leaves, boxes, order, count, first, last);
}
template <>
void fill_blocks(BoxBlock<3>* leaves, const Aabb3* boxes, const std::uint32_t* order, std::size_t count,
                 std::uint32_t first, std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(Fill3)(leaves, boxes, order, count, first, last);
}
template <>
void fit_parents(const BoxBlock<2>* children, std::uint32_t end, BoxBlock<2>* parents, std::uint32_t first,
                 std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(Fit2)(children, end, parents, first, last);
}
template <>
void fit_parents(const BoxBlock<3>* children, std::uint32_t end, BoxBlock<3>* parents, std::uint32_t first,
                 std::uint32_t last) noexcept {
  JUXTA_CALL_KERNEL(Fit3)(children, end, parents, first, last);
}
template <>
double edge_sum(const BoxBlock<2>* blocks, std::uint32_t first, std::uint32_t last) noexcept {
  return JUXTA_CALL_KERNEL(EdgeSum2)(blocks, first, last);
}
template <>
double edge_sum(const BoxBlock<3>* blocks, std::uint32_t first, std::uint32_t last) noexcept {
  return JUXTA_CALL_KERNEL(EdgeSum3)(blocks, first, last);
}
template <>
void fit_path(BlockTree<2>& tree, std::uint32_t lane) noexcept {
  JUXTA_CALL_KERNEL(Path2)(tree, lane);
}
template <>
void fit_path(BlockTree<3>& tree, std::uint32_t lane) noexcept {
  JUXTA_CALL_KERNEL(Path3)(tree, lane);
}

}  // namespace juxta::order_detail
#endif  // HWY_ONCE
