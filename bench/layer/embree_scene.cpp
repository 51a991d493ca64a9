// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "bench/layer/embree_scene.h"

#include <string>

#include "bench/layer/contenders.h"
#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

void refuse(void*, RTCError, const char* message) {
  give_up(std::string("Embree: ") + message);
}

bool count_bytes(void* user, ssize_t bytes, bool) {
  static_cast<std::atomic<std::int64_t>*>(user)->fetch_add(bytes);
  return true;
}

void bounds_of(const RTCBoundsFunctionArguments* given) {
  const Aabb3& box = (*static_cast<const std::span<const Aabb3>*>(given->geometryUserPtr))[given->primID];
  RTCBounds& out = *given->bounds_o;
  out.lower_x = box.lo[0];
  out.lower_y = box.lo[1];
  out.lower_z = box.lo[2];
  out.upper_x = box.hi[0];
  out.upper_y = box.hi[1];
  out.upper_z = box.hi[2];
}

}  // namespace

EmbreeScene::EmbreeScene(RTCBuildQuality quality, RTCSceneFlags flags, const Functions& functions)
    : device_(rtcNewDevice("threads=1")) {
  if (device_ == nullptr) {
    give_up("Embree makes no device.");
  }
  threads_are_held = true;
  rtcSetDeviceErrorFunction(device_, refuse, nullptr);
  rtcSetDeviceMemoryMonitorFunction(device_, count_bytes, &bytes_);
  scene_ = rtcNewScene(device_);
  rtcSetSceneBuildQuality(scene_, quality);
  rtcSetSceneFlags(scene_, flags);
  geometry_ = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryBuildQuality(geometry_, quality);
  rtcSetGeometryUserData(geometry_, &boxes_);
  rtcSetGeometryBoundsFunction(geometry_, bounds_of, nullptr);
  if (functions.intersect != nullptr) {
    rtcSetGeometryIntersectFunction(geometry_, functions.intersect);
  }
  if (functions.occluded != nullptr) {
    rtcSetGeometryOccludedFunction(geometry_, functions.occluded);
  }
  rtcAttachGeometryByID(scene_, geometry_, 0);
}

EmbreeScene::~EmbreeScene() {
  rtcReleaseGeometry(geometry_);
  rtcReleaseScene(scene_);
  rtcReleaseDevice(device_);
}

void EmbreeScene::commit(std::span<const Aabb3> boxes) {
  if (boxes.size() != boxes_.size()) {
    rtcSetGeometryUserPrimitiveCount(geometry_, static_cast<unsigned>(boxes.size()));
  }
  boxes_ = boxes;
  rtcCommitGeometry(geometry_);
  rtcCommitScene(scene_);
}

}  // namespace juxta::bench
