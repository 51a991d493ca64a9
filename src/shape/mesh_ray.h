// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: rays against triangles that stand somewhere: into their coordinates and back, in doubles.
//
//     world  o----------------------------->     doubles
//                        from
//     mesh   o - - - - -|==============|>        floats: the tree; then t in doubles by the triangle's plane
//
// A ray that starts far away starts anew in front of the triangles' box, so that a kilometre on the way costs
// no digits. One that starts near stays where it is: rays of one camera keep their common origin, which is
// what packets live from. All of this is a function of the one ray, never of those beside it: the steps here
// are the plain twin of mesh_rays_kernel.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "shape/mesh_extent.h"
#include "shape/placed.h"
#include "shape/ray_convex.h"
#include "shape/triangles.h"

namespace juxta::shape_detail {

/// What of a line lies in a box. A way of 0 along an axis: all or nothing.
struct Stretch {
  double enter = 0, leave = kFar;

  Stretch(const Line& line, const Extent& box) noexcept {
    cut(line.origin.x, line.way.x, box.lo.x, box.hi.x);
    cut(line.origin.y, line.way.y, box.lo.y, box.hi.y);
    cut(line.origin.z, line.way.z, box.lo.z, box.hi.z);
  }
  [[nodiscard]] bool empty() const noexcept { return !(enter <= leave); }

 private:
  void cut(double from, double way, double lo, double hi) noexcept {
    if (way == 0) {
      leave = lo <= from && from <= hi ? leave : -1;
      return;
    }
    const double a = (lo - from) / way, b = (hi - from) / way;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
};

/// Triangles and where they stand.
struct MeshPlace {
  const Triangles& triangles;
  const MeshExtent& extent;
  Frame frame;
  bool unstretched;  // divisions by 1 may be left out

  MeshPlace(const Triangles& all, const Frame& at) noexcept
      : triangles(all),
        extent(all.extent()),
        frame(at),
        unstretched(at.stretch.x == 1 && at.stretch.y == 1 && at.stretch.z == 1) {}
};

/// A ray in the mesh's own coordinates; its way has length 1 there.
struct MeshRay {
  Line unit;
  double speed = 0;  // t of the world times this is t here
  double enter = 0;  // t where `cast` starts
  Ray3 cast{};
};

/// Sets enter and cast of a ray whose unit is known; false: it misses the box.
[[nodiscard]] bool start_far(const MeshPlace& place, MeshRay& ray) noexcept;
/// False: it misses the box.
[[nodiscard]] bool make_mesh_ray(const MeshPlace& place, const Line& line, MeshRay& ray) noexcept;
/// What the line meets in a triangle that the tree found; false: it ends before.
[[nodiscard]] bool finish_mesh_ray(const MeshPlace& place, const Line& line, const MeshRay& ray,
                                   const TriangleHit& hit, Entry& entry) noexcept;

/// Whether a ray asks for anything: finite, and max not negative.
[[nodiscard]] inline bool is_valid(const Ray3& ray) noexcept {
  return is_finite(ray.origin) && is_finite(ray.direction) && ray.max >= 0;
}

/// raycast() against triangles; false: nothing is hit, and `out` stays as it is.
bool raycast_mesh(const Triangles& triangles, const Qvvs& at, const Ray3& ray, SurfaceHit& out) noexcept;
/// Whether raycast() hits.
[[nodiscard]] bool raycast_mesh_any(const Triangles& triangles, const Qvvs& at, const Ray3& ray) noexcept;

/// out[i] = the answer to rays[i] of triangles that stand at `position`, which the frame of `place` leaves
/// out.
void raycast_mesh(const MeshPlace& place, const V3& position, std::span<const Ray3> rays,
                  std::span<SurfaceHit> out) noexcept;

/// raycast() of many rays, of one length with `out`, on the calling thread.
void raycast_serial(const Shape& shape, const Qvvs& at, std::span<const Ray3> rays,
                    std::span<SurfaceHit> out) noexcept;

}  // namespace juxta::shape_detail
