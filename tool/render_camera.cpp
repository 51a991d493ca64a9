// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "tool/render.h"

namespace juxta::tool {
namespace {

constexpr double kTan20 = 0.36397023426620234, kSin20 = 0.34202014332566871;

struct Way {
  double x, y, z;
};
Way unit(Way v) {
  const double l = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return {v.x / l, v.y / l, v.z / l};
}
Way cross_of(Way a, Way b) {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
Vec3 floats(Way v, double length) {
  return {static_cast<float>(v.x * length), static_cast<float>(v.y * length),
          static_cast<float>(v.z * length)};
}

}  // namespace

Ray3 Camera::ray(std::uint32_t x, std::uint32_t y) const noexcept {
  const float u = (2 * static_cast<float>(x) + 1) / static_cast<float>(width) - 1;
  const float v = 1 - (2 * static_cast<float>(y) + 1) / static_cast<float>(height);
  const Vec3 way = forward + right * u + up * v;
  return {{eye.x, eye.y, eye.z}, {way.x, way.y, way.z}};
}

Result<Camera> make_camera(const Vec3& eye, const Vec3& at, std::uint32_t width, std::uint32_t height) {
  const Way way{static_cast<double>(at.x) - static_cast<double>(eye.x),
                static_cast<double>(at.y) - static_cast<double>(eye.y),
                static_cast<double>(at.z) - static_cast<double>(eye.z)};
  if (eye == at) {
    return fail(ErrorCode::kInvalidArgument,
                "--eye and --at are the same point: the camera looks from one to the other");
  }
  const Way forward = unit(way);
  // Straight up or down there is no "upwards" in the picture: then it is z.
  const bool steep = std::abs(forward.y) > 0.999;
  const Way right = unit(cross_of(forward, steep ? Way{0, 0, -1} : Way{0, 1, 0}));
  const double aspect = static_cast<double>(width) / static_cast<double>(height);
  return Camera{eye,
                floats(forward, 1),
                floats(right, kTan20 * aspect),
                floats(cross_of(right, forward), kTan20),
                width,
                height};
}

Viewpoint viewpoint_of(const Aabb3& bounds, std::uint32_t width, std::uint32_t height) {
  Way middle{}, half{};
  double* const m[] = {&middle.x, &middle.y, &middle.z};
  double* const h[] = {&half.x, &half.y, &half.z};
  for (int axis = 0; axis < 3; ++axis) {
    const auto lo = static_cast<double>(bounds.lo[axis]), hi = static_cast<double>(bounds.hi[axis]);
    *m[axis] = (lo + hi) / 2;
    *h[axis] = (hi - lo) / 2;
  }
  const double radius = std::sqrt(half.x * half.x + half.y * half.y + half.z * half.z);
  // The ball around the box fits into the cone of the camera's shorter side.
  const double narrow = std::min(1.0, static_cast<double>(width) / static_cast<double>(height));
  const double away = radius > 0 ? radius / (kSin20 * narrow) : 1;
  const Way to = unit({0.45, 0.35, 1});
  return {floats({middle.x + to.x * away, middle.y + to.y * away, middle.z + to.z * away}, 1),
          floats(middle, 1)};
}

}  // namespace juxta::tool
