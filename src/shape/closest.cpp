// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Two shapes of any kinds: parts of one against parts of the other, each convex or a surface of triangles.
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/shape/query.h"
#include "shape/gjk.h"
#include "shape/placed.h"
#include "shape/surface.h"
#include "shape/triangle_near.h"

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
    // Triangles that share the nearest edge or corner are as near but for rounding: a little beyond the
    // limit, so that all of them are compared, whichever the tree shows first.
    const double most = found ? limit + std::abs(limit) * 1e-9 + (x.size + y.size) * 1e-12 : limit;
    if (closest_convex(x, y, most, other)) {
      take(other, part_a, part_b);
    }
  }
  void take(const Near& other, PartId part_a, PartId part_b) noexcept {
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

/// Touching to 1e-6 of the two sizes; cheaper than their distance, because no depth is asked for.
bool touching(const Convex& a, const Convex& b) noexcept {
  const double reach = a.radius + b.radius + 1e-6 * (a.size + b.size);
  Simplex simplex;
  Near near;
  const GjkEnd end = gjk(a, b, {}, reach, simplex, near);
  return end == GjkEnd::kTouching || (end == GjkEnd::kApart && near.distance <= reach);
}

/// A convex shape and the triangles of a mesh near it, one after the other.
class Beside {
 public:
  /// `mesh_first`: the mesh is the first of the two shapes.
  Beside(const Convex& x, const Surface& mesh, PartId part_x, std::uint32_t part_mesh,
         bool mesh_first) noexcept
      : x_(x), mesh_(mesh), part_x_(part_x), part_mesh_(part_mesh), mesh_first_(mesh_first), core_(x, mesh) {
    triangle_.count = 3;
  }

  void closest(Nearest& best) noexcept {
    Screen screen(x_, mesh_);
    const auto look_behind_best = [&] {
      core_.set_limit(best.limit);
      if (best.found) {
        screen.turn(best.near.normal * (mesh_first_ ? -1.0 : 1.0), best.limit);
      }
    };
    look_behind_best();
    const auto visit = [&](std::uint32_t t) {
      offer(t, best);
      look_behind_best();
      return mesh_.local_limit(best.reach());
    };
    const auto measure = [&](std::uint32_t t) { return this->measure(t, best.limit); };
    visit_near(*mesh_.triangles, mesh_.box_of(x_), mesh_.local_limit(best.reach()), {visit, measure},
               screen.hidden(), core_);
  }
  [[nodiscard]] bool overlaps() noexcept {
    core_.set_limit(1e-6 * x_.size);
    const auto exact = [&](std::uint32_t t) {
      place(t);
      return touching(mesh_first_ ? triangle_ : x_, mesh_first_ ? x_ : triangle_);
    };
    return any_near(*mesh_.triangles, exact, core_);
  }

 private:
  void place(std::uint32_t t) noexcept {
    const std::array<V3, 3> corners = mesh_.triangle(t);
    std::copy(corners.begin(), corners.end(), triangle_.corners.begin());
    triangle_.size = half_diagonal(corners);
  }
  /// What the exact test says without a limit that is as small as its answer: offer() will not ask again.
  float measure(std::uint32_t t, double limit) noexcept {
    place(t);
    const Convex &a = mesh_first_ ? triangle_ : x_, &b = mesh_first_ ? x_ : triangle_;
    measured_ = closest_convex(a, b, limit, near_) ? t : kNoPart;
    return measured_ == t ? core_.to_core(near_.distance) : std::numeric_limits<float>::infinity();
  }
  void offer(std::uint32_t t, Nearest& best) noexcept {
    const PartId triangle{part_mesh_, t};
    const PartId &part_a = mesh_first_ ? triangle : part_x_, &part_b = mesh_first_ ? part_x_ : triangle;
    // A limit next to the answer could change its last bits, or refuse it.
    if (t == measured_ && near_.distance + core_.doubt() < best.limit) {
      best.take(near_, part_a, part_b);
      return;
    }
    place(t);
    best.offer(mesh_first_ ? triangle_ : x_, mesh_first_ ? x_ : triangle_, part_a, part_b);
  }

  const Convex& x_;
  const Surface& mesh_;
  PartId part_x_;
  std::uint32_t part_mesh_;
  bool mesh_first_;
  NearCore core_;
  Convex triangle_;
  Near near_;  // of the triangle `measured_`
  std::uint32_t measured_ = kNoPart;
};

/// Visits one convex shape and one surface, or two of them: visit(beside) for a convex shape, or a triangle
/// of the smaller mesh, and a mesh; it returns the new limit. Two convex shapes: offer(x, y).
template <class Offer, class Visit>
void each_near(const Placed& a, const Placed& b, double limit, Offer&& offer, Visit&& visit) {
  const Surface mesh_a(a), mesh_b(b);
  const PartId part_a{a.part, kNoPart}, part_b{b.part, kNoPart};
  if (mesh_a.triangles == nullptr && mesh_b.triangles == nullptr) {
    offer(convex_of(*a.shape, a.frame), convex_of(*b.shape, b.frame), part_a, part_b);
  } else if (mesh_b.triangles == nullptr) {
    const Convex y = convex_of(*b.shape, b.frame);
    visit(Beside(y, mesh_a, part_b, a.part, true));
  } else if (mesh_a.triangles == nullptr) {
    const Convex x = convex_of(*a.shape, a.frame);
    visit(Beside(x, mesh_b, part_a, b.part, false));
  } else {
    // Triangles of the smaller one, those near the other's box first, each against the other's tree.
    const bool by_a = mesh_a.triangles->size() <= mesh_b.triangles->size();
    const Surface& few = by_a ? mesh_a : mesh_b;
    const Surface& many = by_a ? mesh_b : mesh_a;
    few.visit_near(local_box(many.extent(), few.frame), limit, [&](std::uint32_t s) {
      const Convex one = convex_of(few.triangle(s));
      return visit(Beside(one, many, PartId{by_a ? a.part : b.part, s}, by_a ? b.part : a.part, !by_a));
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
      each_near(
          part_a, part_b, nearest.reach(),
          [&](const Convex& x, const Convex& y, PartId id_a, PartId id_b) {
            nearest.offer(x, y, id_a, id_b);
          },
          [&](Beside&& beside) {
            beside.closest(nearest);
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
    // Boxes are asked for parts, and for triangles of two meshes.
    const bool asked = part_a.part != kNoPart || part_b.part != kNoPart ||
                       !(part_a.shape->convex() || part_b.shape->convex());
    const double limit = asked ? touching_limit(part_a, part_b) : 0;
    if (gap(part_a.extent, part_b.extent) > limit) {
      return true;
    }
    each_near(
        part_a, part_b, limit,
        [&](const Convex& x, const Convex& y, PartId, PartId) { found = touching(x, y); },
        [&](Beside&& beside) {
          found = beside.overlaps();
          return found ? -kFar : limit;
        });
    return !found;
  });
  return found;
}

}  // namespace juxta
