// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "juxta/layer/raycast.h"

namespace juxta::bench {

struct MeshHit {
  std::uint32_t triangle = ~std::uint32_t{0};
  float t = 0;
};

/// Embree over one mesh: its high-quality build, without the robust flag, on one thread.
class EmbreeMesh {
 public:
  virtual ~EmbreeMesh() = default;
  /// Rays in the form that its functions take; out as long as they are. 16 at a time, or one.
  virtual void prepare(std::span<const Ray3> rays) = 0;
  virtual void intersect16(std::span<MeshHit> out) = 0;
  virtual void intersect1(std::span<MeshHit> out) = 0;
  /// Whether anything is hit: triangle 0 where it is.
  virtual void occluded1(std::span<MeshHit> out) = 0;
};

[[nodiscard]] std::unique_ptr<EmbreeMesh> make_embree_mesh(
    std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles, bool coherent);

}  // namespace juxta::bench
