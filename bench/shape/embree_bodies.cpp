// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Embree's tree over the boxes of bodies as user geometry; the callback asks the body exactly, by the same
// function as the library's own layer does. Best build quality, one thread.
#include <embree3/rtcore.h>

#include "bench/shape/layer_world.h"
#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

void refuse(void*, RTCError, const char* message) {
  give_up(std::string("Embree: ") + message);
}

void body_bounds(const RTCBoundsFunctionArguments* given) {
  const Body& body = static_cast<const Body*>(given->geometryUserPtr)[given->primID];
  const Aabb3 box = bounds_of(body.shape, body.at);
  RTCBounds& out = *given->bounds_o;
  out.lower_x = box.lo[0];
  out.lower_y = box.lo[1];
  out.lower_z = box.lo[2];
  out.upper_x = box.hi[0];
  out.upper_y = box.hi[1];
  out.upper_z = box.hi[2];
}

// For one ray: Embree is only asked rtcIntersect1.
void hit_body(const RTCIntersectFunctionNArguments* given) {
  if (given->valid[0] == 0) {
    return;
  }
  const Body& body = static_cast<const Body*>(given->geometryUserPtr)[given->primID];
  auto& query = *reinterpret_cast<RTCRayHit*>(given->rayhit);
  const Ray3 ray{{query.ray.org_x, query.ray.org_y, query.ray.org_z},
                 {query.ray.dir_x, query.ray.dir_y, query.ray.dir_z},
                 query.ray.tfar};
  const SurfaceHit hit = raycast(body.shape, body.at, ray);
  if (hit && (hit.t < query.ray.tfar || (hit.t == query.ray.tfar && given->primID < query.hit.primID))) {
    query.ray.tfar = hit.t;
    query.hit.Ng_x = hit.normal.x;
    query.hit.Ng_y = hit.normal.y;
    query.hit.Ng_z = hit.normal.z;
    query.hit.primID = given->primID;
    query.hit.geomID = given->geomID;
  }
}

class EmbreeBodies final : public BodyAsker {
 public:
  explicit EmbreeBodies(const scenes::BodyWorld& world) : device_(rtcNewDevice("threads=1")) {
    if (device_ == nullptr) {
      give_up("Embree makes no device.");
    }
    rtcSetDeviceErrorFunction(device_, refuse, nullptr);
    scene_ = rtcNewScene(device_);
    rtcSetSceneBuildQuality(scene_, RTC_BUILD_QUALITY_HIGH);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_HIGH);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(world.bodies.size()));
    rtcSetGeometryUserData(geometry, const_cast<Body*>(world.bodies.data()));  // read alone
    rtcSetGeometryBoundsFunction(geometry, body_bounds, nullptr);
    rtcSetGeometryIntersectFunction(geometry, hit_body);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene_, geometry, 0);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
    rtcInitIntersectContext(&context_);
  }
  EmbreeBodies(const EmbreeBodies&) = delete;
  EmbreeBodies& operator=(const EmbreeBodies&) = delete;
  ~EmbreeBodies() override {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  BodyAnswer ray(const Ray3& ray) override {
    RTCRayHit query{};
    query.ray.org_x = ray.origin[0];
    query.ray.org_y = ray.origin[1];
    query.ray.org_z = ray.origin[2];
    query.ray.dir_x = ray.direction[0];
    query.ray.dir_y = ray.direction[1];
    query.ray.dir_z = ray.direction[2];
    query.ray.tfar = ray.max;
    query.ray.mask = ~0U;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.primID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context_, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? BodyAnswer{}
                                                       : BodyAnswer{query.hit.primID, query.ray.tfar};
  }
  BodyAnswer cast(const BodyCast&) override { give_up("Embree casts no shapes."); }
  BodyAnswer closest(const Shape&, const Qvvs&) override { give_up("Embree is asked rays alone."); }

 private:
  RTCDevice device_;
  RTCScene scene_ = nullptr;
  RTCIntersectContext context_{};
};

}  // namespace

std::unique_ptr<BodyAsker> make_embree_bodies(const scenes::BodyWorld& world) {
  return std::make_unique<EmbreeBodies>(world);
}

}  // namespace juxta::bench
