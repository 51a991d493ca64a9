// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat part of a convex core that looks into a direction, for contacts.
#pragma once

#include <array>
#include <cstdint>

#include "shape/convex.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// Corners of a face in order around it, or the ends of a segment, or a point.
struct Patch {
  static constexpr std::uint32_t kMost = 64;
  std::array<V3, kMost> corners;
  std::uint32_t count = 0;
  V3 normal;  // of length 1, outwards; of segments and points: 0

  void add(V3 p) noexcept {
    if (count < kMost) {
      corners[count++] = p;
    }
  }
};

/// The face of `shape` whose normal is nearest to `direction`, of several the first. Faces with more than 32
/// corners: 32 of them.
void find_patch(const Convex& shape, V3 direction, Patch& out) noexcept;

/// What of `patch` stands over `face` (3 corners or more), seen along the face's normal. 0 corners: nothing.
void clip(Patch& patch, const Patch& face) noexcept;

}  // namespace juxta::shape_detail
