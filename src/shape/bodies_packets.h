// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Internal: sixteen rays that ask bodies one after the other, and go through meshes together.
//
// The first ray that meets a mesh asks alone; when a second one does, all that are still to come are asked
// with it, and their answers kept. What a ray hits in a mesh does not depend on where behind it the ray ends
// (MeshExtent::beyond()), so an answer for all of the ray is the one for what is left of it, or lies behind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/shape/bodies.h"

namespace juxta::shape_detail {

/// Whether rays run along one axis, in one direction, no more than an eighth apart, and start within `apart`
/// of each other.
[[nodiscard]] bool side_by_side(std::span<const Ray3> rays, float apart) noexcept;

class RayPacket {
 public:
  static constexpr std::size_t kMost = 16;

  /// The next ones: rays[members[i]], as many as kMost.
  void start(std::span<const Ray3> rays, std::span<const std::uint32_t> members) noexcept;
  [[nodiscard]] const Ray3& ray(std::size_t i) const noexcept { return rays_[i]; }
  /// What ray i hits in a body at or before `end`; hits behind that may be answered too.
  [[nodiscard]] SurfaceHit ask(std::size_t i, const Body& body, float end) noexcept;

 private:
  struct Kept {
    const Body* body;
    bool together;  // all rays from that one on have their answers
    std::array<SurfaceHit, kMost> hits;
  };
  [[nodiscard]] Kept& kept_of(const Body& body) noexcept;

  std::array<Ray3, kMost> rays_{};
  std::size_t count_ = 0;
  bool together_ = false;
  std::array<Kept, 4> kept_{};  // of the bodies met last
  std::size_t next_ = 0;
};

}  // namespace juxta::shape_detail
