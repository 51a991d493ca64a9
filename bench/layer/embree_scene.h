// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <embree3/rtcore.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "juxta/math/aabb.h"

namespace juxta::bench {

/// Boxes as one user geometry of an Embree scene: box i is primitive i.
///
/// A device of one thread, or rtcCollide would use all of them. Embree gets that by limiting oneTBB for the
/// whole process while the device lives: rows with threads run before any of this is made.
class EmbreeScene {
 public:
  struct Functions {
    RTCIntersectFunctionN intersect = nullptr;
    RTCOccludedFunctionN occluded = nullptr;
  };
  EmbreeScene(RTCBuildQuality quality, RTCSceneFlags flags, const Functions& functions);
  explicit EmbreeScene(RTCBuildQuality quality, RTCSceneFlags flags = RTC_SCENE_FLAG_NONE)
      : EmbreeScene(quality, flags, Functions{}) {}
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;
  ~EmbreeScene();

  /// Builds anew over these boxes, which must stay where they are while the scene is asked.
  void commit(std::span<const Aabb3> boxes);
  [[nodiscard]] RTCScene handle() const noexcept { return scene_; }
  [[nodiscard]] std::span<const Aabb3> boxes() const noexcept { return boxes_; }
  /// What Embree holds now.
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return static_cast<std::size_t>(bytes_.load()); }

 private:
  std::span<const Aabb3> boxes_;
  std::atomic<std::int64_t> bytes_{0};
  RTCDevice device_;
  RTCScene scene_;
  RTCGeometry geometry_;
};

}  // namespace juxta::bench
