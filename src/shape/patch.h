// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: the flat part of a convex core that looks into a direction, for contacts.
#pragma once

#include <array>
#include <cstdint>

#include "shape/convex.h"
#include "shape/frame.h"

namespace juxta::shape_detail {

/// Corners of a face in order around it, or the ends of a segment, or a point. Each knows the two edges it
/// lies on: those of the patch itself by number (edge i begins at its corner i), sides that cut it as kSide +
/// number.
struct Patch {
  static constexpr std::uint32_t kMost = 64, kSide = 256, kMostNames = 33;
  struct Edges {
    std::uint32_t in, out;
  };
  std::array<V3, kMost> corners;
  std::array<Edges, kMost> edges;
  std::uint32_t count = 0;
  V3 normal;  // of length 1, outwards; of segments and points: 0
  // As find_patch() has left them, whatever is cut since: how the shape calls its corners, how many there
  // are, and its edge 0; edge i is first_edge + i, and the face has the name of its edge 0.
  std::array<std::uint32_t, kMostNames> names;
  std::uint32_t whole = 0, first_edge = 0;

  void add(V3 p, Edges on) noexcept {
    if (count < kMost) {
      edges[count] = on;
      corners[count++] = p;
    }
  }
  /// A corner of the shape.
  void add_named(V3 p, std::uint32_t name) noexcept {
    if (count < kMostNames) {
      names[count] = name;
      whole = count + 1;
      add(p, {count, count});
    }
  }
};

/// The face of `shape` whose normal is nearest to `direction`, of several the first. Faces with more than 32
/// corners: 32 of them.
void find_patch(const Convex& shape, V3 direction, Patch& out) noexcept;

/// What of `patch` stands over `face` (3 corners or more), seen along the face's normal. 0 corners: nothing.
void clip(Patch& patch, const Patch& face) noexcept;

}  // namespace juxta::shape_detail
