// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Diffusion: each cell and its 4 neighbours (6 in space), a register of cells of one row at once.
//
//   row above       u u u u u u u u         new = (c + s) * keep
//   row        l [ c c c c c c c c ] r        s = (flow(l) + flow(r)) + (flow(d) + flow(u)) [ + (b + f) ]
//   row below       d d d d d d d d           flow(): diffuse_kernel.h, rounded so that both cells can hold
//   it
//
//   What flows to a cell from its right neighbour, that one loses to its left: along x each flow is computed
//   once, and a register hands the last one on to the next.
//
//   Beyond the ends of a row, and for missing rows: the cell itself at a wall (difference 0), the other end
//   of a periodic axis, zeros at an open edge.
//
//   Several steps go through the slabs (rows in 2D, planes in 3D) as a wave, so that only the first one reads
//   `from` and only the last one writes `to`; what is between stays in cache, three slabs of each step:
//
//       step 1    s-1   s  [s+1]          at every tick, step k computes the slab behind that of step k - 1
//       step 2    s-2 [s-1]
//       step 3   [s-2] -> to
//
//   Beside a task's slabs step k also computes steps - k slabs of its neighbours, which they compute as well.
//
// Per cell:     3 (5) flows of 7 operations, a turn and a blend, 3 (5) sums, 2 to grow and decay, 5 to flush
//               and check; 4 (6) loads, of which one is not aligned, and a store. 8 bytes of traffic.
//
// Limit:        memory for a single step of a large field with AVX-512; else arithmetic, about 17 (25) cycles
// a
//               register of 16 at two operations a cycle.
//
// Determinism:  the operations above in this order for every cell, never fused; which task or step computes a
//               cell does not matter. The last register of a row overlaps the one before: the same results
//               are stored twice.
#include "grid/diffuse_kernel.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/grid/diffuse_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "core/simd/wasm_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::grid_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, kArrayPadding>;
using BitsTag = hn::RebindToUnsigned<Tag>;
using Floats = hn::Vec<Tag>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());
/// From 4 MiB on, a single step writes its results past the caches, so that the old values are not fetched
/// first. Only with registers of a whole cache line: on AVX2, with half a line a store, a step of 256^3 cells
/// took 29 ms instead of 13 (Zen 4). Several steps at once write too little to gain by it.
constexpr std::size_t kCellsPastCaches = std::size_t{1} << 20;
/// So many floats ahead a row is asked for: the processor's own prefetching ends at each page of 4 KiB, which
/// is four times a row of 4,096 cells.
constexpr std::size_t kAhead = 512;

/// The row, and those beside it along y and z.
struct Rows {
  const float *row, *y[2], *z[2];
};

template <int D>
class Stepper {
 public:
  explicit Stepper(const DiffuseTask& task)
      : nx_(task.nx),
        edge_(task.edges[0]),
        amount_(hn::Set(Tag(), task.amount)),
        keep_(hn::Set(Tag(), task.keep)),
        least_(hn::Set(Tag(), kLeastValue)),
        half_bit_(hn::BitCast(Tag(), hn::Set(BitsTag(), kHalfBit))),
        exponent_(hn::BitCast(Tag(), hn::Set(BitsTag(), kExponentBits))),
        unsound_(hn::Zero(Tag())),
        first_lane_(hn::FirstN(Tag(), 1)),
        one_up_(Neighbour(-1)),
        one_down_(Neighbour(1)) {}

  /// `past_caches`: `to` is aligned, and nobody reads it soon.
  template <bool past_caches = false>
  HWY_INLINE void Row(const Rows& rows, float* HWY_RESTRICT to) {
    const Tag d;
    const float* row = rows.row;
    const float before = Beyond(row[0], row[nx_ - 1]), behind = Beyond(row[nx_ - 1], row[0]);
    if (nx_ <= kWidth) {
      HWY_ALIGN float ends[kWidth + 2];
      HWY_ALIGN float results[kWidth];
      std::memset(ends, 0, sizeof ends);
      std::memcpy(ends + 1, row, nx_ * sizeof(float));
      ends[0] = before;
      ends[nx_ + 1] = behind;
      const Floats c = hn::LoadU(d, ends + 1);
      const Floats some = hn::IfThenElseZero(
          hn::FirstN(d, nx_),
          Next(rows, 0, c, hn::Add(Flow(c, hn::Load(d, ends)), Flow(c, hn::LoadU(d, ends + 2)))));
      Check(some);
      hn::Store(some, d, results);
      std::memcpy(to, results, nx_ * sizeof(float));
      return;
    }
    // What flows out of the last cell of a register flows into the first one of the next.
    const Floats edge = hn::Set(d, row[0]);
    Floats carried = Flow(hn::Set(d, before), edge);
    const float* const coming = (D == 2 ? rows.y : rows.z)[1];  // the others have been read before
    std::size_t x = 0;
    for (; x + kWidth < nx_; x += kWidth) {
      hwy::Prefetch(coming + x + kAhead);
      const Floats c = hn::LoadU(d, row + x);
      const Floats from_right = Flow(c, hn::LoadU(d, row + x + 1));
      const Floats turned = hn::TableLookupLanes(from_right, one_up_);
      const Floats to_left = hn::IfThenElse(first_lane_, carried, turned);
      carried = turned;
      const Floats some = Next(rows, x, c, hn::Sub(from_right, to_left));
      if constexpr (past_caches) {
        Check(some);
        hn::Stream(some, d, to + x);
      } else {
        Put(some, to + x);
      }
    }
    const std::size_t last = nx_ - kWidth;
    const Floats c = hn::LoadU(d, row + last);
    const Floats right =
        hn::IfThenElse(hn::FirstN(d, kWidth - 1), hn::TableLookupLanes(c, one_down_), hn::Set(d, behind));
    Put(Next(rows, last, c, hn::Add(Flow(c, hn::LoadU(d, row + last - 1)), Flow(c, right))), to + last);
  }

  [[nodiscard]] HWY_INLINE bool sound() const {
    return hn::AllTrue(Tag(), hn::Eq(unsound_, hn::Zero(Tag())));
  }

 private:
  HWY_INLINE float Beyond(float own, float other_end) const {
    return edge_ == Edge::kWall ? own : edge_ == Edge::kPeriodic ? other_end : 0.0F;
  }
  /// For TableLookupLanes(): lane i gets lane i + step, around the ends.
  using Lanes = decltype(hn::SetTableIndices(Tag(), static_cast<const std::int32_t*>(nullptr)));
  static HWY_INLINE Lanes Neighbour(std::int32_t step) {
    HWY_ALIGN std::int32_t lanes[kWidth];
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kWidth); ++i) {
      lanes[i] = (i + step + static_cast<std::int32_t>(kWidth)) % static_cast<std::int32_t>(kWidth);
    }
    return hn::SetTableIndices(Tag(), lanes);
  }
  /// What flows in from a neighbour: flow() of diffuse_kernel.h.
  HWY_INLINE Floats Flow(Floats c, Floats neighbour) const {
    const Floats exact = hn::Mul(amount_, hn::Sub(neighbour, c));
    const Floats sizes = hn::Add(hn::Abs(c), hn::Abs(neighbour));
    const Floats grid = hn::OrAnd(half_bit_, sizes, exponent_);
    return hn::Sub(hn::Add(exact, grid), grid);
  }
  /// Cells `c` after the step; `sum` flows in along x.
  HWY_INLINE Floats Next(const Rows& rows, std::size_t x, Floats c, Floats sum) const {
    const Tag d;
    const auto both = [&](const float* const* beside) HWY_ATTR {
      return hn::Add(Flow(c, hn::LoadU(d, beside[0] + x)), Flow(c, hn::LoadU(d, beside[1] + x)));
    };
    sum = hn::Add(sum, both(rows.y));
    if constexpr (D == 3) {
      sum = hn::Add(sum, both(rows.z));
    }
    const Floats next = hn::Mul(hn::Add(c, sum), keep_);
    return hn::IfThenZeroElse(hn::Lt(hn::Abs(next), least_), next);  // a NaN stays
  }
  HWY_INLINE void Check(Floats v) {
    unsound_ = hn::Or(unsound_, hn::Sub(v, v));  // 0, or NaN where v is not finite
  }
  HWY_INLINE void Put(Floats v, float* to) {
    Check(v);
    hn::StoreU(v, Tag(), to);
  }

  std::size_t nx_;
  Edge edge_;
  Floats amount_, keep_, least_, half_bit_, exponent_, unsound_;
  hn::Mask<Tag> first_lane_;
  Lanes one_up_, one_down_;
};

/// Which of `count` cells or rows is beside `i`: its number, or `count` for zeros.
HWY_INLINE std::size_t Beside(std::size_t i, bool up, std::size_t count, Edge edge) {
  if (up ? i + 1 < count : i > 0) {
    return up ? i + 1 : i - 1;
  }
  return edge == Edge::kWall ? i : edge == Edge::kOpen ? count : up ? 0 : count - 1;
}

template <int D, bool past_caches>
bool RowsOnce(const DiffuseTask& task, std::size_t first, std::size_t last) {
  Stepper<D> stepper(task);
  const std::size_t nx = task.nx, ny = task.ny, nz = task.nz;
  for (std::size_t r = first; r < last; ++r) {
    const std::size_t y = r % ny, z = r / ny;
    Rows rows{task.from + r * nx, {}, {}};
    for (const bool up : {false, true}) {
      const std::size_t beside = Beside(y, up, ny, task.edges[1]);
      rows.y[up] = beside == ny ? task.zeros : task.from + (z * ny + beside) * nx;
      if constexpr (D == 3) {
        const std::size_t plane = Beside(z, up, nz, task.edges[2]);
        rows.z[up] = plane == nz ? task.zeros : task.from + (plane * ny + y) * nx;
      }
    }
    stepper.template Row<past_caches>(rows, task.to + r * nx);
  }
  if (past_caches) {
    hwy::FlushStream();  // before another thread may be told that this task is done
  }
  return stepper.sound();
}

/// The wave of the picture. Slabs are counted on beyond the ends of a periodic axis.
template <int D>
class Wave {
 public:
  Wave(const DiffuseTask& task, std::ptrdiff_t first, std::ptrdiff_t last, float* scratch)
      : task_(task),
        stepper_(task),
        scratch_(scratch),
        slabs_(static_cast<std::ptrdiff_t>(slabs_of(task))),
        first_(first),
        last_(last),
        edge_(task.edges[D - 1]) {}

  bool Run() {
    const auto steps = static_cast<std::ptrdiff_t>(task_.steps);
    for (std::ptrdiff_t tick = Low(1) + 1; tick < last_ + steps; ++tick) {
      for (std::ptrdiff_t step = 1; step <= steps; ++step) {
        if (tick - step >= Low(step) && tick - step < High(step)) {
          Compute(step, tick - step);
        }
      }
    }
    return stepper_.sound();
  }

 private:
  // The slabs that a step computes.
  [[nodiscard]] std::ptrdiff_t Low(std::ptrdiff_t step) const {
    const std::ptrdiff_t low = first_ - (static_cast<std::ptrdiff_t>(task_.steps) - step);
    return edge_ == Edge::kPeriodic ? low : std::max<std::ptrdiff_t>(low, 0);
  }
  [[nodiscard]] std::ptrdiff_t High(std::ptrdiff_t step) const {
    const std::ptrdiff_t high = last_ + (static_cast<std::ptrdiff_t>(task_.steps) - step);
    return edge_ == Edge::kPeriodic ? high : std::min(high, slabs_);
  }
  /// After so many steps; null: zeros.
  [[nodiscard]] const float* Slab(std::ptrdiff_t step, std::ptrdiff_t slab) const {
    if (edge_ != Edge::kPeriodic && (slab < 0 || slab >= slabs_)) {
      return edge_ == Edge::kOpen ? nullptr : Slab(step, slab < 0 ? 0 : slabs_ - 1);
    }
    if (step == 0) {
      const std::ptrdiff_t own = (slab % slabs_ + slabs_) % slabs_;
      return task_.from + static_cast<std::size_t>(own) * task_.nx * rows_of_slab(task_);
    }
    return Kept(step, slab);
  }
  [[nodiscard]] float* Kept(std::ptrdiff_t step, std::ptrdiff_t slab) const {
    const std::ptrdiff_t place = (slab % 3 + 3) % 3 + 3 * (step - 1);
    return scratch_ + static_cast<std::size_t>(place) * slab_stride(task_);
  }

  void Compute(std::ptrdiff_t step, std::ptrdiff_t slab) {
    const std::size_t nx = task_.nx, rows_here = rows_of_slab(task_);
    float* to = step == static_cast<std::ptrdiff_t>(task_.steps)
                    ? task_.to + static_cast<std::size_t>(slab) * nx * rows_here
                    : Kept(step, slab);
    const float* from = Slab(step - 1, slab);
    const float* beside[2] = {Slab(step - 1, slab - 1), Slab(step - 1, slab + 1)};
    if constexpr (D == 2) {
      const Rows rows{from, {RowOf(beside[0], 0), RowOf(beside[1], 0)}, {}};
      stepper_.Row(rows, to);
    } else {
      for (std::size_t y = 0; y < rows_here; ++y) {
        const std::size_t below = Beside(y, false, rows_here, task_.edges[1]);
        const std::size_t above = Beside(y, true, rows_here, task_.edges[1]);
        const Rows rows{from + y * nx,
                        {below == rows_here ? task_.zeros : from + below * nx,
                         above == rows_here ? task_.zeros : from + above * nx},
                        {RowOf(beside[0], y), RowOf(beside[1], y)}};
        stepper_.Row(rows, to + y * nx);
      }
    }
  }
  [[nodiscard]] const float* RowOf(const float* slab, std::size_t y) const {
    return slab == nullptr ? task_.zeros : slab + y * task_.nx;
  }

  const DiffuseTask& task_;
  Stepper<D> stepper_;
  float* scratch_;
  std::ptrdiff_t slabs_, first_, last_;
  Edge edge_;
};

template <int D>
bool RowsIn(const DiffuseTask& task, std::size_t first, std::size_t last) {
  const bool aligned = kWidth == kArrayPadding && task.nx % kArrayPadding == 0;
  const bool large = task.nx * task.ny * task.nz >= kCellsPastCaches;
  return aligned && large ? RowsOnce<D, true>(task, first, last) : RowsOnce<D, false>(task, first, last);
}

bool DiffuseRows(const DiffuseTask& task, std::size_t first, std::size_t last) {
  return task.dimensions == 2 ? RowsIn<2>(task, first, last) : RowsIn<3>(task, first, last);
}

bool DiffuseSlabs(const DiffuseTask& task, std::size_t first, std::size_t last, float* scratch) {
  const auto begin = static_cast<std::ptrdiff_t>(first), end = static_cast<std::ptrdiff_t>(last);
  return task.dimensions == 2 ? Wave<2>(task, begin, end, scratch).Run()
                              : Wave<3>(task, begin, end, scratch).Run();
}

}  // namespace juxta::grid_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::grid_detail {

JUXTA_KERNEL(DiffuseRows);
JUXTA_KERNEL(DiffuseSlabs);

bool diffuse_rows(const DiffuseTask& task, std::size_t first, std::size_t last) noexcept {
  return JUXTA_CALL_KERNEL(DiffuseRows)(task, first, last);
}

bool diffuse_slabs(const DiffuseTask& task, std::size_t first, std::size_t last, float* scratch) noexcept {
  return JUXTA_CALL_KERNEL(DiffuseSlabs)(task, first, last, scratch);
}

}  // namespace juxta::grid_detail
#endif
