// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "juxta/shape/query.h"
#include "shape/cast_core.h"
#include "shape/convex.h"
#include "shape/placed.h"
#include "shape/surface.h"

namespace juxta {
namespace shape_detail {
namespace {

/// The shape that moves. Most casts never need its `convex`.
class MovingShape {
 public:
  MovingShape(const Shape& shape, const Frame& frame, V3 full) noexcept
      : way(full), ahead(full), core(core_of(shape, frame, ahead)), shape_(shape), frame_(frame) {}

  [[nodiscard]] const Convex& convex() noexcept {
    return convex_.has_value() ? *convex_ : convex_.emplace(convex_of(shape_, frame_));
  }

  V3 way;
  Ahead ahead;
  Core core;

 private:
  const Shape& shape_;
  const Frame& frame_;
  std::optional<Convex> convex_;
};

/// The earliest touch so far.
struct Earliest {
  double t = 1;  // later ones need not be looked at
  bool found = false;
  Touch touch;
  PartId part;

  /// `still` as a core, and what makes a Convex of it where that does not suffice.
  template <class MakeConvex>
  void offer(MovingShape& mover, const Core& still, MakeConvex&& convex, PartId id) noexcept {
    Touch other;
    const Verdict verdict = cast_by_ray(mover.core, still, mover.ahead, t, other);
    if (verdict == Verdict::kMiss ||
        (verdict == Verdict::kUnsure && !cast_by_distance(mover.convex(), mover.way, convex(), t, other))) {
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

void cast_at_surface(MovingShape& mover, const Surface& mesh, std::uint32_t part,
                     Earliest& earliest) noexcept {
  const Convex& moving = mover.convex();
  const V3 way = mover.way;
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
        const std::array<V3, 3> corners = mesh.triangle(t);
        earliest.offer(mover, core_of(corners, mover.ahead), [&] { return convex_of(corners); }, {part, t});
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
  if (!moving.convex() || !is_finite(way)) {
    return {};
  }
  const V3 origin(from.position);
  const Frame frame(from, origin);
  MovingShape mover(moving, frame, way);
  Extent box;
  if (still.get_if<Compound>() != nullptr) {
    box = extent_of(mover.convex());
  }
  Earliest earliest;
  visit_parts(still, Frame(at, origin), [&](const Placed& part) {
    if (part.part != kNoPart && !comes_near(box, mover.way, part.extent, earliest.t)) {
      return true;
    }
    const Surface mesh(part);
    if (mesh.triangles != nullptr) {
      cast_at_surface(mover, mesh, part.part, earliest);
    } else {
      earliest.offer(mover, core_of(*part.shape, part.frame, mover.ahead),
                     [&] { return convex_of(*part.shape, part.frame); }, {part.part, kNoPart});
    }
    return true;
  });
  return earliest.found ? hit_of(earliest.touch, origin, earliest.part) : CastHit{};
}

}  // namespace juxta
