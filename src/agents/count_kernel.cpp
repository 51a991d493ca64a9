// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// How many are near, where neither seers nor seen are sorted.
//
//   seers     0 1 2 3 ... 15     sixteen cells, sixteen words of a table of bits: is anybody in or beside the
//   cell? rows      3 7 12             those that must look, side by side; all others have 0 a look    three
//   rows of three cells, sixteen of the filed at a time
//
// The table is small and stays in the first cache. A run of cells seldom holds more than sixteen, so the
// first sixteen are looked at without a branch, be there none or all: nothing is left to be mispredicted.
// Determinism: whole numbers are counted, and distances are those of every pass.
#include "agents/count_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/count_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "core/simd/compress-inl.h"
#include "core/simd/wasm_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using CountTag = hn::CappedTag<float, 16>;
using CellTag = hn::RebindToSigned<CountTag>;
constexpr std::size_t kCountLanes = hn::MaxLanes(CountTag());

HWY_INLINE hn::Mask<CountTag> Has(const RowsWhere& where, std::size_t row) {
  const CountTag d;
  if (where.column == nullptr) {
    return hn::FirstN(d, kCountLanes);
  }
  const auto number = hn::LoadU(d, where.column + row);
  return hn::And(hn::Ge(number, hn::Set(d, where.least)), hn::Le(number, hn::Set(d, where.most)));
}

/// CountAxis::cell() of several.
HWY_INLINE hn::Vec<CellTag> Cells(const CountAxis& axis, const float* position) {
  const CountTag d;
  auto at = hn::Mul(hn::Sub(hn::LoadU(d, position), hn::Set(d, axis.origin)), hn::Set(d, axis.inverse));
  at = hn::IfThenElseZero(hn::Gt(at, hn::Zero(d)), at);
  return hn::ConvertTo(CellTag(), hn::Min(at, hn::Set(d, static_cast<float>(axis.cells - 1))));
}

/// Rows [first, last) get 0; those that must look are listed. How many those are.
template <std::uint32_t dimensions>
HWY_INLINE std::size_t ListLooking(const CountTask& task, std::size_t first, std::size_t last,
                                   std::uint32_t* rows) {
  const CountTag d;
  const CellTag whole;
  const hn::RebindToUnsigned<CountTag> words;
  const auto* const table = reinterpret_cast<const std::int32_t*>(task.near);  // bytes by their offsets
  std::size_t count = 0;
  for (std::size_t row = first; row < last; row += kCountLanes) {
    auto cell = hn::Zero(whole);
    for (std::uint32_t a = dimensions; a-- > 0;) {
      cell =
          hn::Add(hn::Mul(cell, hn::Set(whole, task.axes[a].cells)), Cells(task.axes[a], task.seer[a] + row));
    }
    const auto word = hn::And(hn::GatherOffset(whole, table, cell), hn::Set(whole, 0xFF));
    const auto near = hn::RebindMask(d, hn::Ne(word, hn::Zero(whole)));
    const auto looks = hn::And(hn::And(near, Has(task.seers, row)), hn::FirstN(d, last - row));
    hn::StoreU(hn::Zero(d), d, task.into + row);
    count += hn::CompressStore(hn::Iota(words, static_cast<std::uint32_t>(row)), hn::RebindMask(words, looks),
                               words, rows + count);
  }
  return count;
}

/// How many of sixteen of the filed are near a seer, of which `left` belong to the run.
template <std::uint32_t dimensions>
HWY_INLINE std::size_t NearOfSixteen(const CountTask& task, std::size_t seer, std::size_t first,
                                     std::size_t left) {
  const CountTag d;
  auto distance2 = hn::Zero(d);
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    const auto apart = hn::Sub(hn::LoadU(d, task.filed[a] + first), hn::Set(d, task.seer[a][seer]));
    const auto square = hn::Mul(apart, apart);
    distance2 = a == 0 ? square : hn::Add(distance2, square);
  }
  return hn::CountTrue(d, hn::And(hn::Le(distance2, hn::Set(d, task.radius2)), hn::FirstN(d, left)));
}

/// Of the cells in and beside that of the seer.
template <std::uint32_t dimensions>
HWY_INLINE std::size_t NearOf(const CountTask& task, std::size_t seer) {
  const auto& [of_x, of_y, of_z] = task.axes;
  const std::int32_t x = of_x.cell(task.seer[0][seer]), y = of_y.cell(task.seer[1][seer]);
  const std::int32_t z = dimensions == 3 ? of_z.cell(task.seer[2][seer]) : 0;
  const std::int32_t left = x > 0 ? x - 1 : 0, right = x + 2 < of_x.cells ? x + 2 : of_x.cells;
  std::size_t near = 0;
  for (std::int32_t beside_z = z - (dimensions == 3); beside_z <= z + (dimensions == 3); ++beside_z) {
    for (std::int32_t beside_y = y - 1; beside_y <= y + 1; ++beside_y) {
      const bool inside =
          (beside_y >= 0) & (beside_y < of_y.cells) & (beside_z >= 0) & (beside_z < of_z.cells);
      const std::int32_t row = inside ? (beside_z * of_y.cells + beside_y) * of_x.cells : 0;
      const std::size_t begin = task.begins[row + left], end = inside ? task.begins[row + right] : begin;
      near += NearOfSixteen<dimensions>(task, seer, begin, end - begin);
      for (std::size_t i = begin + kCountLanes; i < end; i += kCountLanes) {
        near += NearOfSixteen<dimensions>(task, seer, i, end - i);
      }
    }
  }
  return near;
}

template <std::uint32_t dimensions>
HWY_INLINE void Count(const CountTask& task, std::size_t first, std::size_t last, std::uint32_t* rows) {
  const std::size_t looking = ListLooking<dimensions>(task, first, last, rows);
  for (std::size_t i = 0; i < looking; ++i) {
    const std::size_t row = rows[i];
    std::size_t near = NearOf<dimensions>(task, row);
    near -= near > 0 && task.same && task.seen.has(row) ? 1 : 0;  // itself, unless it is nowhere
    task.into[row] = static_cast<float>(near);
  }
}

void CountRows(const CountTask& task, std::size_t first, std::size_t last, std::uint32_t* rows) {
  task.dimensions == 2 ? Count<2>(task, first, last, rows) : Count<3>(task, first, last, rows);
}

std::size_t SelectRows(const RowsWhere& where, std::size_t count, std::uint32_t* rows) {
  const CountTag d;
  const hn::RebindToUnsigned<CountTag> words;
  std::size_t selected = 0;
  for (std::size_t row = 0; row < count; row += kCountLanes) {
    const auto has = hn::And(Has(where, row), hn::FirstN(d, count - row));
    selected += hn::CompressStore(hn::Iota(words, static_cast<std::uint32_t>(row)),
                                  hn::RebindMask(words, has), words, rows + selected);
  }
  return selected;
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(CountRows);
JUXTA_KERNEL(SelectRows);

void count_rows(const CountTask& task, std::size_t first, std::size_t last, std::uint32_t* rows) noexcept {
  JUXTA_CALL_KERNEL(CountRows)(task, first, last, rows);
}

std::size_t select_rows(const RowsWhere& where, std::size_t count, std::uint32_t* rows) noexcept {
  return JUXTA_CALL_KERNEL(SelectRows)(where, count, rows);
}

}  // namespace juxta::agents_detail
#endif  // HWY_ONCE
