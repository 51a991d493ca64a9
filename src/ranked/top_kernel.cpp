// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Top-k inside a rectangle: one list where a list holds the answer, a block tree otherwise.
//
//   rectangle -> box of u16 quanta (box_query-inl.h, ~25 ns)
//             -> on WebAssembly, if it holds a few points at most: all of them (small_top-inl.h)
//             -> the list of the smallest cell around it (list_scan-inl.h): 9 of 10 queries of the contest
//             -> else the tall or the flat tree (tree_race-inl.h), whichever has blocks along the border
//             -> or, from k = 256, the levels (level_search-inl.h), or all of a tree (tree_gather-inl.h)
//
// Limit:       hot, about 100 ns of dependent loads from L2; cold, one DRAM miss for the list.
// Determinism: comparisons of integers and of the input's own coordinates; floats only choose between two
//              ways to the same answer.

#include "ranked/top_kernel.h"

#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/top_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/estimate-inl.h"
#include "ranked/level_search-inl.h"
#include "ranked/list_scan-inl.h"
#include "ranked/small_top-inl.h"
#include "ranked/top_batch-inl.h"
#include "ranked/tree_gather-inl.h"
#include "ranked/tree_race-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

/// From here on the levels are faster than the trees.
inline constexpr std::size_t kLevelsFrom = 256;

/// Positions, ascending, through the trees; k is below kLevelsFrom.
template <class T>
HWY_NOINLINE QueryResult SearchTrees(const RankedView& view, const BoxQuery<T>& query, std::size_t k,
                                     std::uint32_t* out) {
  TreeRace<T> race(view, query, k);
  while (race.Step()) {
  }
  return race.Finish(out);
}

/// A box with so many times k points: up to here, reading all of them is faster than levels.
inline constexpr double kGatherMost = 1, kGatherMostOfSliver = 8;

/// Positions from `first` on, ascending, for k from kLevelsFrom on and for pages: all from a tree, if they
/// are not many more than k; else through the levels.
template <class T>
HWY_NOINLINE QueryResult SearchMany(const RankedView& view, const BoxQuery<T>& query, std::uint32_t first,
                                    std::size_t k, std::uint32_t* out) {
  const auto result_of = [first](auto& search) {
    QueryResult result;
    result.written = search.Run(first);
    result.tested = search.tested();
    result.visited = search.visited();
    return result;
  };
  const double expected = EstimateCount(view, query);
  if (view.levels.levels == 0 ||
      expected <= (IsSliver(query) ? kGatherMostOfSliver : kGatherMost) * static_cast<double>(k)) {
    TreeGather<T> search(view, TallCrossesLess(view, query) ? view.tall : view.flat, query, expected, k, out);
    return result_of(search);
  }
  LevelSearch<T> search(view, query, expected, k, out);
  return result_of(search);
}

/// From this share of the space on, a list costs less a result than the levels.
inline constexpr float kDense = 0.04f;

/// From the list, if it is likely to hold the answer. False: it does not, and `out` may hold anything.
template <class T>
HWY_INLINE bool FromList(const BoxQuery<T>& query, const ListChoice& list, std::size_t k, std::uint32_t* out,
                         QueryResult& result) {
  if (!MayHold(list, k)) {
    return false;
  }
  result = ScanList(list, query, k, out);
  return IsAnswer(list, k, result);
}

/// Without that list: for large k from the list of all space; else from the trees or the levels.
template <class T>
HWY_INLINE QueryResult FromRest(const RankedView& view, const BoxQuery<T>& query, const ListChoice& list,
                                std::size_t k, std::uint32_t* out) {
  QueryResult result;
  if (k >= kLevelsFrom) {
    const ListChoice all = WholeList(view, query);
    if (all.share >= kDense && all.blocks != list.blocks && FromList(query, all, k, out, result)) {
      return result;
    }
  }
  const QueryResult rest =
      k < kLevelsFrom ? SearchTrees(view, query, k, out) : SearchMany(view, query, 0, k, out);
  ToIndices(view, rest.written, out);
  return {.written = rest.written,
          .tested = rest.tested + result.tested,
          .visited = rest.visited + result.visited};
}

template <class T>
HWY_INLINE QueryResult AnswerQuery(const RankedView& view, const BoxQuery<T>& query, const ListChoice& list,
                                   std::size_t k, std::uint32_t* out) {
  QueryResult result;
  if (FromList(query, list, k, out, result)) {
    return result;
  }
  const QueryResult rest = FromRest(view, query, list, k, out);
  return {.written = rest.written,
          .tested = rest.tested + result.tested,
          .visited = rest.visited + result.visited};
}

template <class T>
HWY_INLINE QueryResult TopOf(const RankedView& view, const RectD& rect, std::size_t k, std::uint32_t* out) {
  BoxQuery<T> query;
  if (!MakeQuery(view, rect, query)) {
    return {};
  }
#if HWY_TARGET == HWY_WASM  // with wider registers, lists are as fast from ten points on
  if (SmallTop<T>::Fits(view, query)) {
    QueryResult result;
    if (SmallTop<T>().Run(view, query, k, out, result)) {
      return result;
    }
  }
#endif
  return AnswerQuery(view, query, ChooseList(view, query), k, out);
}

QueryResult Top(const RankedView& view, const RectD& rect, std::size_t k, std::uint32_t* out) {
  return JUXTA_CALL_FOR_TYPE(view, TopOf, view, rect, k, out);
}

template <class T>
HWY_NOINLINE void TopBatchOf(const RankedView& view, std::span<const RectD> rects, std::size_t k,
                             std::uint32_t* out, std::uint32_t* counts) {
  constexpr std::size_t kGroup = 16;
  Aim<T> aims[kGroup];
  BoxQuery<T> queries[kGroup];
  ListPlace places[kGroup];
  bool some[kGroup];
  Races<T> races(view, k, out, counts);
  for (std::size_t first = 0; first < rects.size(); first += kGroup) {
    const std::size_t group = HWY_MIN(kGroup, rects.size() - first);
    for (std::size_t i = 0; i < group; ++i) {
      some[i] = TakeAim(view, rects[first + i], aims[i]);
      if (some[i]) {
        PrefetchAim(view, aims[i]);
      }
    }
    for (std::size_t i = 0; i < group; ++i) {
      some[i] = some[i] && MakeQuery(view, aims[i], queries[i]);
      if (some[i]) {
        places[i] = FindList(view, queries[i]);
        hwy::Prefetch(places[i].length);  // null if there are no lists, which no processor minds
        PrefetchList(places[i].blocks, places[i].share, k);
      }
    }
    for (std::size_t i = 0; i < group; ++i) {
      QueryResult result;
      const ListChoice list = some[i] ? ListAt(places[i]) : ListChoice{};
      if (some[i] && !FromList(queries[i], list, k, out + (first + i) * k, result)) {
        if (k < kLevelsFrom) {
          races.Add(queries[i], first + i);
          continue;
        }
        result = FromRest(view, queries[i], list, k, out + (first + i) * k);
      }
      counts[first + i] = static_cast<std::uint32_t>(result.written);
    }
  }
  races.Finish();
}

void TopBatch(const RankedView& view, std::span<const RectD> rects, std::size_t k, std::uint32_t* out,
              std::uint32_t* counts) {
  return JUXTA_CALL_FOR_TYPE(view, TopBatchOf, view, rects, k, out, counts);
}

std::size_t TopPositions(const RankedView& view, const QuantumBox& box, std::size_t k, std::uint32_t* out) {
#ifdef JUXTA_SMALL_CODE
  BoxQuery<Either> query;
#else
  BoxQuery<float> query;  // exact, so that no coordinate is looked at
#endif
  query.view = &view;
  query.outer = query.inner = box;
  query.width = box.hx - box.lx + 1u;
  query.height = box.hy - box.ly + 1u;
  query.rect = {-HUGE_VALF, -HUGE_VALF, HUGE_VALF, HUGE_VALF};
  return SearchMany(view, query, 0, k, out).written;
}

template <class T>
HWY_INLINE QueryResult TopFromOf(const RankedView& view, const RectD& rect, std::uint32_t first,
                                 std::size_t k, std::uint32_t* out) {
  BoxQuery<T> query;
  if (!MakeQuery(view, rect, query)) {
    return {};
  }
  // In the list of all space, entries are positions.
  const ListChoice all = view.is_subset() ? ListChoice{} : WholeList(view, query);
  if (all.share >= kDense && first < all.points &&
      static_cast<float>(all.points - first) * all.share >= static_cast<float>(k)) {
    const QueryResult result = ScanList(all, query, k, out, first);
    if (IsAnswer(all, k, result, first)) {
      return result;
    }
  }
  const QueryResult result = SearchMany(view, query, first, k, out);
  ToIndices(view, result.written, out);
  return result;
}

template <class T>
HWY_INLINE bool TopBehindOf(const RankedView& view, const RectD& rect, std::uint32_t own, std::size_t k,
                            std::uint32_t* out, QueryResult& result) {
  BoxQuery<T> query;
  return !MakeQuery(view, rect, query) || PageOfList(ChooseList(view, query), query, own, k, out, result);
}

bool TopBehind(const RankedView& view, const RectD& rect, std::uint32_t own, std::size_t k,
               std::uint32_t* out, QueryResult& result) {
  return JUXTA_CALL_FOR_TYPE(view, TopBehindOf, view, rect, own, k, out, result);
}

QueryResult TopFrom(const RankedView& view, const RectD& rect, std::uint32_t first, std::size_t k,
                    std::uint32_t* out) {
  return JUXTA_CALL_FOR_TYPE(view, TopFromOf, view, rect, first, k, out);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(Top);
QueryResult top_points(const RankedView& view, const RectD& rect, std::size_t k,
                       std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(Top)(view, rect, k, out);
}

JUXTA_KERNEL(TopBatch);
void top_points_batch(const RankedView& view, std::span<const RectD> rects, std::size_t k, std::uint32_t* out,
                      std::uint32_t* counts) noexcept {
  JUXTA_CALL_KERNEL(TopBatch)(view, rects, k, out, counts);
}

JUXTA_KERNEL(TopBehind);
bool top_points_behind(const RankedView& view, const RectD& rect, std::uint32_t own, std::size_t k,
                       std::uint32_t* out, QueryResult& result) noexcept {
  return JUXTA_CALL_KERNEL(TopBehind)(view, rect, own, k, out, result);
}

JUXTA_KERNEL(TopFrom);
QueryResult top_points_from(const RankedView& view, const RectD& rect, std::uint32_t first, std::size_t k,
                            std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(TopFrom)(view, rect, first, k, out);
}

JUXTA_KERNEL(TopPositions);
std::size_t top_positions(const RankedView& view, const QuantumBox& box, std::size_t k,
                          std::uint32_t* out) noexcept {
  return JUXTA_CALL_KERNEL(TopPositions)(view, box, k, out);
}

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
