// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The sweeps, with the visitor inlined as the published ones have it. `kPaired`: two boxes per compare, where
// the machine has 8 lanes.
#pragma once

#include <hwy/highway.h>

#include <cstdint>

#include "classics/layer/collision_layer.h"

namespace juxta::classics {

namespace hn = hwy::HWY_NAMESPACE;
using QuadTag = hn::CappedTag<float, 4>;
using OctTag = hn::CappedTag<float, 8>;

inline std::uint32_t bits_of(OctTag d, hn::Mask<OctTag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  return bytes[0];
}

/// One box against many in y and z.
class YzTest {
 public:
  explicit YzTest(const YzBounds& yz) {
    const YzBounds turned = flipped(yz);
    quad_ = hn::LoadU(QuadTag(), &turned.ymin);
    oct_ = hn::LoadDup128(OctTag(), &turned.ymin);
  }
  [[nodiscard]] bool overlaps(const YzBounds& other) const {
    return hn::AllFalse(QuadTag(), hn::Lt(quad_, hn::LoadU(QuadTag(), &other.ymin)));
  }
  /// Calls visit(j) for the rows from `first` on that begin at or before xmax and overlap.
  template <bool kPaired, class Visit>
  void forward(const LayerRows& rows, std::uint32_t first, float xmax, const Visit& visit) const {
    std::uint32_t j = first;
    if constexpr (kPaired && hn::MaxLanes(OctTag()) == 8) {
      for (; j + 1 < rows.size && rows.xmin[j + 1] <= xmax; j += 2) {
        const auto two = hn::LoadU(OctTag(), &rows.yz[j].ymin);
        const std::uint32_t apart = bits_of(OctTag(), hn::Lt(oct_, two));
        if (HWY_UNLIKELY((apart & 0xf) == 0)) {
          visit(j);
        }
        if (HWY_UNLIKELY((apart & 0xf0) == 0)) {
          visit(j + 1);
        }
      }
    }
    for (; j < rows.size && rows.xmin[j] <= xmax; ++j) {
      if (HWY_UNLIKELY(overlaps(rows.yz[j]))) {
        visit(j);
      }
    }
  }

 private:
  hn::Vec<QuadTag> quad_;
  hn::Vec<OctTag> oct_;
};

/// Every pair within one bucket: sink(source of one, source of the other).
template <bool kPaired, class Sink>
void sweep_rows(const LayerRows& rows, Sink& sink) {
  for (std::uint32_t i = 0; i + 1 < rows.size; ++i) {
    const std::uint32_t source = rows.source[i];
    YzTest(rows.yz[i]).forward<kPaired>(rows, i + 1, rows.xmax[i], [&](std::uint32_t j) {
      sink(source, rows.source[j]);
    });
  }
}

/// Every pair of a row of `a` and a row of `b`: first the rows of b that begin inside a row of a, equal
/// begins included, then the rows of a that begin inside a row of b.
template <bool kPaired, class Sink>
void sweep_rows(const LayerRows& a, const LayerRows& b, Sink& sink) {
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < a.size; ++i) {
    while (first < b.size && b.xmin[first] < a.xmin[i]) {
      ++first;
    }
    const std::uint32_t source = a.source[i];
    YzTest(a.yz[i]).forward<kPaired>(b, first, a.xmax[i],
                                     [&](std::uint32_t j) { sink(source, b.source[j]); });
  }
  first = 0;
  for (std::uint32_t i = 0; i < b.size; ++i) {
    while (first < a.size && a.xmin[first] <= b.xmin[i]) {
      ++first;
    }
    const std::uint32_t source = b.source[i];
    YzTest(b.yz[i]).forward<kPaired>(a, first, b.xmax[i],
                                     [&](std::uint32_t j) { sink(a.source[j], source); });
  }
}

}  // namespace juxta::classics
