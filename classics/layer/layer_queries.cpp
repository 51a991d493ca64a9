// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Rays, casts and distances, as "Find Objects 1" derives them: FindObjects with the box around everything the
// query can reach, and a visitor that keeps the best. The query does not shrink when something is found,
// because FindObjects takes its box once: a long ray tests every box in the box around it.
//
//   +-------------------+      the box around the part of the ray inside the world: all boxes that overlap it
//   |           __..--''|      are tested, also those far from the ray and those behind the first hit
//   |   __..--''        |
//   |''                 |
//   +-------------------+
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "classics/layer/find_objects-inl.h"

namespace juxta::classics {
namespace {

// Where a moving box meets a box that rests, or a ray: a box without extent. juxta/layer/raycast.h says how
// it is rounded.
struct Slabs {
  float lo[3], hi[3], inverse[3];
  bool parallel[3];
  float max;

  Slabs(const Aabb3& box, const float* direction, float most) : max(most) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = box.lo[axis];
      hi[axis] = box.hi[axis];
      inverse[axis] = 1 / direction[axis];
      parallel[axis] = !std::isfinite(inverse[axis]);
    }
  }
  // When they touch: from `enter` to `leave`; never when that is inverted.
  struct Inside {
    float enter, leave;
  };
  [[nodiscard]] Inside inside(const Aabb3& box) const {
    Inside in{0, max};
    for (int axis = 0; axis < 3; ++axis) {
      if (parallel[axis]) {
        if (lo[axis] > box.hi[axis] || hi[axis] < box.lo[axis]) {
          return {1, 0};
        }
        continue;
      }
      const float a = (box.lo[axis] - hi[axis]) * inverse[axis];
      const float b = (box.hi[axis] - lo[axis]) * inverse[axis];
      in.enter = std::max(in.enter, std::min(a, b));
      in.leave = std::min(in.leave, std::max(a, b));
    }
    return in;
  }
};

bool is_sound(const Aabb3& box, const float* direction, float max) {
  bool sound = max >= 0 && !box.empty();
  for (int axis = 0; axis < 3; ++axis) {
    sound =
        sound && std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]) && std::isfinite(direction[axis]);
  }
  return sound;
}

// Around the box on its way from `enter` to `leave`. Rounding of a few bits in the ends must not lose a box
// that only just touches.
Aabb3 around_way(const Aabb3& box, const float* direction, const Slabs& slabs, const Slabs::Inside& part) {
  Aabb3 bounds{};
  for (int axis = 0; axis < 3; ++axis) {
    const float from = slabs.parallel[axis] ? 0 : part.enter * direction[axis];
    const float to = slabs.parallel[axis] ? 0 : part.leave * direction[axis];
    const float slack = 1e-5F * (std::max(std::abs(box.lo[axis]), std::abs(box.hi[axis])) +
                                 std::max(std::abs(from), std::abs(to)));
    bounds.lo[axis] = box.lo[axis] + std::min(from, to) - slack;
    bounds.hi[axis] = box.hi[axis] + std::max(from, to) + slack;
  }
  return bounds;
}

// How far two boxes are apart along an axis; 0 where they overlap.
float gap(float lo, float hi, float other_lo, float other_hi) {
  return std::max(std::max(other_lo - hi, lo - other_hi), 0.0F);
}

}  // namespace

RayHit CollisionLayer::raycast_closest(const Ray3& ray) const {
  return boxcast_closest({ray.origin, ray.origin}, ray.direction, ray.max);
}

RayHit CollisionLayer::boxcast_closest(const Aabb3& box, const Vec3& direction, float max) const {
  RayHit best;
  if (!is_sound(box, direction.begin(), max) || size() == 0) {
    return best;
  }
  const Slabs slabs(box, direction.begin(), max);
  const Slabs::Inside part = slabs.inside(world_);
  if (!(part.enter <= part.leave)) {
    return best;
  }
  visit_objects(around_way(box, direction.begin(), slabs, part), TreeWalk::kStack, [&](std::uint32_t row) {
    const Slabs::Inside in = slabs.inside(box_of(row));
    if (in.enter <= in.leave && (in.enter < best.t || (in.enter == best.t && source_[row] < best.body))) {
      best = {source_[row], in.enter};
    }
  });
  return best;
}

NearestHit CollisionLayer::nearest(const Vec3& point, float max_distance) const {
  return nearest(Aabb3{{point[0], point[1], point[2]}, {point[0], point[1], point[2]}}, max_distance);
}

NearestHit CollisionLayer::nearest(const Aabb3& box, float max_distance) const {
  NearestHit best;
  Aabb3 reach{};
  bool sound = max_distance >= 0 && !box.empty();
  for (int axis = 0; axis < 3; ++axis) {
    sound = sound && std::isfinite(box.lo[axis]) && std::isfinite(box.hi[axis]);
    // The last bits of a distance must not lose a box at max_distance.
    const float slack = 1e-6F * (std::max(std::abs(box.lo[axis]), std::abs(box.hi[axis])) + max_distance);
    reach.lo[axis] = box.lo[axis] - max_distance - slack;
    reach.hi[axis] = box.hi[axis] + max_distance + slack;
  }
  if (!sound) {
    return best;
  }
  const float limit = max_distance * max_distance;
  visit_objects(reach, TreeWalk::kStack, [&](std::uint32_t row) {
    const Aabb3 other = box_of(row);
    const float x = gap(box.lo[0], box.hi[0], other.lo[0], other.hi[0]);
    const float y = gap(box.lo[1], box.hi[1], other.lo[1], other.hi[1]);
    const float z = gap(box.lo[2], box.hi[2], other.lo[2], other.hi[2]);
    const float distance2 = x * x + y * y + z * z;
    if (distance2 <= limit &&
        (distance2 < best.distance2 || (distance2 == best.distance2 && source_[row] < best.body))) {
      best = {source_[row], distance2};
    }
  });
  return best;
}

}  // namespace juxta::classics
