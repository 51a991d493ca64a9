// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Per-target: the runs of rows that fours of seers reach, as many fours side by side as a register has lanes.

#if defined(JUXTA_AGENTS_FIND_RUNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JUXTA_AGENTS_FIND_RUNS_INL_H
#undef JUXTA_AGENTS_FIND_RUNS_INL_H
#else
#define JUXTA_AGENTS_FIND_RUNS_INL_H
#endif

#include <cstdint>

#include "agents/directory.h"
#include "hwy/highway.h"
#include "juxta/agents/detail/sweep.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
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

/// Looks fours up in a table of rows of cells (Arrangement::kRows).
class RunFinder {
 public:
  /// Seers further apart than `far` on an axis are not together.
  HWY_INLINE RunFinder(const Directory& directory, const Reach& reach, const SweepTask& task,
                       float far) noexcept
      : directory_(directory), reach_(reach), task_(task), far_(far) {}

  /// The boxes of as many fours as there are lanes, from `seer` on; and in which lanes seers are not
  /// together, or see across an edge.
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

  /// The runs of those that are together. False when there are too many rows of cells for this way.
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

 private:
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

  const Directory& directory_;
  const Reach& reach_;
  const SweepTask& task_;
  float far_;
};

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
