// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The calls of Python's benchmarks from C++, for ctypes: what they take without Python. Outputs belong to the
// caller and workspaces are kept, so this is the least that the library takes.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "juxta/ranked/ranked_points.h"

namespace {

using juxta::Aabb3;
using juxta::Context;
using juxta::Layer;
using juxta::Pair;
using juxta::Ray3;
using juxta::RayHit;
using juxta::Vec3;

juxta::Workspace& workspace() {
  static auto* const one = new juxta::Workspace;
  return *one;
}
Context context() {
  return {.workspace = &workspace()};
}

// Nanoseconds a call of `call(i)`, over `count` calls.
template <class Call>
double each(std::size_t count, Call&& call) {
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < count; ++i) {
    call(i);
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
  return took.count() / static_cast<double>(count);
}

std::uint32_t sink = 0;

}  // namespace

extern "C" {

void* native_layer(const Aabb3* boxes, std::size_t count) {
  return new Layer(Layer::build({boxes, count}, {}, context()).value());
}
void native_layer_free(void* layer) {
  delete static_cast<Layer*>(layer);
}
void native_rebuild(void* layer, const Aabb3* boxes, std::size_t count) {
  (void)static_cast<Layer*>(layer)->rebuild({boxes, count}, {}, context());
}
void native_refit(void* layer, const Aabb3* boxes, std::size_t count) {
  (void)static_cast<Layer*>(layer)->refit({boxes, count}, context());
}
std::size_t native_find_pairs(const void* layer, Pair* out, std::size_t capacity) {
  return find_pairs(*static_cast<const Layer*>(layer), {out, capacity}, {}, context())->found;
}
std::size_t native_query_many(const void* layer, const Aabb3* boxes, std::size_t count, Pair* out,
                              std::size_t capacity) {
  return find_all(*static_cast<const Layer*>(layer), {boxes, count}, {out, capacity}, {}, context())->found;
}
void native_raycast_many(const void* layer, const Ray3* rays, std::size_t count, RayHit* out) {
  (void)raycast_closest(*static_cast<const Layer*>(layer), {rays, count}, {out, count}, {}, context());
}
void native_nearest_many(const void* layer, const Vec3* points, std::size_t count, juxta::NearestHit* out) {
  constexpr float kAnywhere = std::numeric_limits<float>::infinity();
  (void)nearest(*static_cast<const Layer*>(layer), {points, count}, kAnywhere, {out, count}, {}, context());
}
// One call after the other; ns a call.
double native_query_each(const void* layer, const Aabb3* boxes, std::size_t count) {
  std::vector<std::uint32_t> out(4096);
  return each(count, [&](std::size_t i) {
    sink += static_cast<std::uint32_t>(find_all(*static_cast<const Layer*>(layer), boxes[i], out).found);
  });
}
double native_raycast_each(const void* layer, const Ray3* rays, std::size_t count) {
  return each(count, [&](std::size_t i) {
    sink += raycast_closest(*static_cast<const Layer*>(layer), rays[i]).body;
  });
}
double native_nearest_each(const void* layer, const Vec3* points, std::size_t count) {
  return each(count,
              [&](std::size_t i) { sink += nearest(*static_cast<const Layer*>(layer), points[i]).body; });
}

void* native_ranked(const float* x, const float* y, const std::int32_t* rank, std::size_t count) {
  return new juxta::RankedPoints(juxta::RankedPoints::build(std::span(x, count), std::span(y, count),
                                                            std::span(rank, count), {}, context())
                                     .value());
}
void native_ranked_free(void* points) {
  delete static_cast<juxta::RankedPoints*>(points);
}
double native_top_each(const void* points, const juxta::RectD* rects, std::size_t count, std::size_t k) {
  std::vector<std::uint32_t> out(k);
  return each(count, [&](std::size_t i) {
    sink += static_cast<std::uint32_t>(
        static_cast<const juxta::RankedPoints*>(points)->top(rects[i], k, out).found);
  });
}
void native_top_many(const void* points, const juxta::RectD* rects, std::size_t count, std::size_t k,
                     std::uint32_t* out, std::uint32_t* counts) {
  (void)static_cast<const juxta::RankedPoints*>(points)->top({rects, count}, k, {out, count * k},
                                                             {counts, count}, context());
}

}  // extern "C"
