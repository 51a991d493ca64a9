// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One question against all bodies: the kernel finds candidates by their boxes, nearest first, and each is
// asked exactly; the best answer so far ends the search for whatever is entered behind it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "juxta/layer/query.h"
#include "juxta/shape/bodies.h"
#include "layer/query_kernel.h"
#include "layer/ray_kernel.h"
#include "shape/bodies_kernel.h"
#include "shape/bodies_store.h"
#include "shape/ray_every.h"
#include "shape/turning.h"

namespace juxta {
namespace {

using layer_detail::SearchWork;
using shape_detail::BodiesStore;
using shape_detail::Lowest;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kStop = -1;
// Distances and times are rounded to float once more than what the kernel compares them with.
constexpr float kSlack = 1 + 0x1p-20F;

float next_up(float value) {
  return std::nextafter(value, kInfinity);
}

/// A ray as the kernel wants it. Its direction is scaled by a power of two, which is exact, so that neither
/// long nor short ones leave the range of floats on the way.
class Way {
 public:
  explicit Way(const Ray3& ray) {
    const float longest =
        std::max({std::fabs(ray.direction[0]), std::fabs(ray.direction[1]), std::fabs(ray.direction[2])});
    power_ = longest > 0 ? std::ilogb(longest) : 0;
    for (int axis = 0; axis < 3; ++axis) {
      way_.origin[axis] = ray.origin[axis];
      way_.direction[axis] = std::ldexp(ray.direction[axis], -power_);
      if (way_.direction[axis] == 0 && ray.direction[axis] != 0) {  // beside a part near the largest float
        way_.direction[axis] = std::copysign(std::numeric_limits<float>::denorm_min(), ray.direction[axis]);
      }
    }
    way_.end = end_at(ray.max);
  }
  /// A box that moves.
  Way(const Aabb3& box, const Ray3& ray) : Way(ray) {
    for (int axis = 0; axis < 3; ++axis) {
      way_.half[axis] = next_up(std::max(box.hi[axis] - ray.origin[axis], ray.origin[axis] - box.lo[axis]));
    }
  }
  [[nodiscard]] const shape_detail::BoxWay& get() const { return way_; }
  /// A time of the ray as the kernel's, rounded up.
  [[nodiscard]] float end_at(float t) const {
    return std::ldexp(t, power_) * kSlack + std::numeric_limits<float>::min();
  }

 private:
  shape_detail::BoxWay way_{};
  int power_ = 0;
};

/// A ray of a tiny direction as one of length about 1, by a power of two: t of two bodies would both be
/// infinite, and the nearer one unknown. Others stay as they are.
class Stretched {
 public:
  explicit Stretched(const Ray3& ray) : ray_(ray), max_(ray.max) {
    const float longest =
        std::max({std::fabs(ray.direction[0]), std::fabs(ray.direction[1]), std::fabs(ray.direction[2])});
    if (!(longest > 0 && longest < 0x1p-100F)) {
      return;
    }
    power_ = -std::ilogb(longest);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      ray_.direction[axis] = std::ldexp(ray_.direction[axis], power_);
    }
    ray_.max = std::ldexp(max_, -power_);
    ray_.max = std::ldexp(ray_.max, power_) < max_ ? next_up(ray_.max) : ray_.max;
  }
  [[nodiscard]] const Ray3& ray() const { return ray_; }
  [[nodiscard]] bool changed() const { return power_ != 0; }
  [[nodiscard]] BodyRayHit back(BodyRayHit hit) const {
    if (changed() && hit.hit) {
      hit.t = std::min(std::ldexp(hit.t, power_), max_);
    }
    return hit;
  }

 private:
  Ray3 ray_;
  float max_;
  int power_ = 0;
};

/// What moves: the middle of its box as a ray, for t in [0, 1].
struct Mover {
  Aabb3 box;
  Ray3 ray;

  Mover(const Shape& shape, const Motion& motion)
      : box(motion.turn == Vec3{} ? bounds_of(shape, motion.from) : shape_detail::turning_box(shape, motion)),
        ray{} {
    for (int axis = 0; axis < 3; ++axis) {
      ray.origin[axis] = box.lo[axis] + (box.hi[axis] - box.lo[axis]) / 2;
      ray.direction[axis] = motion.way[axis];
    }
    ray.max = 1;
  }
};

template <class Hit>
bool earlier(const Hit& a, const Hit& b) {
  return a.t < b.t || (a.t == b.t && a.body < b.body);
}

bool asks(const BodiesStore& store, const Ray3& ray, const QueryOptions& options) {
  return !layer_detail::asks_for_nothing(layer_detail::view_of(store.layer), options.filter) &&
         layer_detail::is_sound(ray);
}

/// Calls take(body, Body) for each candidate; it returns the new end in the ray's own t.
template <class Take>
void for_each_on_way(const BodiesStore& store, const Way& way, const QueryOptions& options,
                     layer_detail::SearchWork& work, const Take& take) {
  const auto candidate = [&](std::uint32_t body) { return take(body, store.bodies[body]); };
  shape_detail::boxes_on_way(layer_detail::view_of(store.layer), way.get(), options, candidate, work);
}

/// The earliest of what test(Body, end) finds; it may leave out what comes after `end`.
template <class Hit, class Test>
Hit earliest(const BodiesStore& store, const Way& way, const QueryOptions& options, float max,
             layer_detail::SearchWork& work, const Test& test) {
  Hit best;
  float end = max;
  for_each_on_way(store, way, options, work, [&](std::uint32_t index, const Body& body) {
    Hit hit{test(body, end), index};
    if (hit.hit && earlier(hit, best)) {
      best = hit;
      end = std::min(max, next_up(hit.t));  // of what rounds to the same t, the lowest body is wanted
    }
    return way.end_at(best.t);
  });
  return best;
}

template <class Hit, class Test>
Hit any_of(const BodiesStore& store, const Way& way, const QueryOptions& options, float max,
           const Test& test) {
  Hit found;
  layer_detail::SearchWork work;
  for_each_on_way(store, way, options, work, [&](std::uint32_t index, const Body& body) {
    const Hit hit{test(body, max), index};
    if (!hit.hit) {
      return kInfinity;
    }
    found = hit;
    return kStop;
  });
  return found;
}

template <class Hit, class Test>
QueryResult all_of(const BodiesStore& store, const Way& way, const QueryOptions& options, float max,
                   std::span<Hit> out, const Test& test) {
  layer_detail::SearchWork work;
  Lowest lowest(out, earlier<Hit>);
  for_each_on_way(store, way, options, work, [&](std::uint32_t index, const Body& body) {
    if (const Hit hit{test(body, max), index}; hit.hit) {
      lowest.add(hit);
    }
    return kInfinity;
  });
  return lowest.finish(work);
}

auto ray_test(const Ray3& ray) {
  return [&ray](const Body& body, float end) {
    Ray3 rest = ray;
    rest.max = end;
    return raycast(body.shape, body.at, rest);
  };
}

auto cast_test(const Shape& moving, const Motion& motion) {
  return [&](const Body& body, float) { return cast(moving, motion, body.shape, body.at); };
}

}  // namespace

BodyRayHit shape_detail::closest_on_ray(const BodiesStore& store, const Ray3& ray,
                                        const QueryOptions& options, layer_detail::SearchWork& work) {
  if (!asks(store, ray, options)) {
    return {};
  }
  const Stretched asked(ray);
  return asked.back(
      earliest<BodyRayHit>(store, Way(asked.ray()), options, asked.ray().max, work, ray_test(asked.ray())));
}

BodyRayHit shape_detail::closest_on_ray(const BodiesStore& store, RayPacket& packet, std::size_t ray,
                                        const QueryOptions& options, layer_detail::SearchWork& work) {
  const Ray3& asked = packet.ray(ray);
  if (Stretched(asked).changed()) {
    return closest_on_ray(store, asked, options, work);
  }
  return earliest<BodyRayHit>(store, Way(asked), options, asked.max, work,
                              [&](const Body& body, float end) { return packet.ask(ray, body, end); });
}

BodyRayHit Bodies::raycast_closest(const Ray3& ray, const QueryOptions& options) const {
  layer_detail::SearchWork work;
  return shape_detail::closest_on_ray(*store_, ray, options, work);
}

BodyRayHit Bodies::raycast_any(const Ray3& ray, const QueryOptions& options) const {
  if (!asks(*store_, ray, options)) {
    return {};
  }
  const Stretched asked(ray);
  return asked.back(
      any_of<BodyRayHit>(*store_, Way(asked.ray()), options, asked.ray().max, ray_test(asked.ray())));
}

QueryResult Bodies::raycast_all(const Ray3& ray, std::span<BodyRayHit> out,
                                const QueryOptions& options) const {
  if (!asks(*store_, ray, options)) {
    return {};
  }
  const Stretched asked(ray);
  const QueryResult result =
      all_of(*store_, Way(asked.ray()), options, asked.ray().max, out, ray_test(asked.ray()));
  for (BodyRayHit& hit : out.first(result.written)) {
    hit = asked.back(hit);
  }
  return result;
}

QueryResult Bodies::raycast_every(const Ray3& ray, std::span<BodyRayHit> out,
                                  const QueryOptions& options) const {
  if (!asks(*store_, ray, options)) {
    return {};
  }
  const Stretched asked(ray);
  const Way way(asked.ray());
  layer_detail::SearchWork work;
  Lowest lowest(out, [](const BodyRayHit& a, const BodyRayHit& b) {
    return earlier(a, b) || (a.t == b.t && a.body == b.body && shape_detail::before(a.part, b.part));
  });
  for_each_on_way(*store_, way, options, work, [&](std::uint32_t index, const Body& body) {
    const auto add = [&](const SurfaceHit& hit) { lowest.add(BodyRayHit{hit, index}); };
    shape_detail::each_surface_on_ray(body.shape, body.at, asked.ray(), add);
    return kInfinity;
  });
  const QueryResult result = lowest.finish(work);
  for (BodyRayHit& hit : out.first(result.written)) {
    hit = asked.back(hit);
  }
  return result;
}

BodyCastHit shape_detail::closest_on_cast(const BodiesStore& store, const BodyCast& cast,
                                          const QueryOptions& options, layer_detail::SearchWork& work) {
  const Motion motion{cast.from, cast.way, cast.turn, cast.pivot};
  const Mover mover(cast.shape, motion);
  return cast.shape.convex() && asks(store, mover.ray, options)
             ? earliest<BodyCastHit>(store, Way(mover.box, mover.ray), options, 1, work,
                                     cast_test(cast.shape, motion))
             : BodyCastHit{};
}

bool shape_detail::place_of_cast(const BodyCast& cast, Aabb3& place) {
  const Mover mover(cast.shape, {cast.from, cast.way, cast.turn, cast.pivot});
  for (int axis = 0; axis < 3; ++axis) {
    place.lo[axis] = place.hi[axis] =
        mover.ray.origin[axis] / 2 + (mover.ray.origin[axis] / 2 + mover.ray.direction[axis] / 2);
  }
  return cast.shape.convex() && layer_detail::is_sound(mover.ray);
}

BodyCastHit Bodies::cast_closest(const Shape& moving, const Qvvs& from, const Vec3& way,
                                 const QueryOptions& options) const {
  return cast_closest(moving, {from, way}, options);
}
BodyCastHit Bodies::cast_closest(const Shape& moving, const Motion& motion,
                                 const QueryOptions& options) const {
  layer_detail::SearchWork work;
  return shape_detail::closest_on_cast(*store_, {moving, motion.from, motion.way, motion.turn, motion.pivot},
                                       options, work);
}

BodyCastHit Bodies::cast_any(const Shape& moving, const Qvvs& from, const Vec3& way,
                             const QueryOptions& options) const {
  return cast_any(moving, {from, way}, options);
}
BodyCastHit Bodies::cast_any(const Shape& moving, const Motion& motion, const QueryOptions& options) const {
  const Mover mover(moving, motion);
  return moving.convex() && asks(*store_, mover.ray, options)
             ? any_of<BodyCastHit>(*store_, Way(mover.box, mover.ray), options, 1, cast_test(moving, motion))
             : BodyCastHit{};
}

QueryResult Bodies::cast_all(const Shape& moving, const Qvvs& from, const Vec3& way,
                             std::span<BodyCastHit> out, const QueryOptions& options) const {
  return cast_all(moving, {from, way}, out, options);
}
QueryResult Bodies::cast_all(const Shape& moving, const Motion& motion, std::span<BodyCastHit> out,
                             const QueryOptions& options) const {
  const Mover mover(moving, motion);
  return moving.convex() && asks(*store_, mover.ray, options)
             ? all_of(*store_, Way(mover.box, mover.ray), options, 1, out, cast_test(moving, motion))
             : QueryResult{};
}

Aabb3 shape_detail::asked_box(const Shape& shape, const Qvvs& at) {
  const Aabb3 box = bounds_of(shape, at);
  for (int axis = 0; axis < 3; ++axis) {
    if (!(box.lo[axis] >= -std::numeric_limits<float>::max() &&
          box.hi[axis] <= std::numeric_limits<float>::max())) {
      return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    }
  }
  return box;
}

BodyDistance shape_detail::nearest_to(const BodiesStore& store, const BodyNear& near,
                                      const QueryOptions& options, layer_detail::SearchWork& work) {
  const Shape& shape = near.shape;
  const Qvvs& at = near.at;
  const float max_distance = near.max_distance;
  const layer_detail::LayerView<3> view = layer_detail::view_of(store.layer);
  const Aabb3 box = asked_box(shape, at);
  BodyDistance best;
  if (layer_detail::asks_for_nothing(view, options.filter) || box.empty() || !(max_distance >= 0)) {
    return best;
  }
  float most = max_distance;
  // Bodies that overlap are all asked: any may be the deepest.
  const auto limit2 = [](float distance) {
    const float above = std::max(distance, 0.0F);
    return above * above * kSlack + std::numeric_limits<float>::min();
  };
  const auto candidate = [&](std::uint32_t index) {
    const Body& body = store.bodies[index];
    const BodyDistance found{juxta::closest(shape, at, body.shape, body.at, most), index};
    if (found.found &&
        (found.distance < best.distance || (found.distance == best.distance && found.body < best.body))) {
      best = found;
      most = std::min(max_distance, next_up(std::max(found.distance, 0.0F)));
    }
    return limit2(best.found ? best.distance : max_distance);
  };
  shape_detail::boxes_near(view, box, limit2(max_distance), options, candidate, work);
  return best;
}

BodyDistance Bodies::nearest(const Shape& shape, const Qvvs& at, float max_distance,
                             const QueryOptions& options) const {
  layer_detail::SearchWork work;
  return shape_detail::nearest_to(*store_, {shape, at, max_distance}, options, work);
}

QueryResult Bodies::find_all(const Shape& shape, const Qvvs& at, std::span<std::uint32_t> out,
                             const QueryOptions& options) const {
  const BodiesStore& store = *store_;
  Lowest lowest(out, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  const auto candidate = [&](std::uint32_t index) {
    const Body& body = store.bodies[index];
    if (juxta::overlaps(shape, at, body.shape, body.at)) {
      lowest.add(index);
    }
    return true;
  };
  const QueryResult boxes = visit<3>(store.layer, shape_detail::asked_box(shape, at), candidate, options);
  return lowest.finish({.tested = boxes.tested, .visited = boxes.visited});
}

}  // namespace juxta
