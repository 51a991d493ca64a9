// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/shape/query.h"
#include "shape/convex.h"
#include "shape/placed.h"
#include "shape/surface.h"

namespace juxta {
namespace shape_detail {
namespace {

/// The earliest touch so far.
struct Earliest {
  double t = 1;  // later ones need not be looked at
  bool found = false;
  Touch touch;
  PartId part;

  void offer(const Convex& moving, V3 way, const Convex& still, PartId id) noexcept {
    Touch other;
    if (!cast_convex(moving, way, still, t, other)) {
      return;
    }
    if (!found || other.t < touch.t || (other.t == touch.t && before(id, part))) {
      found = true;
      touch = other;
      part = id;
      t = std::min(t, other.t);
    }
  }
};

/// How far numbers of this size go wrong when they become floats, generously.
double rounding_of(V3 v) noexcept {
  return 1e-6 * std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

void cast_at_surface(const Convex& moving, V3 way, const Surface& mesh, std::uint32_t part,
                     Earliest& earliest) noexcept {
  // The tree is asked with a way in floats: the box grows by what that may miss.
  const V3 local_way = mesh.frame.local_way(way);
  const Extent grown = extent_of(mesh.box_of(moving)).grown(rounding_of(local_way));
  Screen screen(moving, mesh);
  const auto look_behind_best = [&] {
    // Still in front of the shape, towards what it met, when that happens: not met before.
    const V3 ahead = -earliest.touch.normal;
    if (const double speed = dot(ahead, way); earliest.found && speed >= 0) {
      screen.turn(ahead, speed * earliest.t);
    }
  };
  look_behind_best();
  mesh.triangles->visit_swept(
      outward(grown), local_way.rounded(), 1,
      [&](std::uint32_t t) {
        if (earliest.found && earliest.t == 0 && !before({part, t}, earliest.part)) {
          return earliest.t;  // nothing is earlier: only a lower number counts
        }
        earliest.offer(moving, way, convex_of(mesh.triangle(t)), {part, t});
        look_behind_best();
        return earliest.t;
      },
      screen.hidden());
}

/// Whether the moving box comes near another one before `most`; never no when it does.
bool comes_near(const Extent& box, V3 way, const Extent& still, double most) noexcept {
  Extent swept = box;
  swept.take(box.lo + way * most);
  swept.take(box.hi + way * most);
  const double slack = 1e-9 * (length(box.hi - box.lo) + length(still.hi - still.lo));
  return gap(swept, still) <= slack;
}

}  // namespace
}  // namespace shape_detail

CastHit cast(const Shape& moving, const Qvvs& from, const Vec3& way, const Shape& still, const Qvvs& at) {
  using namespace shape_detail;
  CastHit hit;
  if (!moving.convex() || !is_finite(way)) {
    return hit;
  }
  const V3 origin(from.position), full(way);
  const Convex mover = convex_of(moving, Frame(from, origin));
  const Extent box = extent_of(mover);
  Earliest earliest;
  visit_parts(still, Frame(at, origin), [&](const Placed& part) {
    if (!comes_near(box, full, part.extent, earliest.t)) {
      return true;
    }
    const Surface mesh(part);
    if (mesh.triangles != nullptr) {
      cast_at_surface(mover, full, mesh, part.part, earliest);
    } else {
      earliest.offer(mover, full, convex_of(*part.shape, part.frame), {part.part, kNoPart});
    }
    return true;
  });
  if (earliest.found) {
    hit.hit = true;
    hit.t = static_cast<float>(earliest.touch.t);
    hit.point = (origin + earliest.touch.point).rounded();
    hit.normal = earliest.touch.normal.rounded();
    hit.part = earliest.part;
  }
  return hit;
}

}  // namespace juxta
