// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Bullet's btCollisionWorld over btDbvtBroadphase, its tree optimised top-down once all bodies are in:
// rayTest, convexSweepTest, and for the nearest body aabbTest with btGjkPairDetector for each candidate. A
// box around the question cannot shrink on the way, so that it starts small and doubles until the nearest of
// what it met is not farther than it reaches; .5 is the best start here.
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "bench/shape/layer_world.h"
#include "bench/support/settings.h"

namespace juxta::bench {
namespace {

constexpr float kFirstReach = 0.5F;

btVector3 vector_of(const Vec3& v) {
  return {v.x, v.y, v.z};
}

btTransform transform_of(const Qvvs& at) {
  return btTransform(btQuaternion(at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.w),
                     vector_of(at.position));
}

// Bullet's own shapes; hulls and meshes once each. Only what the scene has: capsules lie along y, boxes and
// spheres in the middle.
class BulletShapes {
 public:
  btCollisionShape* make(const Shape& shape) {
    if (const auto* sphere = shape.get_if<Sphere>()) {
      return keep(std::make_unique<btSphereShape>(sphere->radius));
    }
    if (const auto* capsule = shape.get_if<Capsule>()) {
      return keep(std::make_unique<btCapsuleShape>(capsule->radius, capsule->b.y - capsule->a.y));
    }
    if (const auto* box = shape.get_if<Box>()) {
      return keep(make_box(vector_of(box->half)));
    }
    if (const auto* hull = shape.get_if<ConvexHull>()) {
      btCollisionShape*& made = shared_[hull];
      return made != nullptr ? made : made = make_hull(*hull);
    }
    if (const auto* mesh = shape.get_if<TriangleMesh>()) {
      btCollisionShape*& made = shared_[mesh];
      return made != nullptr ? made : made = make_mesh(*mesh);
    }
    give_up("the world holds a shape that bullet_bodies.cpp does not know.");
  }

 private:
  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes_.push_back(std::move(shape));
    return shapes_.back().get();
  }
  // Margins round the corners of boxes off, and lie outside of hulls and triangles: without them the answers
  // are those of the shapes as they are.
  static std::unique_ptr<btBoxShape> make_box(const btVector3& half) {
    auto made = std::make_unique<btBoxShape>(half);
    made->setMargin(0);
    return made;
  }
  btCollisionShape* make_hull(const ConvexHull& hull) {
    auto made = std::make_unique<btConvexHullShape>();
    for (const Vec3& v : hull.vertices()) {
      made->addPoint(vector_of(v), false);
    }
    made->recalcLocalAabb();
    made->setMargin(0);
    return keep(std::move(made));
  }
  btCollisionShape* make_mesh(const TriangleMesh& mesh) {
    triangles_.push_back(std::make_unique<btTriangleMesh>());
    for (std::uint32_t i = 0; i < mesh.triangle_count(); ++i) {
      const Triangle t = mesh.triangle(i);
      triangles_.back()->addTriangle(vector_of(t.a), vector_of(t.b), vector_of(t.c));
    }
    auto made = std::make_unique<btBvhTriangleMeshShape>(triangles_.back().get(), true);
    made->setMargin(0);
    return keep(std::move(made));
  }

  std::map<const void*, btCollisionShape*> shared_;
  std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
};

// The nearest of the bodies that a box meets.
struct NearestOfBox final : btBroadphaseAabbCallback {
  const btConvexShape* shape = nullptr;
  btTransform at;
  float reach = 0;
  BodyAnswer best{};

  [[nodiscard]] float limit() const { return best.body == kNoBody ? reach : std::min(best.value, reach); }

  void measure(const btConvexShape& other, const btTransform& where, std::uint32_t body) {
    btVoronoiSimplexSolver simplex;
    btGjkPairDetector detector(shape, &other, &simplex, nullptr);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = at;
    input.m_transformB = where;
    const btScalar most = limit() + shape->getMargin() + other.getMargin();
    input.m_maximumDistanceSquared = most * most;
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    if (result.m_hasResult && result.m_distance <= limit()) {
      best = {body, result.m_distance};
    }
  }

  bool process(const btBroadphaseProxy* proxy) override {
    const auto* object = static_cast<const btCollisionObject*>(proxy->m_clientObject);
    const btCollisionShape* other = object->getCollisionShape();
    const auto body = static_cast<std::uint32_t>(object->getUserIndex());
    if (other->isConvex()) {
      measure(*static_cast<const btConvexShape*>(other), object->getWorldTransform(), body);
      return true;
    }
    struct EachTriangle final : btTriangleCallback {
      void processTriangle(btVector3* corners, int, int) override {
        btTriangleShape triangle(corners[0], corners[1], corners[2]);
        triangle.setMargin(0);
        nearest->measure(triangle, *where, body);
      }
      NearestOfBox* nearest = nullptr;
      const btTransform* where = nullptr;
      std::uint32_t body = 0;
    } each;
    each.nearest = this;
    each.where = &object->getWorldTransform();
    each.body = body;
    btVector3 lo, hi;
    shape->getAabb(object->getWorldTransform().inverse() * at, lo, hi);
    const btVector3 more(limit(), limit(), limit());
    static_cast<const btConcaveShape*>(other)->processAllTriangles(&each, lo - more, hi + more);
    return true;
  }
};

class BulletBodies final : public BodyAsker {
 public:
  explicit BulletBodies(const scenes::BodyWorld& world) {
    objects_.reserve(world.bodies.size());
    for (const Body& body : world.bodies) {
      auto object = std::make_unique<btCollisionObject>();
      object->setCollisionShape(shapes_.make(body.shape));
      object->setWorldTransform(transform_of(body.at));
      object->setUserIndex(static_cast<int>(objects_.size()));
      world_.addCollisionObject(object.get());
      objects_.push_back(std::move(object));
    }
    broadphase_.optimize();
  }
  BulletBodies(const BulletBodies&) = delete;
  BulletBodies& operator=(const BulletBodies&) = delete;

  BodyAnswer ray(const Ray3& ray) override {
    const btVector3 from(ray.origin[0], ray.origin[1], ray.origin[2]);
    const btVector3 to = from + btVector3(ray.direction[0], ray.direction[1], ray.direction[2]);
    btCollisionWorld::ClosestRayResultCallback result(from, to);
    world_.rayTest(from, to, result);
    return result.hasHit() ? BodyAnswer{index_of(result.m_collisionObject), result.m_closestHitFraction}
                           : BodyAnswer{};
  }
  BodyAnswer cast(const BodyCast& cast) override {
    const btTransform from = transform_of(cast.from);
    btTransform to = from;
    to.setOrigin(from.getOrigin() + vector_of(cast.way));
    btCollisionWorld::ClosestConvexResultCallback result(from.getOrigin(), to.getOrigin());
    world_.convexSweepTest(moving(cast.shape), from, to, result);
    return result.hasHit() ? BodyAnswer{index_of(result.m_hitCollisionObject), result.m_closestHitFraction}
                           : BodyAnswer{};
  }
  BodyAnswer closest(const Shape& shape, const Qvvs& at) override {
    NearestOfBox nearest;
    nearest.shape = moving(shape);
    nearest.at = transform_of(at);
    btVector3 lo, hi;
    nearest.shape->getAabb(nearest.at, lo, hi);
    for (float reach = kFirstReach;; reach *= 2) {
      nearest.reach = std::min(reach, kMostDistance);
      const btVector3 more(nearest.reach, nearest.reach, nearest.reach);
      broadphase_.aabbTest(lo - more, hi + more, nearest);
      if (nearest.best.body != kNoBody || reach >= kMostDistance) {
        return nearest.best;
      }
    }
  }

 private:
  static std::uint32_t index_of(const btCollisionObject* object) {
    return static_cast<std::uint32_t>(object->getUserIndex());
  }
  // All questions of the scene have one shape.
  const btConvexShape* moving(const Shape& shape) {
    if (moving_ == nullptr) {
      moving_ = static_cast<const btConvexShape*>(shapes_.make(shape));
    }
    return moving_;
  }

  BulletShapes shapes_;
  const btConvexShape* moving_ = nullptr;
  std::vector<std::unique_ptr<btCollisionObject>> objects_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btNullPairCache no_pairs_;
  btDbvtBroadphase broadphase_{&no_pairs_};
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
};

}  // namespace

std::unique_ptr<BodyAsker> make_bullet_bodies(const scenes::BodyWorld& world) {
  return std::make_unique<BulletBodies>(world);
}

}  // namespace juxta::bench
