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
// Behind Highway, which it needs once per instruction set:
#include "core/simd/mask_bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Fours side by side.
using FourTag = hn::CappedTag<float, 16>;
using IntTag = hn::RebindToSigned<FourTag>;
using Floats = hn::Vec<FourTag>;
using Ints = hn::Vec<IntTag>;
inline constexpr std::uint32_t kFoursAtOnce = static_cast<std::uint32_t>(hn::MaxLanes(FourTag()));

HWY_INLINE Floats Splat(float x) {
  return hn::Set(FourTag(), x);
}
HWY_INLINE Ints SplatInt(std::uint32_t x) {
  return hn::Set(IntTag(), static_cast<std::int32_t>(x));
}

/// GridAxis::cell and gap, lane by lane.
HWY_INLINE Ints Cell(const GridAxis& axis, Floats x) {
  const Floats c = hn::Mul(hn::Sub(x, Splat(axis.origin)), Splat(axis.inverse));
  return hn::ConvertTo(IntTag(), hn::Min(hn::Max(c, hn::Zero(FourTag())), Splat(axis.most)));
}
HWY_INLINE Floats Gap(const GridAxis& axis, Ints cell, Floats lo, Floats hi, float slack) {
  const Floats begin =
      hn::Add(Splat(axis.origin), hn::Mul(hn::ConvertTo(FourTag(), cell), Splat(axis.width)));
  const Floats apart = hn::Max(hn::Sub(begin, hi), hn::Sub(lo, hn::Add(begin, Splat(axis.width))));
  return hn::Max(hn::Sub(apart, Splat(slack)), hn::Zero(FourTag()));
}

/// The boxes of some fours.
struct Boxes {
  Floats lo[3], hi[3];
};

/// The runs of some fours, lane by lane, and their lengths in fours.
struct Runs {
  static constexpr std::uint32_t kMost = 64;
  alignas(64) std::uint32_t first[kMost][kFoursAtOnce];
  alignas(64) std::uint32_t fours[kMost][kFoursAtOnce];
  alignas(64) std::uint32_t total[kFoursAtOnce];   // fours of a lane
  alignas(64) std::int32_t own[kFoursAtOnce];      // which of them holds the first seer
  alignas(64) std::int32_t own_end[kFoursAtOnce];  // and behind the one that holds the last
  std::uint32_t count = 0;
};

class ListBuilder {
 public:
  explicit ListBuilder(const Seeing& seeing) noexcept
      : seeing_(seeing),
        directory_(seeing.directory),
        reach_(seeing.reach),
        task_(seeing.task),
        tabled_(seeing.directory.arrangement == Arrangement::kRows &&
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
    Boxes boxes;
    const auto apart = find_boxes(seer, boxes);
    Runs runs;
    const bool few = find_runs(seer, boxes, apart, runs);
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

  /// And in which lanes seers are not together, or see across an edge.
  HWY_INLINE hn::Mask<FourTag> find_boxes(std::uint32_t seer, Boxes& boxes) const {
    const FourTag d;
    auto alone = hn::Lt(hn::Zero(d), hn::Zero(d));
    for (std::uint32_t a = 0; a < task_.dimensions; ++a) {
      Floats x0, x1, x2, x3;
      hn::LoadInterleaved4(d, task_.seer_position[a] + seer, x0, x1, x2, x3);
      boxes.lo[a] = hn::Min(hn::Min(x0, x1), hn::Min(x2, x3));
      boxes.hi[a] = hn::Max(hn::Max(x0, x1), hn::Max(x2, x3));
      alone = hn::Or(alone, hn::Gt(hn::Sub(boxes.hi[a], boxes.lo[a]), Splat(far_)));
      if (task_.seer_extents[a] != nullptr) {
        hn::LoadInterleaved4(d, task_.seer_extents[a] + seer, x0, x1, x2, x3);
        const Floats most = hn::Max(hn::Max(x0, x1), hn::Max(x2, x3));
        boxes.lo[a] = hn::Sub(boxes.lo[a], most);
        boxes.hi[a] = hn::Add(boxes.hi[a], most);
      }
      const GridAxis& axis = directory_.grid.axis[a];
      if (axis.periodic) {
        const Floats lo = hn::Sub(hn::Sub(boxes.lo[a], Splat(reach_.on[a])), Splat(axis.origin));
        const Floats hi = hn::Sub(hn::Add(boxes.hi[a], Splat(reach_.on[a])), Splat(axis.origin));
        alone = hn::Or(alone, hn::Not(hn::And(hn::Ge(hn::Mul(lo, Splat(axis.inverse)), hn::Zero(d)),
                                              hn::Lt(hn::Mul(hi, Splat(axis.inverse)),
                                                     Splat(static_cast<float>(axis.cells))))));
      }
    }
    return alone;
  }

  /// The cells of one axis that the boxes reach, at least one; of those that are alone, one.
  HWY_INLINE std::uint32_t reached(std::uint32_t axis, const Boxes& boxes, Ints& first, Ints& last) const {
    const GridAxis& cells = directory_.grid.axis[axis];
    first = last = hn::Zero(IntTag());
    if (cells.cells == 1) {
      return 1;
    }
    first = Cell(cells, hn::Sub(boxes.lo[axis], Splat(reach_.on[axis])));
    last = Cell(cells, hn::Add(boxes.hi[axis], Splat(reach_.on[axis])));
    return static_cast<std::uint32_t>(hn::GetLane(hn::MaxOfLanes(IntTag(), hn::Sub(last, first)))) + 1;
  }

  /// False when there are too many rows of cells for this way.
  HWY_INLINE bool find_runs(std::uint32_t seer, Boxes boxes, hn::Mask<FourTag> alone, Runs& runs) const {
    const IntTag ints;
    for (std::uint32_t a = 0; a < task_.dimensions; ++a) {  // a box that is alone may be as wide as the world
      boxes.hi[a] = hn::IfThenElse(alone, boxes.lo[a], boxes.hi[a]);
    }
    Ints y0, y1, z0 = hn::Zero(ints), z1 = z0;
    const std::uint32_t rows_y = reached(1, boxes, y0, y1);
    const std::uint32_t rows_z = task_.dimensions == 3 ? reached(2, boxes, z0, z1) : 1;
    if (std::uint64_t{rows_y} * rows_z > Runs::kMost) {
      return false;
    }
    const Ints own = hn::Add(SplatInt(seer), hn::ShiftLeft<2>(hn::Iota(ints, 0)));
    Found found{hn::Zero(ints), hn::Zero(ints), hn::Zero(ints), hn::Zero(ints)};
    for (std::uint32_t z = 0; z < rows_z; ++z) {
      const Ints cz = hn::Min(hn::Add(z0, SplatInt(z)), z1);
      const auto out_z = hn::Gt(hn::Add(z0, SplatInt(z)), z1);
      Floats left = Splat(reach_.on[0] * reach_.on[0]);
      if (task_.dimensions == 3) {
        const Floats gap = Gap(directory_.grid.axis[2], cz, boxes.lo[2], boxes.hi[2], reach_.slack);
        left = reach_.round ? hn::Sub(left, hn::Mul(gap, gap)) : left;
      }
      for (std::uint32_t y = 0; y < rows_y; ++y) {
        const Ints cy = hn::Min(hn::Add(y0, SplatInt(y)), y1);
        const auto out = hn::Or(out_z, hn::Gt(hn::Add(y0, SplatInt(y)), y1));
        const Ints row = hn::Add(hn::Mul(cz, SplatInt(directory_.grid.axis[1].cells)), cy);
        const Floats gap = Gap(directory_.grid.axis[1], cy, boxes.lo[1], boxes.hi[1], reach_.slack);
        find_run(row, out, reach_.round ? hn::Sub(left, hn::Mul(gap, gap)) : left, boxes, own, found, runs);
      }
    }
    hn::Store(hn::BitCast(hn::RebindToUnsigned<IntTag>(), found.total), hn::RebindToUnsigned<IntTag>(),
              runs.total);
    hn::Store(found.own, ints, runs.own);
    hn::Store(found.own_end, ints, runs.own_end);
    return true;
  }

  /// What find_runs() knows so far, lane by lane.
  struct Found {
    Ints next;   // the first row that no run reached yet
    Ints total;  // fours
    Ints own, own_end;
  };

  /// The run of one row of cells, in each lane another one. `left`: what of the squared reach is left along
  /// x.
  template <class M>
  HWY_INLINE void find_run(Ints row, M out, Floats left, const Boxes& boxes, Ints seer, Found& found,
                           Runs& runs) const {
    const FourTag d;
    const IntTag ints;
    const GridAxis& x = directory_.grid.axis[0];
    const auto* const begins = reinterpret_cast<const std::int32_t*>(directory_.begins.data());
    const Floats width = reach_.round ? hn::Add(hn::Sqrt(hn::Max(left, hn::Zero(d))), Splat(reach_.slack))
                                      : Splat(reach_.on[0]);
    const Ints base = hn::Mul(row, SplatInt(x.cells));
    const Ints begin = hn::GatherIndex(ints, begins, hn::Add(base, Cell(x, hn::Sub(boxes.lo[0], width))));
    const Ints end = hn::GatherIndex(ints, begins + 1, hn::Add(base, Cell(x, hn::Add(boxes.hi[0], width))));
    const auto none = hn::Or(out, hn::RebindMask(ints, hn::Lt(left, hn::Zero(d))));
    const auto some = hn::And(hn::Not(none), hn::Gt(end, begin));
    const Ints first = hn::Max(begin, found.next);
    const Ints left_over = hn::Max(hn::Sub(end, first), hn::Zero(ints));
    const Ints fours = hn::IfThenElseZero(some, hn::ShiftRight<2>(hn::Add(left_over, hn::Set(ints, 3))));
    const Ints last = hn::Add(first, hn::ShiftLeft<2>(fours));
    // The seers stand side by side, so the fours that hold them do.
    const auto place = [&](Ints own) { return hn::Add(found.total, hn::ShiftRight<2>(hn::Sub(own, first))); };
    const auto holds = [&](Ints own) { return hn::And(hn::Not(hn::Lt(own, first)), hn::Lt(own, last)); };
    const Ints last_seer = hn::Add(seer, hn::Set(ints, 3));
    found.own = hn::IfThenElse(holds(seer), place(seer), found.own);
    found.own_end =
        hn::IfThenElse(holds(last_seer), hn::Add(place(last_seer), hn::Set(ints, 1)), found.own_end);
    found.total = hn::Add(found.total, fours);
    found.next = last;
    const hn::RebindToUnsigned<IntTag> words;
    hn::Store(hn::BitCast(words, first), words, runs.first[runs.count]);
    hn::Store(hn::BitCast(words, fours), words, runs.fours[runs.count]);
    ++runs.count;
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
