// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Free cells, and an agent that moves to one. free_draws-inl.h says how a free cell is found.
//
//   2r+1 rows of counts around the old cell lose 1, around the new one gain 1: sixteen at once
//
// Nothing is branched on that depends on what was drawn but the draw itself.
#include "grid/space_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/grid/space_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

#include "grid/free_draws-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::grid_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

std::uint32_t DrawFree(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                       const std::uint64_t* taken) {
  return DrawFreeCell(key, id, cells, taken);
}

template <bool more>
HWY_INLINE void ChangeCounts(const MoveTask& task, std::uint32_t at) {
  const hn::FixedTag<std::uint8_t, 16> d;
  const auto one = hn::Set(d, 1);
  std::uint8_t* const around = task.counts + at;
  for (const CountRun *run = task.runs, *end = run + task.run_count; run < end; ++run) {
    std::uint8_t* const to = around + run->offset;
    const auto change = hn::And(hn::LoadU(d, kAllOnes + 16 - run->width), one);
    const auto before = hn::LoadU(d, to);
    hn::StoreU(more ? hn::Add(before, change) : hn::Sub(before, change), d, to);
  }
}

std::uint32_t MoveToFree(const MoveTask& task, const RandomKey& key, std::uint32_t row) {
  std::uint32_t to = DrawFreeCell(key, row, task.cells, task.taken);
  if (HWY_UNLIKELY(to == kAllTaken)) {
    to = choose_free(task.first, task.free, key, row);
  }
  const std::uint32_t from = task.cell[row];
  task.taken[from / 64] &= ~(std::uint64_t{1} << from % 64);
  task.taken[to / 64] |= std::uint64_t{1} << to % 64;
  task.first[from] = kNone;
  task.first[to] = row;
  task.cell[row] = to;
  ChangeCounts<false>(task, task.at[row]);
  task.at[row] = task.corner[task.kind[row]] + to + to / task.width * task.border;
  ChangeCounts<true>(task, task.at[row]);
  return to;
}

}  // namespace juxta::grid_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::grid_detail {

JUXTA_KERNEL(DrawFree);
JUXTA_KERNEL(MoveToFree);

std::uint32_t draw_free(const RandomKey& key, std::uint32_t id, std::uint32_t cells,
                        const std::uint64_t* taken) noexcept {
  return JUXTA_CALL_KERNEL(DrawFree)(key, id, cells, taken);
}
std::uint32_t move_to_free(const MoveTask& task, const RandomKey& key, std::uint32_t row) noexcept {
  return JUXTA_CALL_KERNEL(MoveToFree)(task, key, row);
}

}  // namespace juxta::grid_detail
#endif
