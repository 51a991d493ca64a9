// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// Bullet's casts of one convex shape against one, as a program calls them that has its shapes and transforms:
// btSubsimplexConvexCast, the fastest, and btContinuousConvexCollision, which convexSweepTest uses. The
// third, btGjkConvexCast, misses a third of all boxes and hulls without margins, and takes ten times as long.
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <map>
#include <memory>
#include <utility>

#include "bench/shape/casts.h"
#include "bench/support/settings.h"
#include "juxta/shape/parts.h"

namespace juxta::bench {
namespace {

btVector3 bullet_vector(const Vec3& v) {
  return {v.x, v.y, v.z};
}

class BulletCasts final : public CastAsker {
 public:
  BulletCasts(const std::vector<CastPair>& pairs, BulletCast way) : way_(way) {
    pairs_.reserve(pairs.size());
    for (const CastPair& pair : pairs) {
      Placed placed{make(pair.moving), make(pair.still), place(pair.from), place(pair.from), place(pair.at)};
      const Qvvs to = place_at({.from = pair.from, .way = pair.way, .turn = pair.turn}, 1);
      placed.to = pair.turn == Vec3{} ? placed.from : place(to);
      placed.to.setOrigin(placed.from.getOrigin() + bullet_vector(pair.way));
      pairs_.push_back(placed);
    }
  }

  float ask(std::size_t i) override {
    const Placed& pair = pairs_[i];
    btVoronoiSimplexSolver simplex;
    btConvexCast::CastResult result;
    result.m_fraction = 1;
    bool hit = false;
    if (way_ == BulletCast::kSubsimplex) {
      btSubsimplexConvexCast caster(pair.moving, pair.still, &simplex);
      hit = caster.calcTimeOfImpact(pair.from, pair.to, pair.at, pair.at, result);
    } else {
      btGjkEpaPenetrationDepthSolver depth;
      btContinuousConvexCollision caster(pair.moving, pair.still, &simplex, &depth);
      hit = caster.calcTimeOfImpact(pair.from, pair.to, pair.at, pair.at, result);
    }
    return hit && result.m_fraction <= 1 ? result.m_fraction : 2;
  }

 private:
  struct Placed {
    const btConvexShape *moving, *still;
    btTransform from, to, at;
  };

  static btTransform place(const Qvvs& at) {
    return btTransform(btQuaternion(at.rotation.x, at.rotation.y, at.rotation.z, at.rotation.w),
                       bullet_vector(at.position));
  }
  // Capsules lie along y. Without margins the answers are those of the shapes as they are.
  const btConvexShape* make(const Shape& shape) {
    if (const auto* capsule = shape.get_if<Capsule>()) {
      return keep(std::make_unique<btCapsuleShape>(capsule->radius, capsule->b.y - capsule->a.y));
    }
    if (const auto* box = shape.get_if<Box>()) {
      auto made = std::make_unique<btBoxShape>(bullet_vector(box->half));
      made->setMargin(0);
      return keep(std::move(made));
    }
    const auto* hull = shape.get_if<ConvexHull>();
    if (hull == nullptr) {
      give_up("the casts hold a shape that bullet_casts.cpp does not know.");
    }
    const btConvexShape*& known = hulls_[hull];
    if (known == nullptr) {
      auto made = std::make_unique<btConvexHullShape>();
      for (const Vec3& v : hull->vertices()) {
        made->addPoint(bullet_vector(v), false);
      }
      made->recalcLocalAabb();
      made->setMargin(0);
      known = keep(std::move(made));
    }
    return known;
  }
  const btConvexShape* keep(std::unique_ptr<btConvexShape> shape) {
    shapes_.push_back(std::move(shape));
    return shapes_.back().get();
  }

  BulletCast way_;
  std::vector<Placed> pairs_;
  std::map<const ConvexHull*, const btConvexShape*> hulls_;
  std::vector<std::unique_ptr<btConvexShape>> shapes_;
};

}  // namespace

std::unique_ptr<CastAsker> make_bullet_casts(const std::vector<CastPair>& pairs, BulletCast way) {
  return std::make_unique<BulletCasts>(pairs, way);
}

}  // namespace juxta::bench
