// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the k lowest positions inside a box, from one block tree. Include inside top_kernel.cpp only.
//
//   positions  0 ........ horizon ........ threshold (k-th best so far) ........ n
//              |  do now  |  defer          |  never
//
//   A node knows the lowest position below each of its 16 children. Everything below the horizon is done at
//   once, because the order inside it does not matter; the rest of a node waits as one deferred entry. The
//   first horizon is where k results are expected; while there are too few, the next is four times as far.
//
//   512 points of a level-0 node:   top block (its 32 lowest)  |  16 leaves
//   Usually the horizon ends inside the top block, and no leaf is read at all.
//
//   Blocks are queued and prefetched before they are read, so that their misses overlap.
//
// Limit: the level-0 nodes that touch the box and have a point below the final threshold; at worst those
// along its border, about sqrt(n) / 90 of them per edge in the tree whose blocks lie along that edge.

#if defined(JUXTA_RANKED_TREE_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TREE_SEARCH_INL_H
#undef JUXTA_RANKED_TREE_SEARCH_INL_H
#else
#define JUXTA_RANKED_TREE_SEARCH_INL_H
#endif

#include "hwy/cache_control.h"
#include "ranked/box_query-inl.h"
#include "ranked/candidates-inl.h"
#include "ranked/point_filter-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::uint32_t LowestBit(std::uint32_t bits) {
  return static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits));
}

/// `Filter`: which points may be found at all (point_filter-inl.h). `Query`: a BoxQuery, or one that knows
/// better which points of the box are inside.
template <class T, class Filter = EveryPoint, class Query = BoxQuery<T>>
class TreeSearch {
 public:
  TreeSearch(const RankedView& view, const TreeView& tree, const Query& query, Candidates& best,
             const Filter& filter = {})
      : view_(view),
        tree_(tree),
        query_(query),
        filter_(filter),
        best_(best),
        top_reach_(view.positions() / kTopShare) {}

  /// Runs until nothing below the threshold is left (true), or `budget` nodes and blocks were read (false).
  /// `step` is the first horizon.
  HWY_INLINE bool Run(std::uint64_t step, std::size_t budget) {
    Start(step, budget);
    Progress progress;
    do {
      progress = Step();
    } while (progress == Progress::kGoesOn);
    return progress == Progress::kDone;
  }

  /// The same in parts: Start() once, then Step() while it goes on. A step ends where the next one reads what
  /// this one has asked for, so that other work in between hides the misses.
  enum class Progress { kGoesOn, kDone, kOverBudget };

  HWY_INLINE void Start(std::uint64_t step, std::size_t budget) {
    step_ = step;
    budget_ = budget;
    horizon_ = Clip(best_.first() + step);
    Do(0, Ref(kFresh, tree_.levels - 1, 0), 0);
  }

  HWY_INLINE Progress Step() {
    if (now_size_ != 0 && queue_size_ < kQueue) {
      ExpandSome();
    } else if (queue_size_ != 0) {
      ScanQueue();  // may find that a node must be opened after all
    } else {
      return EndHorizon();
    }
    if (visited_ > budget_) {
      ScanQueue();
      ConfirmDoubtful();
      return Progress::kOverBudget;
    }
    return Progress::kGoesOn;
  }

  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return tested_; }

 private:
  /// What is known of a node: nothing; its top block (level 0 only); or some children are done, those whose
  /// lowest position is below the entry's key.
  enum State : std::uint32_t { kFresh, kTopDone, kPartlyDone };
  struct Entry {
    std::uint32_t key;   // no point of interest is below it
    std::uint32_t from;  // points below were seen in the top block
    std::uint32_t state : 2, level : 3, index : 27;
  };
  struct Queued {
    const Block* block;
    std::uint32_t first, from;
    std::uint32_t top_of;   // the node whose top block it is; kNoPoint for a leaf
    std::uint32_t passing;  // of a leaf; a top block asks when it is scanned
  };
  static constexpr std::size_t kDeferred = 1024;
  static constexpr std::size_t kQueue = 16;    // scanned from so many blocks on
  static constexpr std::size_t kTogether = 4;  // entries of a step
  static constexpr std::size_t kDoubtful = 64;
  // Room for all deferred entries at once, a full queue of nodes to be opened, and the depth-first path.
  static constexpr std::size_t kNow =
      kDeferred + kQueue + kFanout + kTogether * kFanout * (TreeView::kMaxLevels + 2);
  // A horizon that passes more points of a node than its top block holds makes that block a detour.
  static constexpr std::size_t kTopShare = 16;

  static std::uint32_t Clip(std::uint64_t position) {
    return static_cast<std::uint32_t>(HWY_MIN(position, std::uint64_t{kNoPoint}));
  }
  static Entry Ref(State state, std::uint32_t level, std::uint32_t index) {
    Entry entry;
    entry.key = entry.from = 0;
    entry.state = state & 3;
    entry.level = level & 7;
    entry.index = index & 0x7FFFFFF;
    return entry;
  }

  HWY_INLINE Progress EndHorizon() {
    ConfirmDoubtful();
    // Everything below the horizon has been met, so k of it are the answer.
    if (best_.full() && best_.count_below(horizon_) >= best_.wanted()) {
      return Progress::kDone;
    }
    best_.tighten();
    if (!Advance(step_)) {
      return Progress::kDone;
    }
    step_ *= 4;
    return Progress::kGoesOn;
  }

  HWY_INLINE void Do(std::uint32_t key, Entry entry, std::uint32_t from) {
    entry.key = key;
    entry.from = from;
    now_[now_size_++] = entry;
  }

  /// False when there is no place to wait: then it is done now, which is never wrong.
  HWY_INLINE bool Defer(std::uint32_t key, Entry entry, std::uint32_t from) {
    if (deferred_size_ == kDeferred) {
      return false;
    }
    entry.key = key;
    entry.from = from;
    deferred_[deferred_size_++] = entry;
    return true;
  }

  /// Moves the horizon `step` behind the lowest deferred entry. False: nothing is left below the threshold.
  HWY_INLINE bool Advance(std::uint64_t step) {
    std::uint32_t lowest = kNoPoint;
    for (std::size_t i = 0; i < deferred_size_; ++i) {
      lowest = HWY_MIN(lowest, deferred_[i].key);
    }
    if (lowest >= best_.threshold()) {
      return false;
    }
    horizon_ = Clip(lowest + step);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < deferred_size_; ++i) {
      if (deferred_[i].key < horizon_) {
        now_[now_size_++] = deferred_[i];
      } else {
        deferred_[kept++] = deferred_[i];
      }
    }
    deferred_size_ = kept;
    return true;
  }

  HWY_INLINE void ExpandSome() {
    Entry some[kTogether];
    std::size_t size = HWY_MIN(now_size_, kTogether);
    now_size_ -= size;
    std::copy_n(now_ + now_size_, size, some);
    while (size != 0 && queue_size_ < kQueue) {
      Expand(some[--size]);
    }
    std::copy_n(some, size, now_ + now_size_);
    now_size_ += size;
  }

  // By value: the entry's place is used again.
  HWY_INLINE void Expand(const Entry entry) {
    if (entry.key >= best_.threshold()) {
      return;
    }
    if (entry.level == 0 && entry.state == kFresh && horizon_ <= top_reach_) {  // the root of a small tree
      QueueTop(entry.key, entry.index);
      return;
    }
    const std::size_t node_index = tree_.level_begin[entry.level] + entry.index;
    const Node& node = tree_.nodes[node_index];
    ++visited_;
    const std::uint32_t limit = HWY_MIN(horizon_, best_.threshold());
    const std::uint32_t done_below = entry.state == kPartlyDone ? entry.key : 0;
    const std::uint32_t touching = filter_.OfNode(node_index, TouchingBits(node, query_.outer));
    std::uint32_t children = touching & FirstBits(node, done_below, limit);
    const std::uint32_t later = touching & FirstBits(node, HWY_MAX(limit, done_below), best_.threshold());
    if (later != 0 && !DeferChildren(node, entry, later)) {
      children |= later;
    }
    if (entry.level == 0) {
      for (; children != 0; children &= children - 1) {
        const std::uint32_t c = LowestBit(children);
        const std::size_t leaf = std::size_t{entry.index} * kFanout + c;
        if (const std::uint32_t passing = filter_.OfLeaf(leaf); passing != 0) {  // else it is never read
          Queue(tree_.leaves + leaf, node.first[c], entry.from, kNoPoint, passing);
        } else {
          ++visited_;  // what the filter asked for was read
        }
      }
    } else {
      DoChildren(node, entry, children);
    }
  }

  HWY_INLINE bool DeferChildren(const Node& node, const Entry& entry, std::uint32_t later) {
    return Defer(LowestFirst(node, later), Ref(kPartlyDone, entry.level, entry.index), entry.from);
  }

  HWY_INLINE void DoChildren(const Node& node, const Entry& entry, std::uint32_t children) {
    if (entry.level == 1 && horizon_ <= top_reach_) {
      for (; children != 0; children &= children - 1) {
        const std::uint32_t c = LowestBit(children), index = entry.index * std::uint32_t{kFanout} + c;
        QueueTop(node.first[c], index);
      }
      return;
    }
    // The child with the lowest position goes on top: it is the one that tightens the threshold most.
    const std::size_t bottom = now_size_;
    std::size_t lowest = bottom;
    for (; children != 0; children &= children - 1) {
      const std::uint32_t c = LowestBit(children), index = entry.index * std::uint32_t{kFanout} + c;
      PrefetchLines(&tree_.nodes[tree_.level_begin[entry.level - 1] + index], sizeof(Node) / 64);
      if (entry.level == 1) {
        filter_.PrefetchLeaves(index);
      }
      Do(node.first[c], Ref(kFresh, entry.level - 1u, index), 0);
      lowest = node.first[c] < now_[lowest].key ? now_size_ - 1 : lowest;
    }
    if (now_size_ != bottom) {
      std::swap(now_[lowest], now_[now_size_ - 1]);
    }
  }

  HWY_INLINE void QueueTop(std::uint32_t first, std::uint32_t index) {
    filter_.PrefetchTop(index);
    Queue(tree_.tops + index, first, 0, index, 0);
  }

  HWY_INLINE void Queue(const Block* block, std::uint32_t first, std::uint32_t from, std::uint32_t top_of,
                        std::uint32_t passing) {
    PrefetchLines(block, sizeof(Block) / 64);
    queue_[queue_size_++] = {block, first, from, top_of, passing};
  }

  HWY_INLINE void ScanQueue() {
    for (std::size_t i = 0; i < queue_size_; ++i) {
      const Queued& queued = queue_[i];
      if (queued.first < best_.threshold()) {
        const bool is_top = queued.top_of != kNoPoint;
        ScanBlock(*queued.block, queued.from, is_top ? filter_.OfTop(queued.top_of) : queued.passing);
        if (is_top) {
          OpenLater(queued.block->name[kBlockSize - 1], queued.top_of);
        }
      }
    }
    queue_size_ = 0;
  }

  /// After a top block that ends at `last`: the node's other points are behind it. kNoPoint: there are no
  /// others.
  HWY_INLINE void OpenLater(std::uint32_t last, std::uint32_t index) {
    if (last < best_.threshold()) {
      const Entry entry = Ref(kTopDone, 0, index);
      if (last + 1 < horizon_ || !Defer(last + 1, entry, last + 1)) {
        Do(last + 1, entry, last + 1);
      }
    }
  }

  HWY_INLINE void ScanBlock(const Block& block, std::uint32_t from, std::uint32_t passing) {
    ++visited_;
    tested_ += kBlockSize;
    const std::uint32_t hits = passing & InsideBits(block, query_.outer) &
                               NameBits(block, HWY_MAX(from, best_.first()), best_.threshold());
    if (HWY_LIKELY(query_.exact)) {
      best_.add(block, hits);
    } else {
      const std::uint32_t sure = query_.inner_empty ? 0 : hits & InsideBits(block, query_.inner);
      best_.add(block, sure);
      AddDoubtful(block, hits & ~sure);
    }
  }

  HWY_INLINE void AddDoubtful(const Block& block, std::uint32_t hits) {
    if (doubtful_size_ > kDoubtful - kBlockSize) {
      ConfirmDoubtful();
    }
    const std::size_t begin = doubtful_size_;
    doubtful_size_ += AppendNames(block, hits, doubtful_ + begin);
    for (std::size_t i = begin; i < doubtful_size_ && view_.index_of != nullptr; ++i) {
      hwy::Prefetch(view_.index_of + doubtful_[i]);
    }
  }

  /// Looks at the coordinates of the points in edge quanta: late, when the threshold has ruled most of them
  /// out, and many at a time, so that their misses overlap.
  HWY_NOINLINE void ConfirmDoubtful() {
    if (doubtful_size_ == 0) {
      return;
    }
    best_.tighten();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      const std::uint32_t position = doubtful_[i];
      doubtful_[kept] = position;
      kept += position < best_.threshold();
    }
    for (std::size_t i = 0; i < kept; ++i) {
      query_.PrefetchCoordinates(view_.index(doubtful_[i]));
    }
    for (std::size_t i = 0; i < kept; ++i) {
      if (query_.Contains(view_.index(doubtful_[i]))) {
        best_.add(doubtful_[i]);
      }
    }
    doubtful_size_ = 0;
  }

  const RankedView& view_;
  const TreeView& tree_;
  const Query& query_;
  const Filter filter_;
  Candidates& best_;
  const std::size_t top_reach_;  // as far as a top block may save its node's leaves
  std::uint64_t step_ = 0;
  std::uint32_t horizon_ = 0;
  std::size_t budget_ = 0, now_size_ = 0, deferred_size_ = 0, queue_size_ = 0, doubtful_size_ = 0,
              visited_ = 0, tested_ = 0;
  Entry now_[kNow];
  Entry deferred_[kDeferred];
  Queued queue_[kQueue + kFanout];          // a node may add as many as it has leaves
  std::uint32_t doubtful_[kDoubtful + 16];  // AppendNames() writes whole registers
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
