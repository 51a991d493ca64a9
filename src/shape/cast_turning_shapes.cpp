// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Turning casts against shapes of any kind. Trees of triangles are asked with the box of a piece of the
// motion at a time: in a piece each point keeps close to the chord between its two ends.
#include <algorithm>
#include <array>
#include <cmath>

#include "juxta/shape/query.h"
#include "shape/cast_core.h"
#include "shape/placed.h"
#include "shape/surface.h"
#include "shape/turning.h"

namespace juxta {
namespace shape_detail {
namespace {

constexpr double kPieceTurn = 0.4;  // radians of a piece
constexpr double kMostPieces = 4096;

struct EarliestTurning {
  double t = 1;
  bool found = false;
  Touch touch;
  PartId part;

  void offer(const Convex& a, const Turning& motion, const Convex& b, double first, double last,
             PartId id) noexcept {
    Touch other;
    int rounds = 0;
    if (!cast_turning(a, motion, b, first, last, t, other, rounds)) {
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

/// The moving shape, and how far its points are from the pivot.
struct TurningShape {
  Convex convex;
  Turning motion;
  double reach = 0;

  TurningShape(const Shape& shape, const Frame& frame, const Motion& m) noexcept
      : convex(convex_of(shape, frame)), motion(m, frame) {
    for (std::uint32_t i = 0; i < convex.count; ++i) {
      reach = std::max(reach, length(convex.point(i) - motion.pivot));
    }
  }
  /// How far points leave the chord in a piece of the motion.
  [[nodiscard]] double bulge(double piece) const noexcept {
    const double turn = motion.angle * piece;
    return turn > 3 ? 2 * reach : reach * (1 - sin_cos(turn / 2).cosine) * (1 + 1e-9);
  }
  /// A ball around the pivot, all the way.
  [[nodiscard]] Extent swept() const noexcept {
    Extent e;
    e.take(motion.pivot);
    e.take(motion.pivot_at(1));
    return e.grown((reach + convex.radius) * (1 + 1e-6));
  }
};

void turn_at_surface(const TurningShape& mover, const Surface& mesh, std::uint32_t part,
                     EarliestTurning& earliest) noexcept {
  const double span = 2 * (mover.convex.size + mover.reach);
  const double ways = span > 0 ? length(mover.motion.way) / span : 1;
  const double pieces =
      std::min(kMostPieces, std::max({1.0, std::ceil(mover.motion.angle / kPieceTurn), std::ceil(ways)}));
  const double more = mover.bulge(1 / pieces) + 1e-6 * (mover.convex.size + mover.reach);
  const Extent bounds = extent_of(mesh.triangles->bounds());
  Extent before_it = extent_of(mesh.box_of(mover.convex));
  for (double i = 0; i < pieces; ++i) {
    const double first = i / pieces, last = i + 1 < pieces ? (i + 1) / pieces : 1;
    if (first > earliest.t) {
      return;
    }
    const Extent behind = extent_of(mesh.box_of(mover.motion.at(mover.convex, last)));
    Extent both = before_it;
    both.take(behind);
    before_it = behind;
    both = both.grown(more / least_stretch(mesh.frame));
    if (gap(both, bounds) > 0) {
      continue;
    }
    mesh.triangles->visit(outward(both), [&](std::uint32_t t) {
      earliest.offer(mover.convex, mover.motion, convex_of(mesh.triangle(t)), first, last, {part, t});
      return true;
    });
  }
}

}  // namespace

Aabb3 turning_box(const Shape& shape, const Motion& motion) noexcept {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (!shape.convex() || !is_sound(motion)) {
    return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  }
  const V3 origin(motion.from.position);
  const TurningShape mover(shape, Frame(motion.from, origin), motion);
  // No point leaves the ball around the pivot, nor its place without the turn by more than its chord.
  const double turn = std::min(mover.motion.angle, 3.2);
  const double chord = turn < 3 ? 2 * mover.reach * sin_cos(turn / 2).sine : 2 * mover.reach;
  const double ball = (mover.reach + mover.convex.radius) * (1 + 1e-6), more = chord * (1 + 1e-6);
  const Extent near = extent_of(mover.convex).grown(more);
  const V3 pivot = mover.motion.pivot;
  Extent e;
  e.lo = origin + V3(std::max(near.lo.x, pivot.x - ball), std::max(near.lo.y, pivot.y - ball),
                     std::max(near.lo.z, pivot.z - ball));
  e.hi = origin + V3(std::min(near.hi.x, pivot.x + ball), std::min(near.hi.y, pivot.y + ball),
                     std::min(near.hi.z, pivot.z + ball));
  const Extent slack = e.grown(1e-6 * (mover.convex.size + mover.reach));  // what counts as touching
  return outward(slack);
}

}  // namespace shape_detail

CastHit cast(const Shape& moving, const Motion& motion, const Shape& still, const Qvvs& at) {
  using namespace shape_detail;
  if (motion.turn == Vec3{}) {
    return cast(moving, motion.from, motion.way, still, at);
  }
  if (!moving.convex() || !is_sound(motion)) {
    return {};
  }
  const V3 origin(motion.from.position);
  const TurningShape mover(moving, Frame(motion.from, origin), motion);
  const Extent swept = mover.swept();
  EarliestTurning earliest;
  visit_parts(still, Frame(at, origin), [&](const Placed& part) {
    if (part.part != kNoPart && gap(swept, part.extent) > 0) {
      return true;
    }
    const Surface mesh(part);
    if (mesh.triangles != nullptr) {
      turn_at_surface(mover, mesh, part.part, earliest);
    } else {
      earliest.offer(mover.convex, mover.motion, convex_of(*part.shape, part.frame), 0, 1,
                     {part.part, kNoPart});
    }
    return true;
  });
  return earliest.found ? hit_of(earliest.touch, origin, earliest.part) : CastHit{};
}

}  // namespace juxta
