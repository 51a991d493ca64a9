// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Whom four seers may see: runs of rows, taken by whole fours.
//
//   rows of cells    y + 0   . . x x x x x x . .     a ball around the four: in each row of cells its width
//   at
//                    y + 1   . x x x x x x x x .     that distance; two loads tell the run of agents
//                    y + 2   . x x s s s s x x .
//
//   list             40 44 48 | 132 136 | ...        first rows of fours, eight stores at once
//
// As many fours as a register has lanes go side by side, row of cells by row of cells; then each one's list
// is written. A four may reach over the end of its run: those agents are tested like all others, and since
// runs ascend, a four that ends one run and begins the next is simply taken once.
//
// Seers that stand far apart (at the end of a row of cells, or unsorted) would together see half the world: a
// four is cut between them. That, and what lies across an edge of the world, goes one by one, without
// vectors.
//
// Per four seers:  for each row of cells some 35 operations on a lane, two gathered loads and 8 instructions.
// Limit:           those loads, where the table of cells is not in the cache.
// Determinism:     a list may hold more than it must; pairs that are not near change no total. Runs ascend.

#include "agents/lists_kernel.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/lists_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                           // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which they need once per instruction set:
#include "agents/find_runs-inl.h"
#include "core/simd/mask_bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

class ListBuilder {
 public:
  explicit ListBuilder(const Seeing& seeing) noexcept
      : seeing_(seeing),
        directory_(seeing.directory),
        reach_(seeing.reach),
        task_(seeing.task),
        tabled_(!seeing.plain && seeing.directory.arrangement == Arrangement::kRows &&
                std::max(seeing.directory.begins.size(), std::size_t{seeing.seen}) < (std::size_t{1} << 31)),
        far_(2 * seeing.reach.on[0]) {
    task_.groups = groups_.data();
    task_.list = list_.data();
    task_.partial = partial_.data();
  }

  /// Seers [first, last), first a multiple of four.
  void add(std::uint32_t first, std::uint32_t last) {
    std::uint32_t four = first;
    for (; tabled_ && four + 4 * kFoursAtOnce <= last; four += 4 * kFoursAtOnce) {
      add_fours(four);
    }
    for (; four < last; four += 4) {
      add_four(four, std::min(last - four, 4U));
    }
    flush();
  }
  /// Pairs that were handed over.
  [[nodiscard]] std::size_t tested() const noexcept { return tested_; }

 private:
  static constexpr std::size_t kGroups = 64;
  static constexpr std::uint32_t kList = 8192;
  static constexpr std::uint32_t kAtOnce = 8;  // written whole, whether needed or not

  /// As many fours as there are lanes.
  void add_fours(std::uint32_t seer) {
    const RunFinder finder(directory_, reach_, task_, far_);
    Boxes boxes;
    const auto apart = finder.find_boxes(seer, boxes);
    Runs runs;
    const bool few = finder.find_runs(seer, boxes, apart, runs);
    const std::uint32_t alone = few ? BitsOf(FourTag(), apart) : ~std::uint32_t{0};
    for (std::uint32_t lane = 0; lane < kFoursAtOnce; ++lane) {
      const std::uint32_t most = few ? runs.total[lane] + kAtOnce * runs.count : 0;
      if ((alone >> lane & 1) != 0 || most > kList) {
        add_four(seer + 4 * lane, 4);
        continue;
      }
      if (count_ == kGroups || used_ + most > kList) {
        flush();
      }
      write_list(seer + 4 * lane, runs, lane);
    }
  }

  HWY_INLINE void write_list(std::uint32_t four, const Runs& runs, std::uint32_t lane) {
    const hn::CappedTag<std::uint32_t, kAtOnce> d;
    std::uint32_t* const begin = list_.data() + used_;
    std::uint32_t* end = begin;
    for (std::uint32_t r = 0; r < runs.count; ++r) {
      const std::uint32_t fours = runs.fours[r][lane];
      for (std::uint32_t k = 0;; k += kAtOnce) {
        const auto row = hn::Set(d, runs.first[r][lane] + 4 * k);
        for (std::uint32_t i = 0; i < kAtOnce; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
          hn::StoreU(hn::Add(row, hn::Load(d, kFours + i)), d, end + k + i);
        }
        if (k + kAtOnce >= fours) {
          break;
        }
      }
      end += fours;
    }
    groups_[count_] = {four, used_, 0, 0, 4, false, 0, false, false};
    std::uint32_t* const own = begin + runs.own[lane];
    close_group({begin, end, own, begin + runs.own_end[lane], 0});
    ++count_;
  }

  void add_four(std::uint32_t four, std::uint32_t count) {
    Bounds box = bounds(four, 0, count);
    if (!is_wide(box)) {
      add_group(four, 0, count, box);
      return;
    }
    for (std::uint32_t i = 0; i < count;) {
      std::uint32_t end = i + 1;
      for (box = bounds(four, i, end); end < count && !is_wide(bounds(four, i, end + 1)); ++end) {
        box = bounds(four, i, end + 1);
      }
      add_group(four, i, end, box);
      i = end;
    }
  }

  [[nodiscard]] Bounds bounds(std::uint32_t four, std::uint32_t first, std::uint32_t last) const noexcept {
    Bounds box;
    for (std::uint32_t a = 0; a < task_.dimensions; ++a) {
      const float* const x = task_.seer_position[a] + four;
      box.lo[a] = box.hi[a] = x[first];
      for (std::uint32_t i = first + 1; i < last; ++i) {
        box.lo[a] = std::min(box.lo[a], x[i]);
        box.hi[a] = std::max(box.hi[a], x[i]);
      }
    }
    return box;
  }
  [[nodiscard]] bool is_wide(const Bounds& box) const noexcept {
    return box.hi[0] - box.lo[0] > far_ || box.hi[1] - box.lo[1] > far_ || box.hi[2] - box.lo[2] > far_;
  }

  void add_group(std::uint32_t four, std::uint32_t first, std::uint32_t last, Bounds box) {
    for (std::uint32_t a = 0; a < task_.dimensions && task_.seer_extents[a] != nullptr; ++a) {
      float most = 0;
      for (std::uint32_t i = first; i < last; ++i) {
        most = std::max(most, task_.seer_extents[a][four + i]);
      }
      box.lo[a] -= most;
      box.hi[a] += most;
    }
    if (count_ == kGroups || used_ + kList / 4 > kList) {
      flush();
    }
    groups_[count_] = {four,
                       used_,
                       used_,
                       static_cast<std::uint8_t>(first),
                       static_cast<std::uint8_t>(last),
                       wraps(directory_, box, reach_),
                       0,
                       false,
                       false};
    std::uint32_t* const begin = list_.data() + used_;
    Cursor at{begin, begin, begin, begin, 0};
    for_each_run(directory_, box, reach_, [&](Run run) { at = list_run(at, run, four); });
    close_group(at);
    ++count_;
  }

  /// Where the list of a group is being written.
  struct Cursor {
    std::uint32_t* begin;
    std::uint32_t* end;
    std::uint32_t* own;  // the fours that hold the seers, side by side: [own, own_end)
    std::uint32_t* own_end;
    std::uint32_t next;  // the first row that no run reached yet
  };

  HWY_INLINE Cursor list_run(Cursor at, Run run, std::uint32_t four) {
    std::uint32_t row = std::max(run.first, at.next);
    for (; row < run.last; row += 4) {
      if (at.end == list_.data() + kList) {
        at = spill(at);
      }
      if (row < four + 4 && four < row + 4) {
        at.own = at.own_end == at.begin ? at.end : at.own;
        at.own_end = at.end + 1;
      }
      *at.end++ = row;
    }
    at.next = row;
    return at;
  }
  alignas(32) static constexpr std::uint32_t kFours[kAtOnce] = {0, 4, 8, 12, 16, 20, 24, 28};

  /// The list is complete, or full: the fours that hold the seers go first.
  void close_group(const Cursor& at) noexcept {
    SweepGroup& group = groups_[count_];
    used_ = static_cast<std::uint32_t>(at.end - list_.data());
    group.end = used_;
    group.self = 0;
    for (std::uint32_t* own = at.own; seeing_.are_seen && own < at.own_end; ++own) {
      std::swap(at.begin[group.self++], *own);
    }
    tested_ += 16 * static_cast<std::size_t>(at.end - at.begin);
  }
  /// The list of a group is longer than there is room: it goes on in a new one.
  HWY_NOINLINE Cursor spill(const Cursor& at) {
    close_group(at);
    SweepGroup rest = groups_[count_];
    groups_[count_].more = true;
    ++count_;
    flush();
    rest.begin = rest.end = 0;
    rest.resume = true;
    rest.self = 0;
    groups_[0] = rest;
    return {list_.data(), list_.data(), list_.data(), list_.data(), at.next};
  }
  void flush() {
    if (count_ != 0) {
      task_.group_count = count_;
      seeing_.sweep(seeing_.rules, task_);
    }
    count_ = 0;
    used_ = 0;
  }

  const Seeing& seeing_;
  const Directory& directory_;
  const Reach& reach_;
  SweepTask task_;
  bool tabled_;
  float far_;
  std::size_t count_ = 0;   // groups
  std::uint32_t used_ = 0;  // of the list
  std::size_t tested_ = 0;
  std::array<SweepGroup, kGroups> groups_;
  std::array<std::uint32_t, kList> list_;
  alignas(64) std::array<float, kMostColumns * 16> partial_;
};

std::size_t SweepSeers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) {
  ListBuilder builder(seeing);
  builder.add(first, last);
  return builder.tested();
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

HWY_EXPORT(SweepSeers);

std::size_t sweep_seers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) noexcept {
  return HWY_DYNAMIC_DISPATCH(SweepSeers)(seeing, first, last);
}

}  // namespace juxta::agents_detail
#endif
