// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the k lowest positions inside a box, level by level. Include inside top_kernel.cpp only.
//
//   level 0, 1, 2 ...   every position of a level is below all of the next: the first level after which there
//                       are k hits is the last one
//
//   one level           row of cells  |..|##########|..|     .. the points are tested
//                                     |..|##########|..|     ## all inside: copied
//                                     |..|..........|..|
//
//   Of the last level only a window of positions is wanted, up to where k results are expected; while there
//   are too few, the next window follows.
//
// Limit: a run of places per row and level, then 4 bytes a result read and written; 6 to 8 ns a result to
//        sort.

#if defined(JUXTA_RANKED_LEVEL_SEARCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_RANKED_LEVEL_SEARCH_INL_H
#undef JUXTA_RANKED_LEVEL_SEARCH_INL_H
#else
#define JUXTA_RANKED_LEVEL_SEARCH_INL_H
#endif

#include "ranked/many_hits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// What a box makes of the rows of cells of one level.
class RowOfCells {
 public:
  /// The places of one row that may be inside, and between them those of cells that are inside as a whole.
  struct Run {
    std::uint32_t first, whole_first, whole_last, last;
  };

  template <class T>
  HWY_INLINE RowOfCells(const LevelsView::Level& level, const BoxQuery<T>& query)
      : begin_(level.cell_begin), places_end_(level.last), x_bits_(level.x_bits) {
    const std::uint32_t x_shift = 16 - level.x_bits, y_shift = 16 - level.y_bits;
    const std::uint32_t width = 1u << x_shift, height = 1u << y_shift;
    first_ = std::uint32_t{query.outer.lx} >> x_shift;
    end_ = (std::uint32_t{query.outer.hx} >> x_shift) + 1;
    whole_first_ = (query.inner.lx + width - 1) >> x_shift;
    whole_end_ = (query.inner.hx + 1u) >> x_shift;
    if (!query.inner_empty && whole_first_ < whole_end_) {
      whole_ly_ = (query.inner.ly + height - 1) >> y_shift;
      whole_hy_ = (query.inner.hy + 1u) >> y_shift;
    }
  }

  HWY_INLINE Run At(const std::uint32_t* cells, std::uint32_t y) const {
    const std::uint32_t* const row = cells + begin_ + (std::size_t{y} << x_bits_);
    const bool whole = whole_ly_ <= y && y < whole_hy_;
    const std::uint32_t last = HWY_MIN(row[end_], places_end_);
    return {row[first_], whole ? row[whole_first_] : 0, whole ? row[whole_end_] : 0, last};
  }

 private:
  std::size_t begin_;
  std::uint32_t places_end_, x_bits_, first_, end_, whole_first_, whole_end_, whole_ly_ = 0, whole_hy_ = 0;
};

template <class T>
class LevelSearch {
 public:
  /// `expected`: about how many points are inside. `out` has k places.
  LevelSearch(const RankedView& view, const BoxQuery<T>& query, double expected, std::size_t k,
              std::uint32_t* out)
      : view_(view),
        query_(query),
        hits_(view, query, k, out),
        share_(expected / static_cast<double>(view.size)) {}

  /// Writes positions from `begin` on, ascending; returns how many.
  HWY_INLINE std::size_t Run(std::uint32_t begin = 0) {
    for (std::size_t l = LevelsView::level_of(begin); l < view_.levels.levels && !hits_.full(); ++l) {
      const LevelsView::Level& level = view_.levels.level[l];
      for (std::uint32_t from = HWY_MAX(level.first, begin); from < level.last && !hits_.full();) {
        const std::uint32_t to = WindowEnd(level, from);
        hits_.Begin(from, to, from != level.first || to != level.last);
        ScanLevel(level);
        hits_.End();
        // Ranks may follow the place, so that too little is found where all was expected: look four times as
        // far.
        least_ = to != level.last ? 4 * static_cast<double>(to - from) : least_;
        from = to;
      }
      // What is known now is better than what was expected, unless there is little of it.
      if (hits_.size() >= kEnoughToGuess) {
        share_ = static_cast<double>(hits_.size()) / (level.last - begin);
      }
    }
    return hits_.size();
  }

  [[nodiscard]] std::size_t visited() const { return visited_; }
  [[nodiscard]] std::size_t tested() const { return hits_.tested(); }

 private:
  static constexpr std::size_t kEnoughToGuess = 64;
  static constexpr std::size_t kRows = 8;

  /// Where to end the window that begins at `from`: where the missing results are expected.
  HWY_INLINE std::uint32_t WindowEnd(const LevelsView::Level& level, std::uint32_t from) const {
    const double reach = HWY_MAX(hits_.Reach(share_), least_);
    return reach >= static_cast<double>(level.last - from) ? level.last
                                                           : from + static_cast<std::uint32_t>(reach) + 1;
  }

  /// Rows are looked up some at a time, and what they begin with is asked for, so that their misses overlap.
  HWY_INLINE void ScanLevel(const LevelsView::Level& level) {
    const RowOfCells row(level, query_);
    const std::uint32_t y_shift = 16 - level.y_bits;
    const std::uint32_t last_row = std::uint32_t{query_.outer.hy} >> y_shift;
    RowOfCells::Run runs[kRows];
    // The places of rows ascend, and no place is scanned twice, whatever a file that is checked after the
    // answer (FileCheck::kAsRead) says of its cells.
    std::uint32_t next = level.first;
    for (std::uint32_t y = std::uint32_t{query_.outer.ly} >> y_shift; y <= last_row;) {
      const std::uint32_t rows = HWY_MIN(std::uint32_t{kRows}, last_row - y + 1);
      for (std::uint32_t r = 0; r < rows; ++r) {
        runs[r] = row.At(view_.levels.cells, y + r);
        runs[r].first = HWY_MAX(runs[r].first, next);
        next = HWY_MAX(next, runs[r].last);
        PrefetchRun(runs[r]);
      }
      for (std::uint32_t r = 0; r < rows; ++r) {
        ScanRun(runs[r]);
      }
      visited_ += rows;
      y += rows;
    }
  }

  /// The first two blocks of a run; the processor fetches on from there.
  HWY_INLINE void PrefetchRun(const RowOfCells::Run& run) const {
    const std::size_t first = run.first / kBlockSize;
    const std::size_t blocks = HWY_MIN((run.last - 1) / kBlockSize - first, std::size_t{1}) + 1;
    if (run.first != run.last) {
      PrefetchLines(view_.levels.blocks + first, blocks * sizeof(Block) / 64);
    }
  }

  HWY_INLINE void ScanRun(const RowOfCells::Run& run) {
    if (run.first >= run.last) {
      return;
    }
    for (std::size_t b = run.first / kBlockSize; b * kBlockSize < run.last; ++b) {
      const Block& block = view_.levels.blocks[b];
      const auto base = static_cast<std::uint32_t>(b * kBlockSize);
      const std::uint32_t wanted = BitsFrom(run.first, base) & ~BitsFrom(run.last, base);
      const std::uint32_t whole = BitsFrom(run.whole_first, base) & ~BitsFrom(run.whole_last, base);
      hits_.Take(block, wanted, whole);
    }
  }

  /// The bits of a block from place `first` on; `base` is the block's first place.
  static HWY_INLINE std::uint32_t BitsFrom(std::uint32_t first, std::uint32_t base) {
    return first <= base ? ~0u : first - base >= kBlockSize ? 0u : ~0u << (first - base);
  }

  const RankedView& view_;
  const BoxQuery<T>& query_;
  ManyHits<T> hits_;
  double share_;      // of the points are inside
  double least_ = 0;  // positions that the next window has
  std::size_t visited_ = 0;
};

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
