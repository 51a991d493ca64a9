// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/shape/embree_rays.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kWide = 16;

class Mesh final : public EmbreeMesh {
 public:
  Mesh(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles, bool coherent)
      : device_(rtcNewDevice("threads=1")) {
    if (device_ == nullptr) {
      give_up("Embree makes no device.");
    }
    scene_ = rtcNewScene(device_);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    auto* v = static_cast<Vec3*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(vertices[0]), vertices.size()));
    std::copy(vertices.begin(), vertices.end(), v);
    auto* t = static_cast<std::array<std::uint32_t, 3>*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(triangles[0]), triangles.size()));
    std::copy(triangles.begin(), triangles.end(), t);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    rtcInitIntersectContext(&context_);
    context_.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  }
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;
  ~Mesh() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  void prepare(std::span<const Ray3> rays) override {
    ones_.assign(rays.size(), {});
    packets_.assign((rays.size() + kWide - 1) / kWide, {});
    for (std::size_t i = 0; i < rays.size(); ++i) {
      const Ray3& ray = rays[i];
      RTCRayHit& one = ones_[i];
      one.ray.org_x = ray.origin[0];
      one.ray.org_y = ray.origin[1];
      one.ray.org_z = ray.origin[2];
      one.ray.dir_x = ray.direction[0];
      one.ray.dir_y = ray.direction[1];
      one.ray.dir_z = ray.direction[2];
      one.ray.tfar = ray.max;
      one.ray.mask = ~0U;
      one.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      one.hit.primID = RTC_INVALID_GEOMETRY_ID;
      RTCRayHit16& many = packets_[i / kWide];
      const std::size_t lane = i % kWide;
      many.ray.org_x[lane] = one.ray.org_x;
      many.ray.org_y[lane] = one.ray.org_y;
      many.ray.org_z[lane] = one.ray.org_z;
      many.ray.dir_x[lane] = one.ray.dir_x;
      many.ray.dir_y[lane] = one.ray.dir_y;
      many.ray.dir_z[lane] = one.ray.dir_z;
      many.ray.tfar[lane] = one.ray.tfar;
      many.ray.mask[lane] = ~0U;
      many.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
      many.hit.primID[lane] = RTC_INVALID_GEOMETRY_ID;
    }
  }

  void intersect16(std::span<MeshHit> out) override {
    alignas(64) int valid[kWide];
    for (std::size_t i = 0; i < packets_.size(); ++i) {
      const std::size_t count = std::min(kWide, out.size() - i * kWide);
      for (std::size_t lane = 0; lane < kWide; ++lane) {
        valid[lane] = lane < count ? -1 : 0;
      }
      RTCRayHit16 packet = packets_[i];
      rtcIntersect16(valid, scene_, &context_, &packet);
      for (std::size_t lane = 0; lane < count; ++lane) {
        out[i * kWide + lane] = {packet.hit.primID[lane], packet.ray.tfar[lane]};
      }
    }
  }

  void intersect1(std::span<MeshHit> out) override {
    for (std::size_t i = 0; i < ones_.size(); ++i) {
      RTCRayHit one = ones_[i];
      rtcIntersect1(scene_, &context_, &one);
      out[i] = {one.hit.primID, one.ray.tfar};
    }
  }

  void occluded1(std::span<MeshHit> out) override {
    for (std::size_t i = 0; i < ones_.size(); ++i) {
      RTCRay ray = ones_[i].ray;
      rtcOccluded1(scene_, &context_, &ray);
      out[i] = {ray.tfar < 0 ? 0 : MeshHit().triangle, ray.tfar};
    }
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
  RTCIntersectContext context_{};
  std::vector<RTCRayHit> ones_;
  std::vector<RTCRayHit16> packets_;
};

}  // namespace

std::unique_ptr<EmbreeMesh> make_embree_mesh(std::span<const Vec3> vertices,
                                             std::span<const std::array<std::uint32_t, 3>> triangles,
                                             bool coherent) {
  return std::make_unique<Mesh>(vertices, triangles, coherent);
}

}  // namespace juxta::bench
