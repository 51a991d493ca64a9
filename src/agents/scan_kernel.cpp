// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Who is near a point, among all agents in the order of memory.
//
//   x       .31 .93 .12 .55 ...   sixteen a step: |x - point|, around the edge min(|d|, period - |d|),
//   y       .20 .71 .64 .02 ...   squares, sum, compare: sixteen bits
//   bits     1   0   1   0  ...   --> rows 0 2 ...   64 bits, then one by one: few are near, and the end of
//                                                    each such loop is a branch that nobody foresees
//
// Per sixteen agents: 8 operations for points, 12 where the world wraps, on 128 bytes.
// Limit: arithmetic, while the positions stay in the first cache (4,000 agents in 2D).
// The nearest image by a minimum: |d| <= period / 2 exactly when |d| <= period - |d|, rounding included,
// since half a period is a float. Same rows everywhere: one comparison for each, of the same floats.

#include "agents/scan_kernel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/agents/scan_kernel.cpp"  // this file, from the repository root
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

/// One register of agents: which are near, as bits.
template <std::uint32_t dimensions, bool wraps>
HWY_INLINE std::uint32_t Near(const ScanTask& task, std::size_t row) {
  const FloatTag d;
  auto sum = hn::Zero(d);
  for (std::uint32_t a = 0; a < dimensions; ++a) {
    auto apart = hn::Abs(hn::Sub(hn::LoadU(d, task.position[a] + row), hn::Set(d, task.point[a])));
    if constexpr (wraps) {
      apart = hn::Min(apart, hn::Sub(hn::Set(d, task.period[a]), apart));
    }
    const auto square = hn::Mul(apart, apart);
    sum = a == 0 ? square : hn::Add(sum, square);
  }
  return BitsOf(d, hn::Le(sum, hn::Set(d, task.reach)));
}

/// Rows [row, row + 64), or as many of them as there are in whole sixteens.
template <std::uint32_t dimensions, bool wraps>
HWY_INLINE std::uint64_t NearOf64(const ScanTask& task, std::size_t row) {
  constexpr std::size_t kLanes = hn::MaxLanes(FloatTag());
  std::uint64_t bits = 0;
  if (row + 64 <= task.count) {
    for (std::size_t part = 0; part < 64; part += kLanes) {
      bits |= std::uint64_t{Near<dimensions, wraps>(task, row + part)} << part;
    }
    return bits;
  }
  for (std::size_t part = 0; row + part < task.count; part += kLanes) {
    bits |= std::uint64_t{Near<dimensions, wraps>(task, row + part)} << part;
  }
  return bits & ((std::uint64_t{1} << (task.count - row)) - 1);
}

template <std::uint32_t dimensions, bool wraps>
HWY_INLINE std::size_t Scan(const ScanTask& task, std::uint32_t* rows, std::size_t capacity) {
  std::size_t found = 0;
  for (std::size_t row = 0; row < task.count; row += 64) {
    for (std::uint64_t bits = NearOf64<dimensions, wraps>(task, row); bits != 0; bits &= bits - 1, ++found) {
      if (found < capacity) {
        rows[found] = static_cast<std::uint32_t>(row) + static_cast<std::uint32_t>(std::countr_zero(bits));
      }
    }
  }
  return found;
}

std::size_t ScanRows(const ScanTask& task, std::uint32_t* rows, std::size_t capacity) {
  if (task.dimensions == 2) {
    return task.wraps ? Scan<2, true>(task, rows, capacity) : Scan<2, false>(task, rows, capacity);
  }
  return task.wraps ? Scan<3, true>(task, rows, capacity) : Scan<3, false>(task, rows, capacity);
}

}  // namespace juxta::agents_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::agents_detail {

JUXTA_KERNEL(ScanRows);

std::size_t scan_rows(const ScanTask& task, std::uint32_t* rows, std::size_t capacity) noexcept {
  return JUXTA_CALL_KERNEL(ScanRows)(task, rows, capacity);
}

std::size_t scan_rows_plain(const ScanTask& task, std::uint32_t* rows, std::size_t capacity) noexcept {
  std::size_t found = 0;
  for (std::size_t row = 0; row < task.count; ++row) {
    float sum = 0;
    for (std::uint32_t a = 0; a < task.dimensions; ++a) {
      float apart = std::abs(task.position[a][row] - task.point[a]);
      apart = task.wraps ? std::min(apart, task.period[a] - apart) : apart;
      sum = a == 0 ? apart * apart : sum + apart * apart;
    }
    if (sum <= task.reach) {
      if (found < capacity) {
        rows[found] = static_cast<std::uint32_t>(row);
      }
      ++found;
    }
  }
  return found;
}

}  // namespace juxta::agents_detail
#endif  // HWY_ONCE
