// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: a convex shape among many triangles. Floats leave out triangles that are too far away, several at
// a time; what is left gets the exact test in doubles.
#pragma once

#include <cstdint>

#include "juxta/core/function_ref.h"
#include "juxta/math/aabb.h"
#include "shape/convex.h"
#include "shape/frame.h"
#include "shape/triangles.h"

namespace juxta::shape_detail {

struct Surface;

/// A box around the core of a convex shape, as floats see it from a mesh. A point p of the mesh is
/// turn * (p - origin) + offset in the axes of the box, whose lengths are those of the common frame:
/// stretched meshes have no other rules.
struct NearCore {
  /// Hulls of no more vertices are tested by their vertices too, and not by their box alone.
  static constexpr std::uint32_t kMostPoints = 48, kMostSides = 96;

  float origin[3] = {};  // next to the middle of the core
  float turn[3][3] = {};
  float offset[3] = {};
  float half[3] = {};            // of the box
  float stretch[3] = {};         // of the mesh: how much a coordinate's error can grow
  float around[3] = {};          // half the box of the core in coordinates of the mesh
  float size = 0;                // half edges and radius together
  float slack = 0;               // of the doubles
  std::uint32_t crossed = 0;     // bit i: the box has a length along axis i
  std::uint32_t count = 0;       // of points, a multiple of 4; 0: there are none, or too many
  float points[3][kMostPoints];  // of a hull or triangle, in the axes of the box
  float inside[3] = {};          // their middle
  bool boxed = false;            // the box is the core: nearest points in it are points of the core
  bool whole = false;            // the points are all of the core's
  float touch = 0;               // the radius, or a little less; below 0: nothing overlaps for certain
  std::uint32_t side_count = 0;
  float sides[kMostSides][4];  // of a hull: a normal of length 1, and how far it reaches along it
  /// Triangles that are farther from the core are left out; below 0: all that are not as deep. Infinity:
  /// none.
  float most = std::numeric_limits<float>::infinity();

  /// Numbers too large for floats leave nothing out.
  NearCore(const Convex& core, const Surface& mesh) noexcept;
  /// To leave out what is farther from the whole shape than `limit`, a length of the common frame.
  void set_limit(double limit) noexcept { most = to_core(limit); }
  /// A distance of the whole shape as one of the core, in floats and with all slack.
  [[nodiscard]] float to_core(double distance) const noexcept;
  /// What exact distances are not sure of, and more.
  [[nodiscard]] double doubt() const noexcept { return doubt_; }

 private:
  void place(const Convex& core, const Surface& mesh, const V3 (&axes)[3]) noexcept;
  void take_points(const Convex& core, V3 middle, const V3 (&axes)[3]) noexcept;
  void take_sides(const Convex& core, V3 along) noexcept;

  double radius_ = 0, depth_slack_ = 0, doubt_ = 0;
  bool sound_ = false, deep_ = false;
};

struct NearVisitor {
  /// Exact; returns the new limit, a length of the mesh.
  FunctionRef<double(std::uint32_t triangle)> visit;
  /// How far a triangle is from the core, rounded up; infinity: farther than the limit. Changes nothing.
  FunctionRef<float(std::uint32_t triangle)> measure;
};

/// Triangles::visit_near() without those that `core` leaves out. The visitor may change `core.most`, and
/// calls come in the same order: answers are the same to the last bit.
void visit_near(const Triangles& triangles, const Aabb3& box, double limit, const NearVisitor& visitor,
                const HalfSpace& hidden, const NearCore& core) noexcept;

/// Whether a triangle overlaps: one for which `exact` returns true, or one of which floats know it for
/// certain. `exact` sees triangles that `core` does not leave out, in the order of the tree.
[[nodiscard]] bool any_near(const Triangles& triangles, FunctionRef<bool(std::uint32_t triangle)> exact,
                            const NearCore& core) noexcept;

}  // namespace juxta::shape_detail
