// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two shapes of any kinds: parts of one against parts of the other, each convex or a surface of triangles.
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/shape/query.h"
#include "shape/gjk.h"
#include "shape/placed.h"
#include "shape/surface.h"

namespace juxta {
namespace shape_detail {
namespace {

/// The best answer so far. What is farther than `limit` need not be looked at.
struct Nearest {
  double limit = 0;
  bool found = false;
  Near near;
  PartId a, b;

  /// How far from each other boxes may be: those of deeper pairs overlap.
  [[nodiscard]] double reach() const noexcept { return std::max(limit, 0.0); }
  void offer(const Convex& x, const Convex& y, PartId part_a, PartId part_b) noexcept {
    Near other;
    if (!closest_convex(x, y, limit, other)) {
      return;
    }
    const bool first = part_a == a ? before(part_b, b) : before(part_a, a);
    if (!found || other.distance < near.distance || (other.distance == near.distance && first)) {
      found = true;
      near = other;
      a = part_a;
      b = part_b;
      limit = std::min(limit, other.distance);
    }
  }
};

/// Triangles of a mesh near a convex shape, by the tree and the screen. offer(triangle, number) returns the
/// new limit. `best`, if there is one, knows where nothing nearer can be; `sign`: of its normal, seen from x.
template <class Offer>
void each_triangle(const Convex& x, const Surface& mesh, double limit, const Nearest* best, double sign,
                   Offer&& offer) {
  Screen screen(x, mesh);
  const auto look_behind_best = [&] {
    if (best != nullptr && best->found) {
      screen.turn(best->near.normal * sign, best->limit);
    }
  };
  look_behind_best();
  mesh.visit_near(
      mesh.box_of(x), limit,
      [&](std::uint32_t t) {
        limit = offer(convex_of(mesh.triangle(t)), t);
        look_behind_best();
        return limit;
      },
      screen.hidden());
}

/// Calls offer(x, y, part_a, part_b) for all pairs of convex shapes that two parts are made of and that may
/// be within `limit`, or better than `best`; it returns the new limit.
template <class Offer>
void each_near(const Placed& a, const Placed& b, double limit, const Nearest* best, Offer&& offer) {
  const Surface mesh_a(a), mesh_b(b);
  const PartId part_a{a.part, kNoPart}, part_b{b.part, kNoPart};
  if (mesh_a.triangles == nullptr && mesh_b.triangles == nullptr) {
    offer(convex_of(*a.shape, a.frame), convex_of(*b.shape, b.frame), part_a, part_b);
  } else if (mesh_b.triangles == nullptr) {
    const Convex y = convex_of(*b.shape, b.frame);
    each_triangle(y, mesh_a, limit, best, -1, [&](const Convex& x, std::uint32_t t) {
      return offer(x, y, PartId{a.part, t}, part_b);
    });
  } else if (mesh_a.triangles == nullptr) {
    const Convex x = convex_of(*a.shape, a.frame);
    each_triangle(x, mesh_b, limit, best, 1, [&](const Convex& y, std::uint32_t t) {
      return offer(x, y, part_a, PartId{b.part, t});
    });
  } else {
    // Triangles of the smaller one, those near the other's box first, each against the other's tree.
    const bool by_a = mesh_a.triangles->size() <= mesh_b.triangles->size();
    const Surface& few = by_a ? mesh_a : mesh_b;
    const Surface& many = by_a ? mesh_b : mesh_a;
    few.visit_near(local_box(many.extent(), few.frame), limit, [&](std::uint32_t s) {
      const Convex one = convex_of(few.triangle(s));
      each_triangle(one, many, limit, best, by_a ? 1 : -1, [&](const Convex& other, std::uint32_t t) {
        limit = by_a ? offer(one, other, PartId{a.part, s}, PartId{b.part, t})
                     : offer(other, one, PartId{a.part, t}, PartId{b.part, s});
        return limit;
      });
      return limit;
    });
  }
}

/// visit(a, b) for each part of one and each of the other, ascending, until it returns false.
template <class Visit>
void each_parts(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b, Visit&& visit) {
  const V3 origin(at_a.position);
  const Frame frame_b(at_b, origin);
  bool more = true;
  visit_parts(a, Frame(at_a, origin), [&](const Placed& part_a) {
    visit_parts(b, frame_b, [&](const Placed& part_b) { return more = visit(part_a, part_b); });
    return more;
  });
}

/// Touching to 1e-6 of the two sizes; cheaper than their distance, because no depth is asked for.
bool touching(const Convex& a, const Convex& b) noexcept {
  const double reach = a.radius + b.radius + 1e-6 * (a.size + b.size);
  Simplex simplex;
  Near near;
  const GjkEnd end = gjk(a, b, {}, reach, simplex, near);
  return end == GjkEnd::kTouching || (end == GjkEnd::kApart && near.distance <= reach);
}

/// The largest `touching` can mean by touching.
double touching_limit(const Placed& a, const Placed& b) noexcept {
  const Extent x = extent_of(*a.shape, a.frame), y = extent_of(*b.shape, b.frame);
  return 1e-6 * (length(x.hi - x.lo) + length(y.hi - y.lo));
}

}  // namespace
}  // namespace shape_detail

ClosestPoints closest(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b,
                      float max_distance) {
  using namespace shape_detail;
  Nearest nearest;
  nearest.limit = static_cast<double>(max_distance);
  each_parts(a, at_a, b, at_b, [&](const Placed& part_a, const Placed& part_b) {
    if (!(gap(part_a.extent, part_b.extent) > nearest.limit)) {
      each_near(part_a, part_b, nearest.reach(), &nearest,
                [&nearest](const Convex& x, const Convex& y, PartId id_a, PartId id_b) {
                  nearest.offer(x, y, id_a, id_b);
                  return nearest.reach();
                });
    }
    return true;
  });
  ClosestPoints result;
  if (nearest.found) {
    const V3 origin(at_a.position);
    result.found = true;
    result.distance = static_cast<float>(nearest.near.distance);
    result.on_a = (origin + nearest.near.on_a).rounded();
    result.on_b = (origin + nearest.near.on_b).rounded();
    result.normal = nearest.near.normal.rounded();
    result.part_a = nearest.a;
    result.part_b = nearest.b;
  }
  return result;
}

bool overlaps(const Shape& a, const Qvvs& at_a, const Shape& b, const Qvvs& at_b) {
  using namespace shape_detail;
  bool found = false;
  each_parts(a, at_a, b, at_b, [&](const Placed& part_a, const Placed& part_b) {
    const bool convex = part_a.shape->convex() && part_b.shape->convex();
    const bool parts = part_a.part != kNoPart || part_b.part != kNoPart;
    const double limit = convex && !parts ? 0 : touching_limit(part_a, part_b);
    if (gap(part_a.extent, part_b.extent) > limit) {
      return true;
    }
    each_near(part_a, part_b, limit, nullptr, [&](const Convex& x, const Convex& y, PartId, PartId) {
      found = found || touching(x, y);
      return found ? -kFar : limit;
    });
    return !found;
  });
  return found;
}

}  // namespace juxta
