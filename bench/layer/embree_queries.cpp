// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Embree's rtcPointQuery for boxes (a ball around the box, which the callback shrinks to nothing once it has
// what it wants), and rtcIntersect1 for rays.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bench/layer/contenders.h"
#include "bench/layer/embree_scene.h"

namespace juxta::bench {
namespace {

struct Question {
  const Aabb3* boxes;
  const Aabb3* query;
  std::uint32_t* out;
  std::size_t found;
};

bool keep_all(RTCPointQueryFunctionArguments* given) {
  Question& q = *static_cast<Question*>(given->userPtr);
  if (q.boxes[given->primID].overlaps(*q.query)) {
    q.out[q.found++] = given->primID;
  }
  return false;
}

bool keep_one(RTCPointQueryFunctionArguments* given) {
  Question& q = *static_cast<Question*>(given->userPtr);
  if (q.found == 0 && q.boxes[given->primID].overlaps(*q.query)) {
    q.out[q.found++] = given->primID;
    given->query->radius = 0;
    return true;
  }
  return false;
}

class EmbreeBoxes final : public BoxBuilder {
 public:
  EmbreeBoxes(std::span<const Aabb3> boxes, bool low)
      : scene_(low ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM,
               low ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE) {
    rtcInitPointQueryContext(&context_);
    scene_.commit(boxes);
  }
  void build(std::span<const Aabb3> boxes) override { scene_.commit(boxes); }
  std::uint32_t any(const Aabb3& query) override {
    std::uint32_t body = kNoBody;
    ask(query, &body, keep_one);
    return body;
  }
  std::size_t all(const Aabb3& query, std::span<std::uint32_t> out) override {
    return ask(query, out.data(), keep_all);
  }

 private:
  std::size_t ask(const Aabb3& box, std::uint32_t* out, RTCPointQueryFunction keep) {
    Question question{scene_.boxes().data(), &box, out, 0};
    RTCPointQuery query{};
    const float x = box.hi[0] - box.lo[0], y = box.hi[1] - box.lo[1], z = box.hi[2] - box.lo[2];
    query.x = box.lo[0] + x / 2;
    query.y = box.lo[1] + y / 2;
    query.z = box.lo[2] + z / 2;
    // A little more than half of the diagonal, for what the lines above round away.
    query.radius = std::sqrt(x * x + y * y + z * z) * 0.50001F;
    rtcPointQuery(scene_.handle(), &query, &context_, keep, &question);
    return question.found;
  }

  EmbreeScene scene_;
  RTCPointQueryContext context_{};
};

// The slab test of the contract (raycast.h), for one ray: Embree is only asked rtcIntersect1.
void enter_box(const RTCIntersectFunctionNArguments* given) {
  if (given->valid[0] == 0) {
    return;
  }
  const Aabb3& box = (*static_cast<const std::span<const Aabb3>*>(given->geometryUserPtr))[given->primID];
  auto& ray = *reinterpret_cast<RTCRayHit*>(given->rayhit);
  const float ox = ray.ray.org_x, oy = ray.ray.org_y, oz = ray.ray.org_z;
  const float ix = 1 / ray.ray.dir_x, iy = 1 / ray.ray.dir_y, iz = 1 / ray.ray.dir_z;
  const float x0 = (box.lo[0] - ox) * ix, x1 = (box.hi[0] - ox) * ix;
  const float y0 = (box.lo[1] - oy) * iy, y1 = (box.hi[1] - oy) * iy;
  const float z0 = (box.lo[2] - oz) * iz, z1 = (box.hi[2] - oz) * iz;
  const float enter =
      std::max(std::max(0.0F, std::min(x0, x1)), std::max(std::min(y0, y1), std::min(z0, z1)));
  const float leave = std::min(std::max(x0, x1), std::min(std::max(y0, y1), std::max(z0, z1)));
  if (enter <= leave && (enter < ray.ray.tfar || (enter == ray.ray.tfar && given->primID < ray.hit.primID))) {
    ray.ray.tfar = enter;
    ray.hit.primID = given->primID;
    ray.hit.geomID = given->geomID;
  }
}

class EmbreeRays final : public RayAsker {
 public:
  explicit EmbreeRays(std::span<const Aabb3> boxes) {
    scene_.commit(boxes);
    rtcInitIntersectContext(&context_);
  }
  RayHit closest(const Ray3& ray) override {
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
    rtcIntersect1(scene_.handle(), &context_, &query);
    return query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? RayHit{} : RayHit{query.hit.primID, query.ray.tfar};
  }

 private:
  EmbreeScene scene_{RTC_BUILD_QUALITY_MEDIUM, RTC_SCENE_FLAG_NONE, {enter_box, nullptr}};
  RTCIntersectContext context_{};
};

}  // namespace

std::unique_ptr<BoxBuilder> make_embree_boxes(std::span<const Aabb3> boxes, bool low) {
  return std::make_unique<EmbreeBoxes>(boxes, low);
}

std::unique_ptr<RayAsker> make_embree_rays(std::span<const Aabb3> boxes) {
  return std::make_unique<EmbreeRays>(boxes);
}

}  // namespace juxta::bench
