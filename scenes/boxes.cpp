// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "scenes/boxes.h"

#include <algorithm>
#include <cmath>

#include "scenes/boxes_math.h"
#include "scenes/draws.h"

namespace juxta::scenes {
namespace {

constexpr float kSpeed = 0.08F;
constexpr std::uint32_t kSwingFrames = 8;

void draw_uniform(Draws& draws, float low, float high, Vec3& out) {
  for (float& value : out) {
    value = draws.uniform(low, high);
  }
}

void make_uniform(BoxWorld& world, Draws& draws) {
  world.side = static_cast<float>(cube_root(static_cast<double>(world.boxes.size())));
  for (Aabb3& box : world.boxes) {
    Vec3 centre, edge;
    draw_uniform(draws, 0, world.side, centre);
    draw_uniform(draws, 0.4F, 1.2F, edge);
    box = box_around(centre, edge);
  }
}

void make_velocity(Draws& draws, Vec3& velocity) {
  for (float& v : velocity) {
    v = draws.uniform(-kSpeed, kSpeed);
  }
}

void make_clustered(BoxWorld& world, Draws& draws) {
  Draws ahead = draws;
  Draws velocities(~ahead.next());
  world.side = static_cast<float>(4 * cube_root(static_cast<double>(world.boxes.size())));
  for (std::size_t i = 0; i < world.boxes.size();) {
    const double law = 30 * exponential(1.5 * normal(draws));
    const double size = std::floor(std::clamp(law, 1.0, 20'000.0));
    const double sigma = 0.4 * cube_root(size);
    Vec3 middle;
    draw_uniform(draws, 0, world.side, middle);
    Vec3 velocity{};
    make_velocity(velocities, velocity);
    const std::size_t end = std::min(world.boxes.size(), i + static_cast<std::size_t>(size));
    for (; i < end; ++i) {
      Vec3 centre, edge;
      for (int axis = 0; axis < 3; ++axis) {
        centre[axis] = middle[axis] + static_cast<float>(sigma * normal(draws));
      }
      draw_uniform(draws, 0.4F, 1.6F, edge);
      world.boxes[i] = box_around(centre, edge);
      world.velocities[i] = velocity;
    }
  }
  Draws same_order = draws;
  draws.shuffle(world.boxes);
  same_order.shuffle(world.velocities);
  world.swings.resize(world.boxes.size());
  for (auto& swing : world.swings) {
    make_velocity(draws, swing);
  }
}

void make_mixed(BoxWorld& world, Draws& draws) {
  world.side = static_cast<float>(cube_root(10 * static_cast<double>(world.boxes.size())));
  const float largest = 0.6F * world.side;
  for (std::size_t i = 0; i < world.boxes.size(); ++i) {
    Vec3 centre;
    draw_uniform(draws, 0, world.side, centre);
    const float small = std::min(largest, 0.1F / std::sqrt(1 - draws.unit()));
    const float edge = i < 4 ? largest : small;
    world.boxes[i] = box_around(centre, {edge, edge, edge});
  }
  draws.shuffle(world.boxes);
}

void make_flat_x(BoxWorld& world, Draws& draws) {
  world.side = static_cast<float>(std::sqrt(static_cast<double>(world.boxes.size())));
  for (Aabb3& box : world.boxes) {
    Vec3 centre, edge;
    draw_uniform(draws, 0, world.side, centre);
    draw_uniform(draws, 0.4F, 1.2F, edge);
    box = box_around(centre, edge);
    box.lo[0] = 0;
    box.hi[0] = 1;
  }
}

void make_identical(BoxWorld& world, Draws& draws) {
  world.side = static_cast<float>(cube_root(static_cast<double>(world.boxes.size())));
  Vec3 centre;
  draw_uniform(draws, 0, world.side, centre);
  std::fill(world.boxes.begin(), world.boxes.end(), box_around(centre, {1, 1, 1}));
}

void make_velocities(BoxWorld& world, BoxSet set, Draws& draws) {
  for (auto& velocity : world.velocities) {
    make_velocity(draws, velocity);
    if (set == BoxSet::kFlatX) {
      velocity[0] = 0;
    }
    if (set == BoxSet::kIdentical) {
      velocity = world.velocities.front();
    }
  }
}

Aabb3 bounds_of(const std::vector<Aabb3>& boxes, bool of_centres) {
  Aabb3 bounds{};
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const float middle = 0.5F * (boxes[i].lo[axis] + boxes[i].hi[axis]);
      const float lo = of_centres ? middle : boxes[i].lo[axis];
      const float hi = of_centres ? middle : boxes[i].hi[axis];
      bounds.lo[axis] = i == 0 ? lo : std::min(bounds.lo[axis], lo);
      bounds.hi[axis] = i == 0 ? hi : std::max(bounds.hi[axis], hi);
    }
  }
  return bounds;
}

void draw_inside(Draws& draws, const Aabb3& bounds, Vec3& out) {
  for (int axis = 0; axis < 3; ++axis) {
    out[axis] = draws.uniform(bounds.lo[axis], bounds.hi[axis]);
  }
}

// Even on the sphere: even in the ball by rejection, then stretched. Too near to the middle the quotient
// would be coarse.
void draw_direction(Draws& draws, Vec3& out) {
  float length2 = 0;
  do {
    draw_uniform(draws, -1, 1, out);
    length2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
  } while (length2 > 1 || length2 < 0.001F);
  const float length = std::sqrt(length2);
  for (float& v : out) {
    v /= length;
  }
}

}  // namespace

std::string_view name(BoxSet set) noexcept {
  constexpr std::array<std::string_view, kBoxSets.size()> kNames{"uniform", "clustered", "mixed", "flat_x",
                                                                 "identical"};
  return kNames[static_cast<std::size_t>(set)];
}

BoxWorld make_boxes(BoxSet set, std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  BoxWorld world;
  world.boxes.resize(count);
  world.velocities.resize(count);
  switch (set) {
    case BoxSet::kUniform:
      make_uniform(world, draws);
      break;
    case BoxSet::kClustered:
      make_clustered(world, draws);
      break;
    case BoxSet::kMixed:
      make_mixed(world, draws);
      break;
    case BoxSet::kFlatX:
      make_flat_x(world, draws);
      break;
    case BoxSet::kIdentical:
      make_identical(world, draws);
      break;
  }
  if (set != BoxSet::kClustered) {
    make_velocities(world, set, draws);
  }
  return world;
}

void advance(BoxWorld& world) {
  const float sign = world.frame / kSwingFrames % 2 == 0 ? 1.0F : -1.0F;
  ++world.frame;
  for (std::size_t i = 0; i < world.boxes.size(); ++i) {
    Aabb3& box = world.boxes[i];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      float& v = world.velocities[i][axis];
      const float centre = 0.5F * (box.lo[axis] + box.hi[axis]);
      if ((centre < 0 && v < 0) || (centre > world.side && v > 0)) {
        v = -v;
      }
      const float step = world.swings.empty() ? v : v + sign * world.swings[i][axis];
      box.lo[axis] += step;
      box.hi[axis] += step;
    }
  }
}

std::vector<Aabb3> make_query_boxes(const BoxWorld& world, std::size_t count, std::uint64_t seed) {
  if (world.boxes.empty()) {
    return std::vector<Aabb3>(count);
  }
  Draws draws(seed);
  const Aabb3 bounds = bounds_of(world.boxes, true);
  std::vector<Aabb3> queries(count);
  for (Aabb3& query : queries) {
    Vec3 centre, edge;
    draw_inside(draws, bounds, centre);
    const Aabb3& like = world.boxes[draws.below(static_cast<std::uint32_t>(world.boxes.size()))];
    for (int axis = 0; axis < 3; ++axis) {
      edge[axis] = 1.1F * (like.hi[axis] - like.lo[axis]);
    }
    query = box_around(centre, edge);
  }
  return queries;
}

std::vector<Ray3> make_query_rays(const BoxWorld& world, std::size_t count, std::uint64_t seed) {
  Draws draws(seed);
  const Aabb3 bounds = bounds_of(world.boxes, false);
  std::vector<Ray3> rays(count);
  for (Ray3& ray : rays) {
    draw_inside(draws, bounds, ray.origin);
    draw_direction(draws, ray.direction);
  }
  return rays;
}

}  // namespace juxta::scenes
