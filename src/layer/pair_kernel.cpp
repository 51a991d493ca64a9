// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// All pairs, from nodes down to boxes.
//
//   node p   | bounds of 16 blocks |       1. which blocks of p touch the bounds of q: one compare of 16
//   node q   | bounds of 16 blocks |       2. each of those against all 16 of q: pairs of blocks
//   block a  | 16 boxes |                  3. which boxes of a touch the bounds of block b, and the other way
//   block b  | 16 boxes |                     round; the side with fewer goes on
//                                          4. each of those against all 16 of the other block: pairs
//
// Work:         a compare of one box with 16 is 6 loads, 6 compares and 5 ands on AVX-512, 4 times that on
//               SSE4. Uniform world at 100k: 1.7 compares a box for bounds of blocks, 2.3 for boxes, 2 pairs.
// Bytes:        24 a box and 8 a pair; blocks along the curve are in the caches when they are needed.
// Limit:        the compares: one a cycle of 16 lanes on a machine with 256-bit units.
// Determinism:  compares only; lanes in order.

#include "layer/pair_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/layer/pair_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "layer/pair_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::layer_detail::HWY_NAMESPACE {

template <int D, bool kFiltered>
HWY_INLINE bool RunBelow(const LayerView<D>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) {
  PairSearch<D, Search::kOneLayer, kFiltered> search(view, view, sink);
  const bool whole = search.Below(node.level, node.block);
  work.tested += search.work().tested;
  work.visited += search.work().visited;
  return whole;
}

template <int D, Search kSearch, bool kFiltered>
HWY_INLINE bool RunBetween(const LayerView<D>& a, TreeNode p, const LayerView<D>& b, TreeNode q,
                           Sink<Pair>& sink, SearchWork& work, const AnyAnswers* answers = nullptr) {
  PairSearch<D, kSearch, kFiltered> search(a, b, sink, answers);
  const bool whole = search.Between(p.level, p.block, q.level, q.block);
  work.tested += search.work().tested;
  work.visited += search.work().visited;
  return whole;
}

template <int D>
HWY_INLINE bool BelowOf(const LayerView<D>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) {
  return view.category != nullptr ? RunBelow<D, true>(view, node, sink, work)
                                  : RunBelow<D, false>(view, node, sink, work);
}

template <int D>
HWY_INLINE bool BetweenOf(const LayerView<D>& a, TreeNode p, const LayerView<D>& b, TreeNode q,
                          bool one_layer, Sink<Pair>& sink, SearchWork& work) {
  if (one_layer) {
    return a.category != nullptr ? RunBetween<D, Search::kOneLayer, true>(a, p, b, q, sink, work)
                                 : RunBetween<D, Search::kOneLayer, false>(a, p, b, q, sink, work);
  }
  return a.category != nullptr ? RunBetween<D, Search::kTwoLayers, true>(a, p, b, q, sink, work)
                               : RunBetween<D, Search::kTwoLayers, false>(a, p, b, q, sink, work);
}

template <int D>
HWY_INLINE void AnswersOf(const LayerView<D>& queries, TreeNode p, const LayerView<D>& bodies, TreeNode q,
                          const AnyAnswers& answers, SearchWork& work) {
  Sink<Pair> unused;
  (void)(bodies.category != nullptr
             ? RunBetween<D, Search::kAny, true>(queries, p, bodies, q, unused, work, &answers)
             : RunBetween<D, Search::kAny, false>(queries, p, bodies, q, unused, work, &answers));
}

bool Below2(const LayerView<2>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) {
  return BelowOf<2>(view, node, sink, work);
}
bool Below3(const LayerView<3>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) {
  return BelowOf<3>(view, node, sink, work);
}
bool Between2(const LayerView<2>& a, TreeNode p, const LayerView<2>& b, TreeNode q, bool one_layer,
              Sink<Pair>& sink, SearchWork& work) {
  return BetweenOf<2>(a, p, b, q, one_layer, sink, work);
}
bool Between3(const LayerView<3>& a, TreeNode p, const LayerView<3>& b, TreeNode q, bool one_layer,
              Sink<Pair>& sink, SearchWork& work) {
  return BetweenOf<3>(a, p, b, q, one_layer, sink, work);
}

void Answers2(const LayerView<2>& queries, TreeNode p, const LayerView<2>& bodies, TreeNode q,
              const AnyAnswers& answers, SearchWork& work) {
  AnswersOf<2>(queries, p, bodies, q, answers, work);
}
void Answers3(const LayerView<3>& queries, TreeNode p, const LayerView<3>& bodies, TreeNode q,
              const AnyAnswers& answers, SearchWork& work) {
  AnswersOf<3>(queries, p, bodies, q, answers, work);
}

}  // namespace juxta::layer_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::layer_detail {

JUXTA_KERNEL(Below2);
JUXTA_KERNEL(Below3);
JUXTA_KERNEL(Between2);
JUXTA_KERNEL(Between3);

template <>
bool pairs_below(const LayerView<2>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Below2)(view, node, sink, work);
}
template <>
bool pairs_below(const LayerView<3>& view, TreeNode node, Sink<Pair>& sink, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Below3)(view, node, sink, work);
}
template <>
bool pairs_between(const LayerView<2>& a, TreeNode p, const LayerView<2>& b, TreeNode q, bool one_layer,
                   Sink<Pair>& sink, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Between2)(a, p, b, q, one_layer, sink, work);
}
template <>
bool pairs_between(const LayerView<3>& a, TreeNode p, const LayerView<3>& b, TreeNode q, bool one_layer,
                   Sink<Pair>& sink, SearchWork& work) noexcept {
  return JUXTA_CALL_KERNEL(Between3)(a, p, b, q, one_layer, sink, work);
}

JUXTA_KERNEL(Answers2);
JUXTA_KERNEL(Answers3);
template <>
void answers_between(const LayerView<2>& queries, TreeNode p, const LayerView<2>& bodies, TreeNode q,
                     const AnyAnswers& answers, SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(Answers2)(queries, p, bodies, q, answers, work);
}
template <>
void answers_between(const LayerView<3>& queries, TreeNode p, const LayerView<3>& bodies, TreeNode q,
                     const AnyAnswers& answers, SearchWork& work) noexcept {
  JUXTA_CALL_KERNEL(Answers3)(queries, p, bodies, q, answers, work);
}

}  // namespace juxta::layer_detail
#endif  // HWY_ONCE
