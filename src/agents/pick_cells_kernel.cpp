// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Sixteen cells at a time: those that are wanted go to the front of the register, and their rows with them.
//
//   cells   41 12 40 47 13 ...      wanted: 40 to 47
//   less 40  1  -  0  7  - ...      what is below wraps around and is too large as well: one comparison
//
// Per 16 rows:  a load, four operations, and two compressions and stores.
// Limit:        the compressions (AVX-512: one in two cycles; AVX2 and SSE4: by tables).

#include "agents/pick_cells_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/pick_cells_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "core/simd/compress-inl.h"
#include "core/simd/wasm_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint32_t, 16>;
using Words = hn::Vec<Tag>;

/// What is wanted goes to the front; how many that is.
HWY_INLINE std::size_t StoreWanted(Words cells, Words rows, hn::Mask<Tag> wanted,
                                   std::uint32_t* HWY_RESTRICT to_rows,
                                   std::uint32_t* HWY_RESTRICT to_cells) {
  const Tag d;
  hn::StoreU(hn::Compress(rows, wanted), d, to_rows);
  hn::StoreU(hn::Compress(cells, wanted), d, to_cells);
  return hn::CountTrue(d, wanted);
}

std::size_t PickCells(const std::uint32_t* cells, std::uint32_t first, std::uint32_t last, CellSpan wanted,
                      std::uint32_t* HWY_RESTRICT rows, std::uint32_t* HWY_RESTRICT row_cells) {
  const Tag d;
  constexpr auto kAtOnce = static_cast<std::uint32_t>(hn::MaxLanes(d));
  const Words begin = hn::Set(d, wanted.first), count = hn::Set(d, wanted.count);
  Words row = hn::Iota(d, first);
  std::size_t picked = 0;
  for (; last - first >= kAtOnce; first += kAtOnce) {
    const Words cell = hn::Sub(hn::LoadU(d, cells + first), begin);
    picked += StoreWanted(cell, row, hn::Lt(cell, count), rows + picked, row_cells + picked);
    row = hn::Add(row, hn::Set(d, kAtOnce));
  }
  const Words cell = hn::Sub(hn::LoadU(d, cells + first), begin);
  const auto here = hn::And(hn::Lt(cell, count), hn::FirstN(d, last - first));
  return picked + StoreWanted(cell, row, here, rows + picked, row_cells + picked);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(PickCells);

std::size_t pick_cells(const std::uint32_t* cells, std::uint32_t first, std::uint32_t last, CellSpan wanted,
                       std::uint32_t* rows, std::uint32_t* row_cells) noexcept {
  return JUXTA_CALL_KERNEL(PickCells)(cells, first, last, wanted, rows, row_cells);
}

std::size_t pick_cells_reference(const std::uint32_t* cells, std::uint32_t first, std::uint32_t last,
                                 CellSpan wanted, std::uint32_t* rows, std::uint32_t* row_cells) noexcept {
  std::size_t picked = 0;
  for (std::uint32_t row = first; row < last; ++row) {
    if (cells[row] >= wanted.first && cells[row] - wanted.first < wanted.count) {
      rows[picked] = row;
      row_cells[picked++] = cells[row] - wanted.first;
    }
  }
  return picked;
}

}  // namespace juxta::agents_detail
#endif
