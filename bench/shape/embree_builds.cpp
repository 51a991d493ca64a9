// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/shape/embree_builds.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <memory>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

using Corners = std::array<std::uint32_t, 3>;

Aabb3 bounds_of(RTCScene scene) {
  RTCBounds b;
  rtcGetSceneBounds(scene, &b);
  return {{b.lower_x, b.lower_y, b.lower_z}, {b.upper_x, b.upper_y, b.upper_z}};
}

class Builds final : public EmbreeBuilds {
 public:
  Builds(std::span<const Vec3> vertices, std::span<const Corners> triangles)
      : device_(rtcNewDevice("threads=1")), vertices_(vertices), triangles_(triangles) {
    if (device_ == nullptr) {
      give_up("Embree makes no device.");
    }
  }
  Builds(const Builds&) = delete;
  Builds& operator=(const Builds&) = delete;
  ~Builds() override {
    if (refitted_ != nullptr) {
      rtcReleaseScene(refitted_);
    }
    rtcReleaseDevice(device_);
  }

  Aabb3 build(EmbreeQuality quality) override {
    const RTCScene scene = make(quality);
    const Aabb3 bounds = bounds_of(scene);
    rtcReleaseScene(scene);
    return bounds;
  }

  Aabb3 refit(std::span<const Vec3> vertices) override {
    if (refitted_ == nullptr) {
      refitted_ = make(EmbreeQuality::kRefit);
    }
    RTCGeometry geometry = rtcGetGeometry(refitted_, 0);
    std::copy(vertices.begin(), vertices.end(),
              static_cast<Vec3*>(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0)));
    rtcUpdateGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(geometry);
    rtcCommitScene(refitted_);
    return bounds_of(refitted_);
  }

 private:
  RTCScene make(EmbreeQuality quality) {
    const RTCScene scene = rtcNewScene(device_);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    const RTCBuildQuality of_scene = quality == EmbreeQuality::kMedium ? RTC_BUILD_QUALITY_MEDIUM
                                     : quality == EmbreeQuality::kHigh ? RTC_BUILD_QUALITY_HIGH
                                                                       : RTC_BUILD_QUALITY_LOW;
    rtcSetSceneBuildQuality(scene, of_scene);
    rtcSetGeometryBuildQuality(geometry,
                               quality == EmbreeQuality::kRefit ? RTC_BUILD_QUALITY_REFIT : of_scene);
    if (quality == EmbreeQuality::kRefit) {
      rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
    }
    auto* v = static_cast<Vec3*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0,
                                                         RTC_FORMAT_FLOAT3, sizeof(Vec3), vertices_.size()));
    std::copy(vertices_.begin(), vertices_.end(), v);
    auto* t = static_cast<Corners*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Corners), triangles_.size()));
    std::copy(triangles_.begin(), triangles_.end(), t);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene);
    return scene;
  }

  RTCDevice device_;
  RTCScene refitted_ = nullptr;
  std::span<const Vec3> vertices_;
  std::span<const Corners> triangles_;
};

}  // namespace

std::unique_ptr<EmbreeBuilds> make_embree_builds(std::span<const Vec3> vertices,
                                                 std::span<const Corners> triangles) {
  return std::make_unique<Builds>(vertices, triangles);
}

}  // namespace juxta::bench
