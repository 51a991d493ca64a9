// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: branch and bound for the nearest points. Include inside nearest_kernel.cpp only.
//
//   node     | child 0 | child 1 | ... | child 15 |   bounds in quanta, lowest position
//   bound      quanta -> knots -> real coordinates    of the children that the box touches
//
//   First the way down to the leaf that holds the query, which needs no bounds; what was left out on the way
//   waits on the stack, and is looked at when the circle is known. Children are taken nearest first.

#if defined(JUXTA_RANKED_NEAREST_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_NEAREST_SEARCH_INL_H
#undef JUXTA_RANKED_NEAREST_SEARCH_INL_H
#else
#define JUXTA_RANKED_NEAREST_SEARCH_INL_H
#endif

#include <cmath>

#include "juxta/ranked/region.h"
#include "ranked/estimate-inl.h"
#include "ranked/nearest_best.h"
#include "ranked/nearest_kernel.h"
#include "ranked/tree_search-inl.h"
#include "ranked/value_run-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
class NearestSearch {
 public:
  NearestSearch(const RankedView& view, const NearestQuery& query, NearestBest& best)
      : view_(view),
        query_(query),
        filter_(view, query.filter),
        best_(best),
        by_tops_(query.end <= view.positions() / kTopShare) {}

  HWY_NOINLINE void Run() {
    if (!MakeBox()) {
      return;
    }
    MakePoint();
    if (query_.end <= HWY_MIN(view_.size / kLevelShare, kMostByLevels) && view_.levels.levels != 0 &&
        query_.filter.passes_all()) {
      RunLevels();
    } else if (const ValueRun run = RunOf(view_, query_.filter); RunPays(
                   run, query_.filter, EstimateCount(view_, box_), static_cast<double>(best_.missing()))) {
      RunByValue(run);
    } else {
      RunTree();
    }
  }

  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return tested_; }

 private:
  HWY_NOINLINE void RunByValue(const ValueRun& run) {
    VisitRun(run, box_, filter_,
             [&](const Block& block, std::uint32_t passing) { ScanBlock(block, 0, passing); });
    Settle();
  }

  HWY_NOINLINE void RunTree() {
    Push({.bound = 0, .first = 0, .from = 0, .done = 0, .level = tree_->levels - 1, .index = 0});
    while (size_ != 0) {
      const Entry entry = stack_[--size_];
      if (best_.may_hold(entry.bound, entry.first)) {
        Expand(entry);
      }
    }
  }

  /// First the blocks of the query's own cell, in the level with the most points, so that there is a box.
  /// Then that box in all levels, those with many points first: they leave little of it for the others.
  HWY_NOINLINE void RunLevels() {
    const std::size_t last = LevelsView::level_of(query_.end - 1);
    const LevelsView::Level* levels = view_.levels.level.data();
    const std::size_t here =
        last != 0 && query_.end - levels[last].first < levels[last].first / 2 ? last - 1 : last;
    const std::size_t first =
        view_.levels.cells[levels[here].cell_begin + levels[here].cell_of(point_.lx, point_.ly)] / kBlockSize;
    const std::size_t home = HWY_MAX(first, levels[here].first / kBlockSize + 1) - 1;
    const std::size_t home_end = HWY_MIN(first + 2, EndOf(levels[here]));
    for (std::size_t b = home; b < home_end; ++b) {
      ScanBlock(view_.levels.blocks[b], 0, ~0u);
    }
    Settle();
    const bool boxed = best_.full();
    for (std::size_t l = 0; l <= last; ++l) {
      RunLevel(levels[boxed ? last - l : l], home, home_end);
    }
  }

  static HWY_INLINE std::size_t EndOf(const LevelsView::Level& level) {
    return (level.last + kBlockSize - 1) / kBlockSize;
  }

  /// By the rows of cells that the box touches, without the blocks [home, home_end):
  ///
  ///   row of cells   |..|..|##############|..|    a block that two rows share is read once,
  ///                  |..|..|####|home|####|..|    because the blocks of rows ascend
  HWY_NOINLINE void RunLevel(const LevelsView::Level& level, std::size_t home, std::size_t home_end) {
    const std::uint32_t* cells = view_.levels.cells + level.cell_begin;
    const std::uint32_t by_x = 16 - level.x_bits, by_y = 16 - level.y_bits;
    std::size_t next = 0;
    for (std::size_t row = box_.outer.ly >> by_y; row <= std::size_t{box_.outer.hy} >> by_y; ++row) {
      const std::uint32_t* of_row = cells + (row << level.x_bits);
      // A file that is checked after the answer (FileCheck::kAsRead) may say anything of its cells.
      const std::size_t from = of_row[box_.outer.lx >> by_x],
                        to = HWY_MIN(of_row[(box_.outer.hx >> by_x) + 1], level.last);
      if (from >= to) {
        continue;
      }
      for (std::size_t b = HWY_MAX(next, from / kBlockSize); b <= (to - 1) / kBlockSize; ++b) {
        next = b + 1;
        if (b < home || b >= home_end) {
          ScanBlock(view_.levels.blocks[b], 0, ~0u);
        }
      }
      Settle();
    }
  }

  struct Entry {
    double bound;         // no point below is nearer: squared
    std::uint32_t first;  // no position below is lower
    std::uint32_t from;   // those below it were seen in the top block
    std::uint32_t done;   // children that were done
    std::uint32_t level, index;
  };
  struct Child {
    double bound;
    std::uint32_t first, index;
  };
  static constexpr std::size_t kStack = (kFanout + 1) * (TreeView::kMaxLevels + 1);
  static constexpr std::size_t kCandidates = 64;
  static constexpr double kPays = 0.8;  // of the squared distance
  // With more points than that of a node below the position, its top block is a detour.
  static constexpr std::size_t kTopShare = 32;
  // Up to this share of all points, and so many, the levels are small enough to stay in cache. Beyond that,
  // where circles are slivers in quanta, the cells' rows hold too many other points: 8.9 us in place of 5.6.
  static constexpr std::size_t kLevelShare = 64, kMostByLevels = 8 * LevelsView::kFirstSize;
  static constexpr std::size_t kAhead = 4;  // blocks that are fetched before they are read

  HWY_INLINE void Push(const Entry& entry) { stack_[size_++] = entry; }

  /// The box of quanta around the circle of the k-th best so far. Distances are rounded: the bounds of a
  /// RankedRegion allow for that. False: it has no points.
  HWY_NOINLINE bool MakeBox() {
    box_square_ = best_.square();
    return MakeQuery(view_, RankedRegion::circle(query_.x, query_.y, std::sqrt(box_square_)).bounds(), box_);
  }

  /// The quanta of the query, and the tree whose blocks lie along the circle as quanta have it: what is a
  /// circle on the map is wide where quanta of x are narrow.
  HWY_INLINE void MakePoint() {
    const double x = HWY_MIN(HWY_MAX(query_.x, view_.bounds[0]), view_.bounds[2]);
    const double y = HWY_MIN(HWY_MAX(query_.y, view_.bounds[1]), view_.bounds[3]);
    const auto quantum_of = [this](const AxisView& axis, double value) {
      return WithType<T>(view_, [&](auto t) { return QuantumOf(axis, narrow_down<decltype(t)>(value)); });
    };
    const std::uint32_t qx = quantum_of(view_.x_axis, x), qy = quantum_of(view_.y_axis, y);
    const auto sx = static_cast<std::uint16_t>(qx << view_.x_axis.shift());
    const auto sy = static_cast<std::uint16_t>(qy << view_.y_axis.shift());
    point_ = {sx, sy, sx, sy};
    const bool wide = SizeOfQuanta(view_.x_axis, qx) < SizeOfQuanta(view_.y_axis, qy);
    tree_ = wide && query_.filter.passes_all() ? &view_.flat : &view_.tall;
  }

  /// How long the quanta around one are, in real coordinates and on average.
  HWY_INLINE double SizeOfQuanta(const AxisView& axis, std::uint32_t quantum) const {
    constexpr std::uint32_t kReach = 32;
    const auto last = static_cast<std::uint32_t>(quanta_of(axis.levels) - 1);
    const std::uint32_t lo = quantum - HWY_MIN(quantum, kReach), hi = HWY_MIN(quantum + kReach, last);
    return (LowestIn<T>(view_, axis, hi) - LowestIn<T>(view_, axis, lo)) /
           static_cast<double>((hi - lo) << axis.shift());
  }

  /// How far the query is from the values of quanta lo to hi.
  HWY_INLINE double Gap(const AxisView& axis, std::uint16_t lo, std::uint16_t hi, double highest,
                        double value) const {
    const double low = LowestIn<T>(view_, axis, lo >> axis.shift());
    if (value < low) {
      return low - value;
    }
    const double end = HighestIn<T>(view_, axis, hi >> axis.shift());
    const double high = end < highest ? end : highest;  // unknown ones are infinite
    return value > high ? value - high : 0;
  }

  /// The children that may hold an answer, nearest first.
  HWY_NOINLINE std::size_t Sort(const Node& node, std::uint32_t children, Child* sorted) const {
    std::size_t count = 0;
    for (; children != 0; children &= children - 1) {
      const std::uint32_t c = LowestBit(children), first = node.first[c];
      const double dx = Gap(view_.x_axis, node.lx[c], node.hx[c], view_.bounds[2], query_.x);
      const double dy = Gap(view_.y_axis, node.ly[c], node.hy[c], view_.bounds[3], query_.y);
      const double bound = dx * dx + dy * dy;
      if (!best_.may_hold(bound, first)) {
        continue;
      }
      std::size_t at = count++;
      for (; at != 0 && (bound < sorted[at - 1].bound ||
                         (bound == sorted[at - 1].bound && first < sorted[at - 1].first));
           --at) {
        sorted[at] = sorted[at - 1];
      }
      sorted[at] = {bound, first, c};
    }
    return count;
  }

  HWY_NOINLINE void Expand(const Entry& entry) {
    const std::size_t node_index = tree_->level_begin[entry.level] + entry.index;
    const Node& node = tree_->nodes[node_index];
    ++visited_;
    std::uint32_t children = TouchingBits(node, box_.outer) & FirstBits(node, 0, query_.end) & ~entry.done;
    children = filter_.OfNode(node_index, children);
    if (!best_.full() && entry.done == 0) {
      const std::uint32_t here = children & TouchingBits(node, point_);
      if (here != 0 && here != children) {
        Push(entry);
        stack_[size_ - 1].done = here;
        children = here;
      }
    }
    Child sorted[kFanout];
    const std::size_t count = Sort(node, children, sorted);
    const std::uint32_t child = entry.index * std::uint32_t{kFanout};
    if (entry.level == 0) {
      ScanBlocks(tree_->leaves + child, sorted, count, entry.from,
                 [&](std::uint32_t c) { return filter_.OfLeaf(child + c); });
    } else if (entry.level == 1 && by_tops_) {
      ScanBlocks(tree_->tops + child, sorted, count, 0,
                 [&](std::uint32_t c) { return filter_.OfTop(child + c); });
      for (std::size_t i = count; i-- != 0;) {
        const std::uint32_t last = tree_->tops[child + sorted[i].index].name[kBlockSize - 1];
        if (last < query_.end - 1 && best_.may_hold(sorted[i].bound, last + 1)) {
          PushChild(sorted[i], 0, child, last + 1);
        }
      }
    } else {
      for (std::size_t i = count; i-- != 0;) {
        PushChild(sorted[i], entry.level - 1, child, 0);
      }
    }
  }

  HWY_INLINE void PushChild(const Child& c, std::uint32_t level, std::uint32_t child, std::uint32_t from) {
    const std::uint32_t index = child + c.index;
    PrefetchLines(&tree_->nodes[tree_->level_begin[level] + index], sizeof(Node) / 64);
    Push({.bound = c.bound,
          .first = HWY_MAX(c.first, from),
          .from = from,
          .done = 0,
          .level = level,
          .index = index});
  }

  template <class Passing>
  HWY_INLINE void ScanBlocks(const Block* blocks, const Child* sorted, std::size_t count, std::uint32_t from,
                             Passing passing) {
    for (std::size_t i = 0; i < HWY_MIN(count, kAhead); ++i) {
      PrefetchLines(blocks + sorted[i].index, sizeof(Block) / 64);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) {
        PrefetchLines(blocks + sorted[i + kAhead].index, sizeof(Block) / 64);
      }
      if (!best_.may_hold(sorted[i].bound, HWY_MAX(sorted[i].first, from))) {
        continue;
      }
      if (const std::uint32_t pass = passing(sorted[i].index); pass != 0) {
        ScanBlock(blocks[sorted[i].index], from, pass);
      }
    }
    Settle();
  }

  HWY_NOINLINE void ScanBlock(const Block& block, std::uint32_t from, std::uint32_t passing) {
    ++visited_;
    tested_ += kBlockSize;
    std::uint32_t hits = passing & InsideBits(block, box_.outer) & NameBits(block, from, query_.end);
    for (; hits != 0; hits &= hits - 1) {
      const std::uint32_t position = block.name[LowestBit(hits)];
      if (view_.index_of != nullptr) {
        hwy::Prefetch(view_.index_of + position);
      }
      candidates_[candidate_count_++] = position;
    }
    if (candidate_count_ > kCandidates - kBlockSize ||
        (!best_.full() && candidate_count_ >= best_.missing())) {
      Settle();
    }
  }

  /// Looks at the coordinates of the candidates, all their misses at once; makes the box smaller if that
  /// pays.
  HWY_NOINLINE void Settle() {
    for (std::size_t i = 0; i < candidate_count_; ++i) {
      box_.PrefetchCoordinates(view_.index(candidates_[i]));
    }
    for (std::size_t i = 0; i < candidate_count_; ++i) {
      const std::size_t index = view_.index(candidates_[i]);
      const double dx = static_cast<double>(XOf<T>(view_, index)) - query_.x;
      const double dy = static_cast<double>(YOf<T>(view_, index)) - query_.y;
      best_.add(dx * dx + dy * dy, candidates_[i]);
    }
    candidate_count_ = 0;
    if (best_.square() < box_square_ * kPays) {
      (void)MakeBox();
    }
  }

  const RankedView& view_;
  const NearestQuery& query_;
  const PointFilter filter_;
  NearestBest& best_;
  const bool by_tops_;
  const TreeView* tree_ = nullptr;
  BoxQuery<T> box_;
  double box_square_ = 0;
  QuantumBox point_{};
  std::size_t size_ = 0, candidate_count_ = 0, visited_ = 0, tested_ = 0;
  std::uint32_t candidates_[kCandidates];
  Entry stack_[kStack];
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
