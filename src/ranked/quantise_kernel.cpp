// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Quantising a column: the static 16-way search of axis-inl.h once per point.
//
//   values[index_of[p]] --4 dependent steps--> quantum, 2 B written per point
//
// Limit:       the chain of four loads and compares is about 80 cycles; independent points overlap.
//              Gathering by index_of is prefetched 16 points ahead.
// Determinism: comparisons only.

#include "ranked/quantise_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/ranked/quantise_kernel.cpp"  // this file, from the repository root
#include "core/simd/dispatch.h"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "ranked/axis-inl.h"

HWY_BEFORE_NAMESPACE();
namespace juxta::ranked_detail::HWY_NAMESPACE {

template <class T>
HWY_INLINE void QuantiseColumn(const AxisView& axis, StridedColumn<T> values, const std::uint32_t* index_of,
                               std::size_t first, std::size_t last, std::uint16_t* HWY_RESTRICT out) {
  constexpr std::size_t kAhead = 16;
  const std::uint32_t shift = axis.shift();
  for (std::size_t p = first; p < last; ++p) {
    std::size_t index = p;
    if (index_of != nullptr) {
      hwy::Prefetch(values.data + values.stride * index_of[std::min(p + kAhead, last - 1)]);
      index = index_of[p];
    }
    out[p] = static_cast<std::uint16_t>(QuantumOf(axis, values[index]) << shift);
  }
}

void QuantiseFloats(const AxisView& axis, StridedColumn<float> values, const std::uint32_t* index_of,
                    std::size_t first, std::size_t last, std::uint16_t* out) {
  QuantiseColumn(axis, values, index_of, first, last, out);
}
void QuantiseDoubles(const AxisView& axis, StridedColumn<double> values, const std::uint32_t* index_of,
                     std::size_t first, std::size_t last, std::uint16_t* out) {
  QuantiseColumn(axis, values, index_of, first, last, out);
}

}  // namespace juxta::ranked_detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace juxta::ranked_detail {

JUXTA_KERNEL(QuantiseFloats);
JUXTA_KERNEL(QuantiseDoubles);

void quantise_column(const AxisView& axis, StridedColumn<float> values, const std::uint32_t* index_of,
                     std::size_t first, std::size_t last, std::uint16_t* out) noexcept {
  JUXTA_CALL_KERNEL(QuantiseFloats)(axis, values, index_of, first, last, out);
}
void quantise_column(const AxisView& axis, StridedColumn<double> values, const std::uint32_t* index_of,
                     std::size_t first, std::size_t last, std::uint16_t* out) noexcept {
  JUXTA_CALL_KERNEL(QuantiseDoubles)(axis, values, index_of, first, last, out);
}

template <class T>
void quantise_column_reference(const AxisView& axis, StridedColumn<T> values, const std::uint32_t* index_of,
                               std::size_t first, std::size_t last, std::uint16_t* out) noexcept {
  const T* knots = axis.level<T>(axis.levels - 1);
  for (std::size_t p = first; p < last; ++p) {
    const T value = values[index_of == nullptr ? p : index_of[p]];
    const auto above = std::upper_bound(knots, knots + quanta_of(axis.levels), value) - knots;
    out[p] = static_cast<std::uint16_t>(static_cast<std::uint32_t>(above - 1) << axis.shift());
  }
}
template void quantise_column_reference(const AxisView&, StridedColumn<float>, const std::uint32_t*,
                                        std::size_t, std::size_t, std::uint16_t*) noexcept;
template void quantise_column_reference(const AxisView&, StridedColumn<double>, const std::uint32_t*,
                                        std::size_t, std::size_t, std::uint16_t*) noexcept;

}  // namespace juxta::ranked_detail
#endif  // HWY_ONCE
