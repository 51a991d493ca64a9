// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the k lowest positions inside a box, from one block tree. Include inside top_kernel.cpp only.
//
//   A node knows the lowest position below each of its 16 children. Everything below the horizon is done at
//   once, depth first, because the order inside it does not matter; the rest of a node waits as one deferred
//   entry.
//
//   positions  0 ........ horizon ........ threshold (k-th best so far) ........ n
//              |  do now  |  defer          |  never
//
//   The first horizon is where k results are expected; while there are too few, the next is twice as far.
//
// Limit: the leaves that cross the box's border below the final threshold: about sqrt(n / 32) of them at
// worst, 64 / sqrt(n) as many in the tree whose blocks lie along the border.

#if defined(JUXTA_RANKED_TREE_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_TREE_SEARCH_INL_H
#undef JUXTA_RANKED_TREE_SEARCH_INL_H
#else
#define JUXTA_RANKED_TREE_SEARCH_INL_H
#endif

#include "hwy/cache_control.h"
#include "ranked/box_query-inl.h"
#include "ranked/candidates.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
class TreeSearch {
 public:
  TreeSearch(const RankedView& view, const TreeView& tree, const BoxQuery<T>& query, Candidates& best)
      : view_(view), tree_(tree), query_(query), best_(best) {}

  /// Runs until nothing below the threshold is left (true), or `budget` nodes and leaves were read (false).
  /// `step` is the first horizon.
  HWY_INLINE bool Run(std::uint64_t step, std::size_t budget) {
    horizon_ = Clip(step);
    now_[now_size_++] = MakeEntry(0, tree_.levels - 1, 0);
    for (;;) {
      while (now_size_ != 0) {
        const Entry entry = now_[--now_size_];
        if (entry.key < best_.threshold()) {
          Expand(entry);
          if (visited_ > budget) {
            ScanLeaves();
            ConfirmDoubtful();
            return false;
          }
        }
      }
      ScanLeaves();
      ConfirmDoubtful();
      best_.tighten();
      if (!Advance(step)) {
        return true;
      }
      step *= 4;
    }
  }

  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return tested_; }

 private:
  /// A node, without the children whose lowest position is below `key`: they are done.
  struct Entry {
    std::uint32_t key;
    std::uint32_t level : 4;
    std::uint32_t index : 28;
  };
  static constexpr std::size_t kDeferred = 1024;
  struct Leaf {
    std::uint32_t first, index;
  };
  static constexpr std::size_t kLeaves = 16;
  static constexpr std::size_t kDoubtful = 64;
  static constexpr std::size_t kNow = kDeferred + kFanout * (TreeView::kMaxLevels + 1);

  static Entry MakeEntry(std::uint32_t key, std::uint32_t level, std::uint32_t index) {
    Entry entry;
    entry.key = key;
    entry.level = level & 0xF;
    entry.index = index & 0xFFFFFFF;
    return entry;
  }
  static std::uint32_t Clip(std::uint64_t position) {
    return static_cast<std::uint32_t>(HWY_MIN(position, std::uint64_t{kNoPoint}));
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

  HWY_INLINE void Expand(const Entry& entry) {
    const Node& node = tree_.nodes[tree_.level_begin[entry.level] + entry.index];
    ++visited_;
    const std::uint32_t limit = HWY_MIN(horizon_, best_.threshold());
    std::uint32_t children = TouchingBits(node, query_.outer);
    std::uint32_t later = children & FirstBits(node, HWY_MAX(limit, entry.key), best_.threshold());
    children &= FirstBits(node, entry.key, limit);
    if (later != 0) {
      if (deferred_size_ < kDeferred) {
        Defer(entry, node, later);
      } else {
        children |= later;  // no place to wait: do it now, which is never wrong
      }
    }
    if (entry.level == 0) {
      QueueLeaves(node, entry.index, children);
    } else {
      PushChildren(node, entry, children);
    }
  }

  HWY_INLINE void Defer(const Entry& entry, const Node& node, std::uint32_t later) {
    std::uint32_t key = kNoPoint;
    for (; later != 0; later &= later - 1) {
      key = HWY_MIN(key, node.first[hwy::Num0BitsBelowLS1Bit_Nonzero32(later)]);
    }
    deferred_[deferred_size_++] = MakeEntry(key, entry.level, entry.index);
  }

  /// The child with the lowest position goes on top: it is the one that tightens the threshold most.
  HWY_INLINE void PushChildren(const Node& node, const Entry& entry, std::uint32_t children) {
    const std::size_t bottom = now_size_;
    std::size_t lowest = bottom;
    for (; children != 0; children &= children - 1) {
      const auto c = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(children));
      const Entry child =
          MakeEntry(node.first[c], entry.level - 1u, entry.index * std::uint32_t{kFanout} + c);
      const auto* memory =
          reinterpret_cast<const std::byte*>(&tree_.nodes[tree_.level_begin[child.level] + child.index]);
      hwy::Prefetch(memory);
      hwy::Prefetch(memory + 64);
      hwy::Prefetch(memory + 128);
      now_[now_size_] = child;
      lowest = child.key < now_[lowest].key ? now_size_ : lowest;
      ++now_size_;
    }
    if (now_size_ != bottom) {
      const Entry top = now_[lowest];
      now_[lowest] = now_[now_size_ - 1];
      now_[now_size_ - 1] = top;
    }
  }

  /// Leaves wait until there are some: their misses overlap with one another and with the nodes in between.
  HWY_INLINE void QueueLeaves(const Node& node, std::uint32_t index, std::uint32_t children) {
    for (; children != 0; children &= children - 1) {
      const auto c = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(children));
      const std::uint32_t leaf = index * std::uint32_t{kFanout} + c;
      const auto* memory = reinterpret_cast<const std::byte*>(tree_.leaves + leaf);
      hwy::Prefetch(memory);
      hwy::Prefetch(memory + 64);
      hwy::Prefetch(memory + 128);
      hwy::Prefetch(memory + 192);
      leaves_[leaf_size_++] = {node.first[c], leaf};
    }
    if (leaf_size_ > kLeaves) {
      ScanLeaves();
    }
  }

  HWY_INLINE void ScanLeaves() {
    for (std::size_t i = 0; i < leaf_size_; ++i) {
      if (leaves_[i].first < best_.threshold()) {
        ScanLeaf(tree_.leaves[leaves_[i].index]);
      }
    }
    leaf_size_ = 0;
  }

  HWY_INLINE void ScanLeaf(const Block& leaf) {
    ++visited_;
    tested_ += kBlockSize;
    const std::uint32_t hits = InsideBits(leaf, query_.outer) & BelowBits(leaf, best_.threshold());
    std::uint32_t sure = hits;
    if (!query_.exact) {
      sure = query_.inner_empty ? 0 : hits & InsideBits(leaf, query_.inner);
      for (std::uint32_t rest = hits & ~sure; rest != 0; rest &= rest - 1) {
        if (doubtful_size_ == kDoubtful) {
          ConfirmDoubtful();
        }
        doubtful_[doubtful_size_++] = leaf.name[hwy::Num0BitsBelowLS1Bit_Nonzero32(rest)];
      }
    }
    for (; sure != 0; sure &= sure - 1) {
      best_.add(leaf.name[hwy::Num0BitsBelowLS1Bit_Nonzero32(sure)]);
    }
  }

  /// Looks at the coordinates of the points in edge quanta: late, when the threshold has ruled most of them
  /// out, and many at a time, so that their misses overlap.
  HWY_NOINLINE void ConfirmDoubtful() {
    best_.tighten();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < doubtful_size_; ++i) {
      const std::uint32_t position = doubtful_[i];
      if (position < best_.threshold()) {
        doubtful_[kept++] = position;
        if (view_.index_of != nullptr) {
          hwy::Prefetch(view_.index_of + position);
        }
      }
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
  const BoxQuery<T>& query_;
  Candidates& best_;
  std::uint32_t horizon_ = 0;
  std::size_t now_size_ = 0, deferred_size_ = 0, leaf_size_ = 0, doubtful_size_ = 0, visited_ = 0,
              tested_ = 0;
  Entry now_[kNow];
  Entry deferred_[kDeferred];
  Leaf leaves_[kLeaves + kFanout];
  std::uint32_t doubtful_[kDoubtful];
};

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
