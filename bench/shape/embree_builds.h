// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Embree's builds and refits of one mesh, on one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "juxta/math/aabb.h"

namespace juxta::bench {

/// RTC_BUILD_QUALITY_MEDIUM, LOW, HIGH, and REFIT of a mesh that was built as MEDIUM.
enum class EmbreeQuality { kMedium, kLow, kHigh, kRefit };

class EmbreeBuilds {
 public:
  virtual ~EmbreeBuilds() = default;
  /// From arrays to a scene that can be asked, copies included; returns its bounds.
  virtual Aabb3 build(EmbreeQuality quality) = 0;
  /// The scene of kRefit gets these vertices; returns its bounds.
  virtual Aabb3 refit(std::span<const Vec3> vertices) = 0;
};

/// Borrows.
[[nodiscard]] std::unique_ptr<EmbreeBuilds> make_embree_builds(
    std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace juxta::bench
