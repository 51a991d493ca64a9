// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Many questions at once, in the order of space: neighbours read the same blocks and bodies.
//
//   rays      . . o . | . . .     where they pass: rays of one camera are apart there, and those of one sun
//                \    | /         too; where they start, the first are all in one place
//                 o---+---o
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "juxta/shape/bodies.h"
#include "layer/batch.h"
#include "layer/ray_kernel.h"
#include "shape/bodies_packets.h"
#include "shape/bodies_store.h"

namespace juxta {
namespace {

constexpr std::size_t kSixteen = shape_detail::RayPacket::kMost;

// A box around all.
Aabb3 world_of(const layer_detail::LayerView<3>& view) {
  const BoxBlock<3>& top = *view.tree->level[view.tree->levels - 1];
  Aabb3 world;
  for (int axis = 0; axis < 3; ++axis) {
    world.lo[axis] = *std::min_element(top.lo[axis], top.lo[axis] + kBlockLanes);
    world.hi[axis] = *std::max_element(top.hi[axis], top.hi[axis] + kBlockLanes);
  }
  return world;
}

// A point of the stretch between t = 0 and max that lies in the world: its middle.
Aabb3 place_of_ray(const Ray3& ray, const Aabb3& world) {
  float enter = 0, leave = ray.max;
  for (int axis = 0; axis < 3; ++axis) {
    const float a = (world.lo[axis] - ray.origin[axis]) / ray.direction[axis];
    const float b = (world.hi[axis] - ray.origin[axis]) / ray.direction[axis];
    enter = std::max(enter, std::min(a, b));  // NaN of 0 / 0 leaves both as they are
    leave = std::min(leave, std::max(a, b));
  }
  const float t = enter <= leave ? enter / 2 + leave / 2 : 0;
  Aabb3 place;
  for (int axis = 0; axis < 3; ++axis) {
    const float at = ray.origin[axis] + t * ray.direction[axis];
    place.lo[axis] = place.hi[axis] = std::isfinite(at) ? at : ray.origin[axis];
  }
  return place;
}

// Whether most of them come as coherent sixteens already: a picture in squares.
bool in_squares(std::span<const Ray3> rays, const Aabb3& world) {
  float apart = 0;
  for (int axis = 0; axis < 3; ++axis) {
    apart = std::max(apart, (world.hi[axis] - world.lo[axis]) / 64);
  }
  std::size_t coherent = 0;
  const std::size_t all = rays.size() / kSixteen;
  for (std::size_t i = 0; i < all; ++i) {
    coherent += shape_detail::side_by_side(rays.subspan(i * kSixteen, kSixteen), apart) ? 1 : 0;
  }
  return all != 0 && coherent * 4 >= all * 3;
}

// Which rays to ask, in which order. Those that ask for nothing are left out.
std::span<const std::uint32_t> order_rays(std::span<const Ray3> rays, const Aabb3& world,
                                          Workspace& workspace, const Executor* executor) {
  const std::span<std::uint32_t> order = workspace.take<std::uint32_t>(rays.size());
  if (in_squares(rays, world)) {
    std::size_t asked = 0;
    for (std::size_t i = 0; i < rays.size(); ++i) {
      order[asked] = static_cast<std::uint32_t>(i);
      asked += layer_detail::is_sound(rays[i]) ? 1 : 0;
    }
    return order.first(asked);
  }
  const auto queries =
      layer_detail::sort_queries<3>(rays.size(), workspace, executor, [&](std::size_t i, Aabb3& box) {
        const Ray3 ray = rays[i];
        const bool sound = layer_detail::is_sound(ray);
        box = sound ? place_of_ray(ray, world) : Aabb3{};
        return sound;
      });
  for (std::size_t i = 0; i < queries.order.size(); ++i) {
    order[i] = queries.query[queries.order[i]];
  }
  return order.first(queries.order.size());
}

}  // namespace

Result<QueryResult> Bodies::raycast_closest(std::span<const Ray3> rays, std::span<BodyRayHit> out,
                                            const BatchOptions& options, const Context& context) const {
  JUXTA_TRY(layer_detail::check_batch(rays.size(), out.size(), options));
  std::fill(out.begin(), out.end(), BodyRayHit{});
  const layer_detail::LayerView<3> view = layer_detail::view_of(store_->layer);
  if (layer_detail::asks_for_nothing(view, options.filter)) {
    return QueryResult{};
  }
  const CallWorkspace workspace(context);
  const auto order = order_rays(rays, world_of(view), *workspace, context.executor);
  layer_detail::SharedWork total;
  const std::size_t packets = (order.size() + kSixteen - 1) / kSixteen;
  executor_or_serial(context.executor)
      .parallel_for(packets, layer_detail::kBatchGrain / kSixteen, [&](std::size_t first, std::size_t last) {
        layer_detail::SearchWork work;
        layer_detail::OptionsOfQuery own(options);
        std::size_t found = 0;
        shape_detail::RayPacket packet;
        std::array<BodyRayHit, kSixteen> hits;
        for (std::size_t p = first; p < last; ++p) {
          const auto some = order.subspan(p * kSixteen, std::min(kSixteen, order.size() - p * kSixteen));
          packet.start(rays, some);
          for (std::size_t i = 0; i < some.size(); ++i) {
            hits[i] = shape_detail::closest_on_ray(*store_, packet, i, own.of(some[i]), work);
            found += hits[i] ? 1 : 0;
          }
          // All sixteen at once: where they are far apart, their cache misses overlap.
          for (std::size_t i = 0; i < some.size(); ++i) {
            out[some[i]] = hits[i];
          }
        }
        total.add(work, found);
      });
  QueryResult result = total.result();
  result.written = out.size();
  return result;
}

Result<QueryResult> Bodies::cast_closest(std::span<const BodyCast> casts, std::span<BodyCastHit> out,
                                         const BatchOptions& options, const Context& context) const {
  return layer_detail::answer_each<3>(
      store_->layer, casts, out, options, context,
      [&](std::size_t i, Aabb3& place) {
        const bool asks = shape_detail::place_of_cast(casts[i], place);
        place = layer_detail::finite_sides(place);
        return asks;
      },
      [&](const BodyCast& cast, const QueryOptions& own, layer_detail::SearchWork& work) {
        return shape_detail::closest_on_cast(*store_, cast, own, work);
      });
}

Result<QueryResult> Bodies::nearest(std::span<const BodyNear> asked, std::span<BodyDistance> out,
                                    const BatchOptions& options, const Context& context) const {
  return layer_detail::answer_each<3>(
      store_->layer, asked, out, options, context,
      [&](std::size_t i, Aabb3& place) {
        place = shape_detail::asked_box(asked[i].shape, asked[i].at);
        return !place.empty();
      },
      [&](const BodyNear& near, const QueryOptions& own, layer_detail::SearchWork& work) {
        return shape_detail::nearest_to(*store_, near, own, work);
      });
}

}  // namespace juxta
