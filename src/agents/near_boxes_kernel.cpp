// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Which of sixteen boxes are near:
//
//   gap   max(lo - to, from - hi, 0)     on each axis; then squares, sum, compare: sixteen bits
//
// Across an edge the least gap of three images counts.
//
// Per sixteen boxes: D * (2 loads, 6 operations; 14 across an edge), a comparison. Limit: arithmetic, and the
// call.

#include "agents/near_boxes_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/near_boxes_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
// Behind Highway, which it needs once per instruction set:
#include "core/simd/mask_bits-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::agents_detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using namespace core_detail::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;

std::uint32_t NearBoxes(const NearBoxesTask& task) {
  const FloatTag d;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
    auto square = hn::Zero(d);
    auto inside = hn::Eq(square, square);
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      const auto before = hn::Sub(hn::LoadU(d, task.lo[a] + i), hn::Set(d, task.to[a]));
      const auto behind = hn::Sub(hn::Set(d, task.from[a]), hn::LoadU(d, task.hi[a] + i));
      auto off = hn::Max(before, behind);
      if (task.wraps) {
        const auto period = hn::Set(d, task.period[a]);
        off = hn::Min(off, hn::Max(hn::Add(before, period), hn::Sub(behind, period)));
        off = hn::Min(off, hn::Max(hn::Sub(before, period), hn::Add(behind, period)));
      }
      const auto gap = hn::Max(off, hn::Zero(d));
      square = hn::Add(square, hn::Mul(gap, gap));
      inside = hn::And(inside, hn::Le(gap, hn::Set(d, task.reach[a])));
    }
    if (task.round) {
      inside = hn::Le(square, hn::Set(d, task.reach[0] * task.reach[0]));
    }
    bits |= static_cast<std::uint32_t>(BitsOf(d, inside)) << i;
  }
  return bits;
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(NearBoxes);

std::uint32_t near_boxes(const NearBoxesTask& task) noexcept {
  return JUXTA_CALL_KERNEL(NearBoxes)(task);
}

}  // namespace juxta::agents_detail
#endif
