// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: one rectangle's search through two trees, in steps. Include inside top_kernel.cpp only.
//
//   likelier tree, some nodes -> the other, 4x as many -> the first again, 16x -> ...
//
//   Ranks that follow one axis can make the likelier tree the wrong one. Neither is given more than four
//   times what the other has had, and each starts from the other's threshold.
//
//   Half of a search is waiting for memory, so a batch takes the steps of several searches by turns.

#if defined(JUXTA_RANKED_TREE_RACE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TREE_RACE_INL_H
#undef JUXTA_RANKED_TREE_RACE_INL_H
#else
#define JUXTA_RANKED_TREE_RACE_INL_H
#endif

#include <optional>

#include "juxta/core/query_result.h"
#include "ranked/estimate-inl.h"
#include "ranked/tree_search-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
HWY_INLINE bool IsSliver(const BoxQuery<T>& query) {
  constexpr std::uint32_t kSliver = 16;
  return query.width >= kSliver * query.height || query.height >= kSliver * query.width;
}

/// Whether the blocks of the tall tree cross the box's border less often than those of the flat one. Only
/// edges inside the data count: nothing crosses the others.
template <class T>
HWY_INLINE bool TallCrossesLess(const RankedView& view, const BoxQuery<T>& query) {
  const auto inside_x = (query.rect.lx > view.bounds[0]) + (query.rect.hx < view.bounds[2]);
  const auto inside_y = (query.rect.ly > view.bounds[1]) + (query.rect.hy < view.bounds[3]);
  return std::uint64_t{query.width} * static_cast<unsigned>(inside_y) <=
         std::uint64_t{query.height} * static_cast<unsigned>(inside_x);
}

template <class T>
HWY_INLINE bool PreferTall(const RankedView& view, const BoxQuery<T>& query) {
  return view.gradient != Gradient::kNone && !IsSliver(query) ? view.gradient == Gradient::kX
                                                              : TallCrossesLess(view, query);
}

/// Positions become the indices of the points.
HWY_INLINE void ToIndices(const RankedView& view, std::size_t size, std::uint32_t* positions) {
  for (std::size_t i = 0; i < size && view.index_of != nullptr; ++i) {
    positions[i] = view.index_of[positions[i]];
  }
}

/// The k lowest positions in `query`, which must outlive it; k is below Candidates::kMost.
template <class T>
class TreeRace {
 public:
  TreeRace(const RankedView& view, const BoxQuery<T>& query, std::size_t k)
      : view_(view),
        query_(query),
        k_(k),
        reach_(ExpectedReach(view, query, k)),
        tree_(PreferTall(view, query) ? &view.tall : &view.flat),
        budget_(view.is_subset() ? SIZE_MAX : kFirstBudget + 4 * k) {  // a subset has one tree
    Begin(static_cast<std::uint32_t>(view.positions()));
  }

  /// False: the search has ended. What the next step reads may not be in cache yet.
  HWY_INLINE bool Step() {
    using Progress = typename TreeSearch<T>::Progress;
    const Progress progress = search_->Step();
    if (progress == Progress::kOverBudget) {
      best_->tighten();
      const std::uint32_t limit = best_->full() ? HWY_MIN(limit_, best_->threshold() + 1) : limit_;
      AddUp();
      tree_ = tree_ == &view_.tall ? &view_.flat : &view_.tall;
      budget_ *= 4;
      Begin(limit);
    }
    return progress != Progress::kDone;
  }

  /// Positions, ascending.
  HWY_INLINE QueryResult Finish(std::uint32_t* out) {
    AddUp();
    result_.written = best_->finish(out);
    return result_;
  }

 private:
  /// Nodes and leaves that the likelier tree may read before the other one is tried.
  static constexpr std::size_t kFirstBudget = 512;

  HWY_INLINE void Begin(std::uint32_t limit) {
    limit_ = limit;
    best_.emplace(k_, limit);
    search_.emplace(view_, *tree_, query_, *best_);
    search_->Start(reach_, budget_);
  }

  HWY_INLINE void AddUp() {
    result_.visited += search_->visited();
    result_.tested += search_->tested();
  }

  const RankedView& view_;
  const BoxQuery<T>& query_;
  const std::size_t k_;
  const std::uint64_t reach_;
  const TreeView* tree_;
  std::size_t budget_;
  std::uint32_t limit_ = 0;
  QueryResult result_;
  std::optional<Candidates> best_;
  std::optional<TreeSearch<T>> search_;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
