// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Whom four seers may see: runs of rows, taken by whole fours.
//
//   rows of cells    y + 0   . . x x x x x x . .     a ball around the four: in each row of cells its width
//   at
//                    y + 1   . x x x x x x x x .     that distance, eight rows side by side in a register;
//                    y + 2   . x x s s s s x x .     two loads tell the run of agents
//
//   list             40 44 48 | 132 136 | ...        first rows of fours, eight stores at once
//
// A four may reach over the end of its run: those agents are tested like all others, and since runs ascend, a
// four that ends one run and begins the next is simply taken once. Seers that stand far apart (at the end of
// a row of cells, or unsorted) would together see half the world: a four is cut between them.
//
// Per four seers:  some 30 operations for eight rows of cells, 15 instructions and two loads a row.
// Limit:           those loads, where the table of cells is not in the cache.
// Determinism:     a list may hold more than it must; pairs that are not near change no total. Runs ascend.

#include "agents/lists_kernel.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/lists_kernel.cpp"  // this file, from the repository root
#include "hwy/foreach_target.h"                           // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Rows of cells that are looked at side by side.
inline constexpr std::uint32_t kRows = 8;
using RowTag = hn::CappedTag<float, kRows>;

class ListBuilder {
 public:
  explicit ListBuilder(const Seeing& seeing) noexcept
      : seeing_(seeing),
        directory_(seeing.directory),
        reach_(seeing.reach),
        task_(seeing.task),
        tabled_(seeing.directory.arrangement == Arrangement::kRows),
        far_(2 * seeing.reach.on[0]) {
    task_.groups = groups_.data();
    task_.list = list_.data();
    task_.partial = partial_.data();
  }

  /// Seers [first, last), first a multiple of four.
  void add(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t four = first; four < last; four += 4) {
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
                       false,
                       false,
                       false};
    Cursor at{list_.data() + used_, list_.data() + used_, nullptr, 0};
    if (tabled_ && !groups_[count_].wrapped) {
      at = list_rows(at, box, four);
    } else {
      for_each_run(directory_, box, reach_, [&](Run run) { at = list_run(at, run, four); });
    }
    close_group(at);
    ++count_;
  }

  /// Where the list of a group is being written.
  struct Cursor {
    std::uint32_t* begin;
    std::uint32_t* end;
    std::uint32_t* own;  // where the seers' own four stands
    std::uint32_t next;  // the first row that no run reached yet
  };

  /// The rows of cells within reach, plane by plane.
  HWY_INLINE Cursor list_rows(Cursor at, const Bounds& box, std::uint32_t four) {
    const auto& [x, y, z] = directory_.grid.axis;
    const std::uint32_t y0 = y.cell(box.lo[1] - reach_.on[1]), y1 = y.cell(box.hi[1] + reach_.on[1]);
    const std::uint32_t z0 = z.cell(box.lo[2] - reach_.on[2]), z1 = z.cell(box.hi[2] + reach_.on[2]);
    for (std::uint32_t cz = z0; cz <= z1; ++cz) {
      const float gap_z = std::max(0.0F, z.gap(static_cast<float>(cz), box.lo[2], box.hi[2]) - reach_.slack);
      for (std::uint32_t cy = y0; cy <= y1; cy += kRows) {
        at = list_eight(at, box, four, {cy, std::min(y1 + 1, cy + kRows)}, cz, gap_z);
      }
    }
    return at;
  }

  /// Eight rows of cells or fewer: [rows.first, rows.last).
  HWY_INLINE Cursor list_eight(Cursor at, const Bounds& box, std::uint32_t four, Run rows, std::uint32_t cz,
                               float gap_z) {
    const RowTag d;
    const hn::RebindToSigned<RowTag> ints;
    const auto& [x, y, z] = directory_.grid.axis;
    const auto zero = hn::Zero(d), slack = hn::Set(d, reach_.slack), most = hn::Set(d, x.most);
    const auto origin = hn::Set(d, x.origin), inverse = hn::Set(d, x.inverse);
    const float left_z = reach_.on[0] * reach_.on[0] - gap_z * gap_z;
    alignas(32) std::array<std::int32_t, kRows> first, end;
    for (std::uint32_t i = 0; i < kRows; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
      const auto row = hn::Add(hn::Set(d, static_cast<float>(rows.first)), hn::Load(d, kNumbers + i));
      const auto begin = hn::Add(hn::Set(d, y.origin), hn::Mul(row, hn::Set(d, y.width)));
      const auto above = hn::Sub(begin, hn::Set(d, box.hi[1]));
      const auto below = hn::Sub(hn::Set(d, box.lo[1] - y.width), begin);
      const auto gap = hn::Max(hn::Sub(hn::Max(above, below), slack), zero);
      const auto left = reach_.round ? hn::Sub(hn::Set(d, left_z), hn::Mul(gap, gap))
                                     : hn::Set(d, reach_.on[0] * reach_.on[0]);
      const auto width = hn::Add(hn::Sqrt(hn::Max(left, zero)), slack);
      const auto lo = hn::Mul(hn::Sub(hn::Sub(hn::Set(d, box.lo[0]), width), origin), inverse);
      const auto hi = hn::Mul(hn::Sub(hn::Add(hn::Set(d, box.hi[0]), width), origin), inverse);
      const auto lo_cell = hn::ConvertTo(ints, hn::Min(hn::Max(lo, zero), most));
      const auto hi_cell = hn::ConvertTo(ints, hn::Min(hn::Max(hi, zero), most));
      hn::Store(lo_cell, ints, first.data() + i);
      hn::Store(hn::IfThenElse(hn::RebindMask(ints, hn::Lt(left, zero)), lo_cell,
                               hn::Add(hi_cell, hn::Set(ints, 1))),
                ints, end.data() + i);
    }
    const std::uint32_t* begins = directory_.row(rows.first, cz);
    for (std::uint32_t i = 0; i < rows.last - rows.first; ++i, begins += x.cells) {
      at = list_run(at, {begins[first[i]], begins[end[i]]}, four);
    }
    return at;
  }
  alignas(32) static constexpr float kNumbers[kRows] = {0, 1, 2, 3, 4, 5, 6, 7};

  HWY_INLINE Cursor list_run(Cursor at, Run run, std::uint32_t four) {
    const hn::CappedTag<std::uint32_t, kAtOnce> d;
    const std::uint32_t first = std::max(run.first & ~3U, at.next);
    const std::uint32_t last = run.first == run.last ? first : std::max((run.last + 3) & ~3U, first);
    at.next = last;
    for (std::uint32_t row = first; row < last; row += 4 * kAtOnce) {
      if (at.end + kAtOnce > list_.data() + kList) [[unlikely]] {
        at = spill(at);
      }
      at.own = four - row < std::min(last - row, 4 * kAtOnce) ? at.end + (four - row) / 4 : at.own;
      for (std::uint32_t i = 0; i < kAtOnce; i += static_cast<std::uint32_t>(hn::Lanes(d))) {
        hn::StoreU(hn::Add(hn::Set(d, row), hn::Load(d, kFours + i)), d, at.end + i);
      }
      at.end += std::min((last - row) / 4, kAtOnce);
    }
    return at;
  }
  alignas(32) static constexpr std::uint32_t kFours[kAtOnce] = {0, 4, 8, 12, 16, 20, 24, 28};

  /// The list is complete, or full: the seers' own four goes first.
  void close_group(const Cursor& at) noexcept {
    SweepGroup& group = groups_[count_];
    used_ = static_cast<std::uint32_t>(at.end - list_.data());
    group.end = used_;
    group.self = seeing_.are_seen && at.own != nullptr;
    if (group.self) {
      std::swap(*at.begin, *at.own);
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
    rest.self = false;
    groups_[0] = rest;
    return {list_.data(), list_.data(), nullptr, at.next};
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

}  // namespace juxta::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::detail {

HWY_EXPORT(SweepSeers);

std::size_t sweep_seers(const Seeing& seeing, std::uint32_t first, std::uint32_t last) noexcept {
  return HWY_DYNAMIC_DISPATCH(SweepSeers)(seeing, first, last);
}

}  // namespace juxta::detail
#endif
