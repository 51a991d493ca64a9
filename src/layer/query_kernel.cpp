// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What a box or a frustum touches: from the top of the tree down to the bodies, 16 bounds a compare.
//
//   level 3   | . . X . |                     lanes that the query touches (X) are gone into, from the left
//   level 2   | X . . . X . . . |
//   leaves    | b b B b b ... | -> B          the bodies of a leaf that it touches
//
// Work:         one compare of 16 boxes a block (6 loads and compares on AVX-512); 100k bodies have 5 levels.
//
// Limit:        the latency of a compare and of a load from L2 or L3 for each level, one after the other.
//
// Determinism:  compares only; lanes in order. Frustums: one multiplication a coordinate, never fused.

#include "layer/query_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/layer/query_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "layer/descend-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::layer_detail::HWY_NAMESPACE {

/// The lanes of a leaf that answer a query.
template <int D, class Touch>
HWY_INLINE std::uint32_t HitsInLeaf(const LayerView<D>& view, std::uint32_t leaf, const QueryOptions& options,
                                    Touch&& touch) {
  return AnswerBits(view, leaf, touch(view.tree->level[0][leaf]), options);
}

/// Calls `hits(leaf, bits)` for every leaf that is touched until it returns false; bits may be 0. For leaves
/// that lie wholly within the query it calls `whole(leaf)`. `enter(block)` gives the Touched lanes of a node,
/// `touch(block)` the lanes of a leaf that the query touches.
template <int D, class Enter, class Touch, class Hits, class Whole>
HWY_INLINE void ForEachLeaf(const LayerView<D>& view, const QueryOptions& options, SearchWork& work,
                            Enter&& enter, Touch&& touch, Hits&& hits, Whole&& whole) {
  LeafLists lists;
  const auto go_into = [&](std::uint32_t level, std::uint32_t block) HWY_ATTR {
    ++work.visited;
    return enter(view.tree->level[level][block]);
  };
  lists.Run(*view.tree, go_into, [&](const std::uint32_t* leaves, std::uint32_t count) HWY_ATTR {
    for (std::uint32_t k = 0; k < count; ++k) {
      ++work.visited;
      const std::uint32_t leaf = leaves[k] & ~kWhole;
      if ((leaves[k] & kWhole) != 0) {
        if (!whole(leaf)) {
          return false;
        }
        continue;
      }
      work.tested += kBlockLanes;
      if (!hits(leaf, HitsInLeaf<D>(view, leaf, options, touch))) {
        return false;
      }
    }
    return true;
  });
}

/// The lanes of a node that lie within the box. Out of line, so that asking which of them it touches, which
/// comes first, does not keep all of the node in registers.
template <int D>
HWY_NOINLINE std::uint32_t WithinBits(const BoxBlock<D>& block, const Aabb<D>& box) {
  return BlockLanes<D>(block).Within(Splat(box));
}

/// So many lanes of a node must be touched before it is worth asking which of them lie within the query: in
/// space few do.
template <int D>
inline constexpr std::uint32_t kSomeWhole = D == 2 ? 4 : 8;

template <int D, class Hits, class Whole>
HWY_INLINE void ForEachLeafInBox(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,
                                 SearchWork& work, Hits&& hits, Whole&& whole) {
  const SplatBox<D> splat = Splat(box);
  const bool each = view.category != nullptr || options.narrows();  // body has to be asked
  const std::uint32_t some_whole = each ? kBlockLanes + 1 : kSomeWhole<D>;
  const auto enter = [&](const BoxBlock<D>& block) HWY_ATTR {
    const std::uint32_t some = OverlapBits(block, splat);
    return Touched{some, Count(some) < some_whole ? 0 : some & WithinBits(block, box)};
  };
  const auto touch = [&](const BoxBlock<D>& block) HWY_ATTR { return OverlapBits(block, splat); };
  ForEachLeaf<D>(view, options, work, enter, touch, hits, whole);
}

/// One body is soon found: going straight down reads fewer blocks than going level by level.
template <int D>
HWY_INLINE std::uint32_t AnyOf(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,
                               SearchWork& work) {
  const SplatBox<D> splat = Splat(box);
  const auto touch = [&](const BoxBlock<D>& block) HWY_ATTR { return OverlapBits(block, splat); };
  std::uint32_t body = kNoBody;
  std::size_t nodes = 0, leaves = 0;
  const auto enter = [&](std::uint32_t level, std::uint32_t block) HWY_ATTR {
    ++nodes;
    return touch(view.tree->level[level][block]);
  };
  Descend<D>(*view.tree, enter, [&](std::uint32_t leaf) HWY_ATTR {
    ++leaves;
    const std::uint32_t bits = HitsInLeaf<D>(view, leaf, options, touch);
    if (bits != 0) {
      body = view.body_of[std::size_t{leaf} * kBlockLanes + LowestBit(bits)];
    }
    return bits == 0;
  });
  work.tested += leaves * kBlockLanes;
  work.visited += nodes + leaves;
  return body;
}

HWY_INLINE bool Room(Sink<std::uint32_t>& sink) {
  return HWY_LIKELY(static_cast<std::size_t>(sink.limit - sink.cursor) >= Sink<std::uint32_t>::kMostAtOnce) ||
         sink.more(sink);
}

/// Appends the bodies of these lanes.
template <int D>
HWY_INLINE bool WriteBodies(const LayerView<D>& view, std::uint32_t leaf, std::uint32_t bits,
                            Sink<std::uint32_t>& sink) {
  if (kStep < 8 && bits == 0) {  // with wider registers, writing nothing is faster than asking
    return true;
  }
  if (!Room(sink)) {
    return false;
  }
  const std::uint32_t* bodies = view.body_of + std::size_t{leaf} * kBlockLanes;
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    const std::uint32_t own = BitsOfPart(bits, part);
    hn::StoreU(Pack(hn::Load(WordTag(), bodies + part * kStep), own), WordTag(), sink.cursor);
    sink.cursor += Count(own);
  }
  return true;
}

/// The lanes of a leaf that have a body.
template <int D>
HWY_INLINE std::uint32_t BodyBits(const LayerView<D>& view, std::uint32_t leaf) {
  const WordTag d;
  const std::uint32_t* bodies = view.body_of + std::size_t{leaf} * kBlockLanes;
  FloatMask holes[kBlockLanes / kStep];
  for (std::uint32_t part = 0; part < kBlockLanes / kStep; ++part) {
    holes[part] = hn::RebindMask(FloatTag(), hn::Eq(hn::Load(d, bodies + part * kStep), hn::Set(d, kNoBody)));
  }
  return BitsOfBlock(holes) ^ 0xFFFF;
}

/// Appends all bodies of a leaf: a copy, unless it has holes.
template <int D>
HWY_INLINE bool WriteLeaf(const LayerView<D>& view, std::uint32_t leaf, Sink<std::uint32_t>& sink) {
  const std::uint32_t bits = BodyBits(view, leaf);
  if (HWY_UNLIKELY(bits != 0xFFFF)) {
    return WriteBodies(view, leaf, bits, sink);
  }
  if (!Room(sink)) {
    return false;
  }
  const std::uint32_t* bodies = view.body_of + std::size_t{leaf} * kBlockLanes;
  for (std::uint32_t at = 0; at < kBlockLanes; at += kStep) {
    hn::StoreU(hn::Load(WordTag(), bodies + at), WordTag(), sink.cursor + at);
  }
  sink.cursor += kBlockLanes;
  return true;
}

template <int D>
HWY_INLINE void BodiesOf(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,
                         Sink<std::uint32_t>& sink, SearchWork& work) {
  ForEachLeafInBox<D>(
      view, box, options, work,
      [&](std::uint32_t leaf, std::uint32_t bits) HWY_ATTR { return WriteBodies<D>(view, leaf, bits, sink); },
      [&](std::uint32_t leaf) HWY_ATTR { return WriteLeaf<D>(view, leaf, sink); });
}

template <int D>
HWY_INLINE std::size_t CountOf(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,
                               SearchWork& work) {
  std::size_t count = 0;
  const auto add = [&](std::uint32_t bits) HWY_ATTR {
    count += Count(bits);
    return true;
  };
  ForEachLeafInBox<D>(
      view, box, options, work, [&](std::uint32_t, std::uint32_t bits) HWY_ATTR { return add(bits); },
      [&](std::uint32_t leaf) HWY_ATTR { return add(BodyBits(view, leaf)); });
  return count;
}

/// Lanes that no plane has wholly outside. A sum may overflow to NaN where opposite infinities meet: a body
/// is then outside (`kNode` false), a node must be looked into.
template <int D, bool kNode>
HWY_INLINE std::uint32_t FrustumBits(const BoxBlock<D>& block, std::span<const Plane<D>> planes) {
  const FloatTag d;
  std::uint32_t bits = 0;
  for (std::uint32_t s = 0; s < kBlockLanes; s += kStep) {
    auto inside = hn::Le(hn::Load(d, block.lo[0] + s), hn::Load(d, block.hi[0] + s));  // lanes in use
    for (const Plane<D>& plane : planes) {
      auto sum = hn::Zero(d);
      for (int axis = 0; axis < D; ++axis) {
        const float* corner = plane.normal[axis] >= 0 ? block.hi[axis] : block.lo[axis];
        const auto term = hn::Mul(hn::Set(d, plane.normal[axis]), hn::Load(d, corner + s));
        sum = axis == 0 ? term : hn::Add(sum, term);
      }
      sum = hn::Add(sum, hn::Set(d, plane.offset));
      const auto zero = hn::Zero(d);
      inside = hn::And(inside, kNode ? hn::Not(hn::Lt(sum, zero)) : hn::Ge(sum, zero));
    }
    bits |= BitsOf(d, inside) << s;
  }
  return bits;
}

template <int D>
HWY_INLINE void FrustumOf(const LayerView<D>& view, std::span<const Plane<D>> planes,
                          const QueryOptions& options, Sink<std::uint32_t>& sink, SearchWork& work) {
  ForEachLeaf<D>(
      view, options, work,
      [&](const BoxBlock<D>& block) HWY_ATTR {
        return Touched{FrustumBits<D, true>(block, planes), 0};
      },
      [&](const BoxBlock<D>& block) HWY_ATTR { return FrustumBits<D, false>(block, planes); },
      [&](std::uint32_t leaf, std::uint32_t bits) HWY_ATTR { return WriteBodies<D>(view, leaf, bits, sink); },
      [&](std::uint32_t leaf) HWY_ATTR { return WriteLeaf<D>(view, leaf, sink); });
}

// clang-format off
#define JUXTA_QUERIES(D)                                                                                       \
  std::uint32_t Any##D(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options, SearchWork& work) {         \
    return AnyOf<D>(view, box, options, work);                                                                  \
  }                                                                                                            \
  void Bodies##D(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options, Sink<std::uint32_t>& sink,                  \
                 SearchWork& work) {                                                                            \
    BodiesOf<D>(view, box, options, sink, work);                                                                \
  }                                                                                                            \
  std::size_t Count##D(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options, SearchWork& work) {         \
    return CountOf<D>(view, box, options, work);                                                                \
  }                                                                                                            \
  void Frustum##D(const LayerView<D>& view, std::span<const Plane<D>> planes, const QueryOptions& options, Sink<std::uint32_t>& sink,   \
                  SearchWork& work) {                                                                           \
    FrustumOf<D>(view, planes, options, sink, work);                                                            \
  }
// clang-format on
JUXTA_QUERIES(2)
JUXTA_QUERIES(3)
#undef JUXTA_QUERIES

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::layer_detail {

// clang-format off
#define JUXTA_DISPATCH(D)                                                                                      \
  JUXTA_KERNEL(Any##D);                                                                                          \
  JUXTA_KERNEL(Bodies##D);                                                                                       \
  JUXTA_KERNEL(Count##D);                                                                                        \
  JUXTA_KERNEL(Frustum##D);                                                                                      \
  template <>                                                                                                  \
  std::uint32_t any_in_box(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,                        \
                           SearchWork& work) noexcept {                                                         \
    return JUXTA_CALL_KERNEL(Any##D)(view, box, options, work);                                              \
  }                                                                                                            \
  template <>                                                                                                  \
  void bodies_in_box(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options, Sink<std::uint32_t>& sink,              \
                     SearchWork& work) noexcept {                                                               \
    JUXTA_CALL_KERNEL(Bodies##D)(view, box, options, sink, work);                                            \
  }                                                                                                            \
  template <>                                                                                                  \
  std::size_t count_in_box(const LayerView<D>& view, const Aabb<D>& box, const QueryOptions& options,                        \
                           SearchWork& work) noexcept {                                                         \
    return JUXTA_CALL_KERNEL(Count##D)(view, box, options, work);                                            \
  }                                                                                                            \
  template <>                                                                                                  \
  void bodies_in_frustum(const LayerView<D>& view, std::span<const Plane<D>> planes, const QueryOptions& options,            \
                         Sink<std::uint32_t>& sink, SearchWork& work) noexcept {                                           \
    JUXTA_CALL_KERNEL(Frustum##D)(view, planes, options, sink, work);                                        \
  }
// clang-format on
JUXTA_DISPATCH(2)
JUXTA_DISPATCH(3)
#undef JUXTA_DISPATCH

}  // namespace juxta::layer_detail
#endif  // HWY_ONCE
