// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/bodies_packets.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "shape/mesh_ray.h"
#include "shape/placed.h"

namespace juxta::shape_detail {

bool side_by_side(std::span<const Ray3> rays, float apart) noexcept {
  const Vec3 first = rays[0].direction;
  std::size_t main = std::fabs(first[0]) >= std::fabs(first[1]) ? 0 : 1;
  main = std::fabs(first[2]) > std::fabs(first[main]) ? 2 : main;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    float least = std::numeric_limits<float>::infinity(), most = -least, from = least, to = most;
    for (const Ray3& ray : rays) {
      const float ratio = ray.direction[axis] / ray.direction[main];
      least = std::min(least, ratio);
      most = std::max(most, ratio);
      from = std::min(from, ray.origin[axis]);
      to = std::max(to, ray.origin[axis]);
      if (std::signbit(ray.direction[main]) != std::signbit(first[main])) {
        return false;
      }
    }
    if (!(most - least <= 0.125F) || !(to - from <= apart)) {
      return false;
    }
  }
  return true;
}

void RayPacket::start(std::span<const Ray3> rays, std::span<const std::uint32_t> members) noexcept {
  for (std::size_t i = 0; i < members.size(); ++i) {
    rays_[i] = rays[members[i]];
  }
  count_ = members.size();
  together_ =
      count_ > 1 && side_by_side(std::span(rays_).first(count_), std::numeric_limits<float>::infinity());
  for (Kept& kept : kept_) {
    kept.body = nullptr;
  }
}

RayPacket::Kept& RayPacket::kept_of(const Body& body) noexcept {
  for (Kept& kept : kept_) {
    if (kept.body == &body) {
      return kept;
    }
  }
  Kept& kept = kept_[next_];
  next_ = (next_ + 1) % kept_.size();
  kept.body = nullptr;
  return kept;
}

SurfaceHit RayPacket::ask(std::size_t i, const Body& body, float end) noexcept {
  if (together_ && i + 1 < count_ && triangles_of(body.shape) != nullptr) {
    Kept& kept = kept_of(body);
    if (kept.body != nullptr && !kept.together) {
      const std::size_t rest = count_ - i;
      raycast_serial(body.shape, body.at, std::span<const Ray3>(rays_).subspan(i, rest),
                     std::span(kept.hits).subspan(i, rest));
      kept.together = true;
    }
    if (kept.body != nullptr) {
      return kept.hits[i];
    }
    kept.body = &body;
    kept.together = false;
  }
  Ray3 rest = rays_[i];
  rest.max = end;
  return raycast(body.shape, body.at, rest);
}

}  // namespace juxta::shape_detail
