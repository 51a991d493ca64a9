// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "classics/layer/collision_layer.h"
#include "classics/layer/interval_tree.h"
#include "classics/layer/sweep-inl.h"

namespace juxta::classics {
namespace {

// The first of `size` ascending values that is not below `x`. The step is chosen by a conditional move, so
// nothing is guessed; every search of one size takes the same number of steps.
std::uint32_t first_not_below(const float* values, std::uint32_t size, float x) {
  const float* at = values;
  while (size > 1) {
    const std::uint32_t half = size / 2;
    at += at[half - 1] < x ? half : 0;
    size -= half;
  }
  return static_cast<std::uint32_t>(at - values) + (size == 1 && *at < x ? 1 : 0);
}

// Where a ray enters a box, or a negative number: juxta/layer/raycast.h says how it is rounded.
struct Slabs {
  float origin[3], inverse[3];
  bool parallel[3];
  float max;

  explicit Slabs(const Ray3& ray) : max(ray.max) {
    for (int axis = 0; axis < 3; ++axis) {
      origin[axis] = ray.origin[axis];
      inverse[axis] = 1 / ray.direction[axis];
      parallel[axis] = !std::isfinite(inverse[axis]);
    }
  }
  // Where it is inside: from `enter` to `leave`; nowhere when that is inverted.
  struct Inside {
    float enter, leave;
  };
  [[nodiscard]] Inside inside(const Aabb3& box) const {
    Inside in{0, max};
    for (int axis = 0; axis < 3; ++axis) {
      if (parallel[axis]) {
        if (origin[axis] < box.lo[axis] || origin[axis] > box.hi[axis]) {
          return {1, 0};
        }
        continue;
      }
      const float lo = (box.lo[axis] - origin[axis]) * inverse[axis];
      const float hi = (box.hi[axis] - origin[axis]) * inverse[axis];
      in.enter = std::max(in.enter, std::min(lo, hi));
      in.leave = std::min(in.leave, std::max(lo, hi));
    }
    return in;
  }
};

bool is_sound(const Ray3& ray) {
  bool sound = ray.max >= 0;
  for (int axis = 0; axis < 3; ++axis) {
    sound = sound && std::isfinite(ray.origin[axis]) && std::isfinite(ray.direction[axis]);
  }
  return sound;
}

}  // namespace

template <class Visit>
bool CollisionLayer::visit_bucket(std::uint32_t bucket, const Aabb3& query, TreeWalk walk,
                                  const Visit& visit) const {
  const LayerRows r = rows(bucket);
  const YzTest test(yz_of(query));
  const float qxmin = query.lo[0], qxmax = query.hi[0];
  for (std::uint32_t row = first_not_below(r.xmin, r.size, qxmin); row < r.size && r.xmin[row] <= qxmax;
       ++row) {
    if (HWY_UNLIKELY(test.overlaps(r.yz[row])) && !visit(begin_[bucket] + row)) {
      return false;
    }
  }
  const auto began_before = [&](std::uint32_t row) {
    return !test.overlaps(r.yz[row]) || visit(begin_[bucket] + row);
  };
  const IntervalNode* nodes = tree_.data() + begin_[bucket];
  return walk == TreeWalk::kRecursive ? walk_recursively(nodes, r.size, qxmin, began_before)
                                      : walk_with_stack(nodes, r.size, qxmin, began_before);
}

template <class Visit>
bool CollisionLayer::visit_objects(const Aabb3& query, TreeWalk walk, const Visit& visit) const {
  if (query.empty() || size() == 0) {
    return true;
  }
  const CellRange y = y_.cells(query.lo[1], query.hi[1]), z = z_.cells(query.lo[2], query.hi[2]);
  for (std::uint32_t j = y.first; j <= y.last; ++j) {
    for (std::uint32_t k = z.first; k <= z.last; ++k) {
      if (!visit_bucket(j * cells_.z + k, query, walk, visit)) {
        return false;
      }
    }
  }
  return visit_bucket(buckets() - 1, query, walk, visit);
}

std::size_t CollisionLayer::find_objects(const Aabb3& query, std::span<std::uint32_t> out,
                                         TreeWalk walk) const {
  std::size_t found = 0;
  visit_objects(query, walk, [&](std::uint32_t row) {
    if (found < out.size()) {
      out[found] = source_[row];
    }
    ++found;
    return true;
  });
  return found;
}

bool CollisionLayer::any_object(const Aabb3& query, TreeWalk walk) const {
  bool hit = false;
  visit_objects(query, walk, [&](std::uint32_t) {
    hit = true;
    return true;
  });
  return hit;
}

bool CollisionLayer::any_object_early(const Aabb3& query, TreeWalk walk) const {
  return !visit_objects(query, walk, [](std::uint32_t) { return false; });
}

RayHit CollisionLayer::raycast_closest(const Ray3& ray) const {
  RayHit best;
  if (!is_sound(ray) || size() == 0) {
    return best;
  }
  const Slabs slabs(ray);
  const Slabs::Inside part = slabs.inside(world_);
  if (!(part.enter <= part.leave)) {
    return best;
  }
  // Rounding of a few bits in the ends of the part must not lose a box that only just touches it.
  Aabb3 bounds{};
  for (int axis = 0; axis < 3; ++axis) {
    const float from = ray.origin[axis] + part.enter * ray.direction[axis];
    const float to = slabs.parallel[axis] ? from : ray.origin[axis] + part.leave * ray.direction[axis];
    const float slack = 1e-5F * (std::abs(ray.origin[axis]) + std::abs(from) + std::abs(to));
    bounds.lo[axis] = std::min(from, to) - slack;
    bounds.hi[axis] = std::max(from, to) + slack;
  }
  visit_objects(bounds, TreeWalk::kStack, [&](std::uint32_t row) {
    const YzBounds& yz = yz_[row];
    const Slabs::Inside in =
        slabs.inside({{xmin_[row], yz.ymin, yz.zmin}, {xmax_[row], -yz.minus_ymax, -yz.minus_zmax}});
    if (in.enter <= in.leave && (in.enter < best.t || (in.enter == best.t && source_[row] < best.body))) {
      best = {source_[row], in.enter};
    }
    return true;
  });
  return best;
}

}  // namespace juxta::classics
