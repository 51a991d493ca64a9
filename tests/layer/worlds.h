// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Boxes that are hard on a layer, and questions whose edges meet theirs. Shared with fuzz/layer, so
// everything is drawn from a `Draw`: anything with below(bound).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "juxta/layer/frustum.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/raycast.h"

namespace juxta::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kMax = std::numeric_limits<float>::max();
inline constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

enum class World : std::uint8_t {
  kSparse,     // about two pairs a box
  kDense,      // about a quarter of all pairs
  kGrid,       // whole numbers: sides meet everywhere
  kPoint,      // all at one point, no size
  kHuge,       // 1e30, and up to the largest float
  kTiny,       // 1e-30
  kDenormals,  // a few units of the smallest float
  kSizes,      // edges from 1e-6 to 1e6
  kSigns,      // zeros of both signs, and their neighbours
  kFlat,       // one interval of x for all
  kSpeck,      // far from the origin: neighbouring floats are 64 apart
};
inline constexpr std::array kWorlds{World::kSparse, World::kDense, World::kGrid,      World::kPoint,
                                    World::kHuge,   World::kTiny,  World::kDenormals, World::kSizes,
                                    World::kSigns,  World::kFlat,  World::kSpeck};

inline std::string_view name(World world) {
  constexpr std::array<std::string_view, kWorlds.size()> kNames{
      "sparse", "dense", "grid", "point", "huge", "tiny", "denormals", "sizes", "signs", "flat", "speck"};
  return kNames[static_cast<std::size_t>(world)];
}

/// In [0, 1): a multiple of 2^-16.
template <class Draw>
float unit(Draw& draw) {
  return static_cast<float>(draw.below(1 << 16)) * 0x1p-16F;
}
template <class Draw>
bool one_in(Draw& draw, std::uint32_t n) {
  return draw.below(n) == 0;
}
template <class Draw, class T>
T one_of(Draw& draw, std::initializer_list<T> values) {
  return values.begin()[draw.below(static_cast<std::uint32_t>(values.size()))];
}

/// Low side and edge of a box along one axis; `extent` is the side of the sparse world.
template <class Draw>
std::pair<float, float> draw_edge(Draw& draw, World world, int axis, float extent) {
  switch (world) {
    case World::kSparse:
      return {unit(draw) * extent, 0.4F + unit(draw) * 0.8F};
    case World::kDense:
      return {unit(draw) * 8, unit(draw) * 4};
    case World::kGrid:
      return {static_cast<float>(draw.below(12)) - 5, static_cast<float>(draw.below(3))};
    case World::kPoint:
      return {3, 0};
    case World::kHuge:
      return one_in(draw, 16) ? std::pair(-kMax, kInf)
                              : std::pair((unit(draw) - 0.5F) * 8e30F, unit(draw) * 2e30F);
    case World::kTiny:
      return {(unit(draw) - 0.5F) * 8e-30F, unit(draw) * 2e-30F};
    case World::kDenormals:
      return {(static_cast<float>(draw.below(21)) - 10) * kDenormal,
              static_cast<float>(draw.below(4)) * kDenormal};
    case World::kSizes:
      return {(unit(draw) - 0.5F) * 100,
              one_of(draw, {1e-6F, 1e-3F, 0.1F, 1.0F, 10.0F, 1e6F}) * (one_in(draw, 8) ? 1 : 1e-3F)};
    case World::kSigns:
      return {one_of(draw, {0.0F, -0.0F, -kDenormal, kDenormal, -1.0F, 1.0F}),
              one_of(draw, {0.0F, -0.0F, kDenormal, 1.0F})};
    case World::kFlat:
      return axis == 0 ? std::pair(0.0F, 1.0F) : std::pair(unit(draw) * extent * 2, 0.4F + unit(draw) * 0.8F);
    case World::kSpeck:
      return {1e9F + static_cast<float>(draw.below(40)) * 64, static_cast<float>(draw.below(3)) * 64};
  }
  return {};
}

template <int D, class Draw>
Aabb<D> draw_box(Draw& draw, World world, float extent) {
  Aabb<D> box{};
  for (int axis = 0; axis < D; ++axis) {
    const auto [lo, edge] = draw_edge(draw, world, axis, extent);
    box.lo[axis] = lo;
    box.hi[axis] = std::min(lo + edge, kMax);
    if (std::signbit(lo) && lo == 0 && edge == 0) {
      box.hi[axis] = edge;  // -0 + 0 would lose the sign
    }
  }
  return box;
}

template <int D>
float extent_of(std::size_t boxes) {
  return D == 2 ? std::sqrt(static_cast<float>(boxes)) : std::cbrt(static_cast<float>(boxes));
}

template <int D, class Draw>
std::vector<Aabb<D>> make_world(Draw& draw, World world, std::size_t count) {
  std::vector<Aabb<D>> boxes(count);
  for (Aabb<D>& box : boxes) {
    box = draw_box<D>(draw, world, extent_of<D>(count));
  }
  return boxes;
}

/// Few bits, so that some bodies meet and some do not; some meet nothing.
template <class Draw>
Filter draw_filter(Draw& draw) {
  return one_in(draw, 4) ? Filter{} : Filter{1U << draw.below(3), draw.below(8)};
}
template <class Draw>
std::vector<Filter> draw_filters(Draw& draw, std::size_t count) {
  std::vector<Filter> filters(count);
  for (Filter& filter : filters) {
    filter = draw_filter(draw);
  }
  return filters;
}
template <class Draw>
std::vector<std::uint8_t> draw_bytes(Draw& draw, std::size_t count, std::uint32_t one_of_so_many) {
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) {
    byte = one_in(draw, one_of_so_many) ? static_cast<std::uint8_t>(1 + draw.below(255)) : 0;
  }
  return bytes;
}

/// A side of some body, or the next float beside it: where an inequality that is off by one bit shows.
template <int D, class Draw>
float draw_side(Draw& draw, std::span<const Aabb<D>> boxes, int axis) {
  if (boxes.empty()) {
    return unit(draw);
  }
  const Aabb<D>& box = boxes[draw.below(static_cast<std::uint32_t>(boxes.size()))];
  const float side = one_in(draw, 2) ? box.lo[axis] : box.hi[axis];
  switch (draw.below(6)) {
    case 0:
      return std::nextafter(side, kMax);
    case 1:
      return std::nextafter(side, -kMax);
    case 2:
      return box.lo[axis] / 2 + box.hi[axis] / 2;
    default:
      return side;
  }
}

template <int D, class Draw>
Aabb<D> draw_question_box(Draw& draw, std::span<const Aabb<D>> boxes) {
  Aabb<D> box{};
  if (one_in(draw, 2) && !boxes.empty()) {  // a body's own box, so that something is found in sparse worlds
    box = boxes[draw.below(static_cast<std::uint32_t>(boxes.size()))];
  } else {
    for (int axis = 0; axis < D; ++axis) {
      box.lo[axis] = draw_side(draw, boxes, axis);
      box.hi[axis] = draw_side(draw, boxes, axis);
      if (box.hi[axis] < box.lo[axis] && !one_in(draw, 16)) {  // some stay inverted
        std::swap(box.lo[axis], box.hi[axis]);
      }
    }
  }
  const int axis = static_cast<int>(draw.below(D));
  switch (draw.below(12)) {
    case 0:
      box.lo[axis] = -kInf;
      break;
    case 1:
      box.hi[axis] = kInf;
      break;
    case 2:
      (one_in(draw, 2) ? box.lo : box.hi)[axis] = one_in(draw, 4) ? kNan : draw_side(draw, boxes, axis);
      break;
    case 3:
      box.hi[axis] = box.lo[axis];  // a slice
      break;
    default:
      break;
  }
  return box;
}

template <int D, class Draw>
Ray<D> draw_ray(Draw& draw, std::span<const Aabb<D>> boxes) {
  Ray<D> ray{};
  for (int axis = 0; axis < D; ++axis) {
    ray.origin[axis] = draw_side(draw, boxes, axis);
    switch (draw.below(8)) {
      case 0:
      case 1:
        ray.direction[axis] = one_of(draw, {0.0F, -0.0F, kDenormal, -kDenormal});
        break;
      case 2:
        ray.direction[axis] = one_of(draw, {1.0F, -1.0F, 1e-38F, 3e38F});
        break;
      case 3:
        ray.direction[axis] = unit(draw) - 0.5F;
        break;
      default:
        ray.direction[axis] = draw_side(draw, boxes, axis) - ray.origin[axis];
        break;
    }
  }
  ray.max = one_of(draw, {kInf, kInf, kInf, 1.0F, 1.0F, 0.5F, 0.0F, -0.0F, 1e30F});
  if (one_in(draw, 24)) {
    ray.max = one_of(draw, {-1.0F, kNan, -kInf});
  }
  if (one_in(draw, 24)) {
    (one_in(draw, 2) ? ray.origin : ray.direction)[draw.below(D)] = one_of(draw, {kNan, kInf, -kInf});
  }
  return ray;
}

template <int D, class Draw>
Vec<D> draw_point(Draw& draw, std::span<const Aabb<D>> boxes) {
  Vec<D> point{};
  for (int axis = 0; axis < D; ++axis) {
    point[static_cast<std::size_t>(axis)] = draw_side(draw, boxes, axis) + (one_in(draw, 4) ? unit(draw) : 0);
  }
  if (one_in(draw, 24)) {
    point[draw.below(D)] = one_of(draw, {kNan, kInf, -kInf});
  }
  return point;
}
template <class Draw>
float draw_distance(Draw& draw) {
  return one_in(draw, 16) ? one_of(draw, {kNan, -1.0F, -kInf})
                          : one_of(draw, {kInf, kInf, 0.0F, -0.0F, 0.3F, 1.0F, 100.0F, 1e-30F, 1e30F});
}

/// Some planes through bodies, with normals along axes and across them.
template <int D, class Draw>
std::vector<Plane<D>> draw_planes(Draw& draw, std::span<const Aabb<D>> boxes) {
  std::vector<Plane<D>> planes(draw.below(7));
  for (Plane<D>& plane : planes) {
    float offset = 0;
    for (int axis = 0; axis < D; ++axis) {
      plane.normal[axis] = one_in(draw, 3) ? one_of(draw, {0.0F, -0.0F, 1.0F, -1.0F}) : unit(draw) - 0.5F;
      offset -= plane.normal[axis] * draw_side(draw, boxes, axis);
    }
    plane.offset = offset;
    if (one_in(draw, 32)) {
      (one_in(draw, 2) ? plane.offset : plane.normal[draw.below(D)]) = one_of(draw, {kNan, kInf, -kInf});
    }
  }
  return planes;
}

}  // namespace juxta::test
