// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "juxta/shape/query.h"

#include <algorithm>
#include <atomic>
#include <string>

#include "juxta/core/executor.h"
#include "shape/mesh_ray.h"
#include "shape/placed.h"
#include "shape/ray_convex.h"

namespace juxta {
namespace shape_detail {
namespace {

/// Sets `entry` and `triangle` where it meets one.
bool ray_triangles(const Triangles& triangles, const Frame& frame, const Line& line, Entry& entry,
                   std::uint32_t& triangle) noexcept {
  const MeshPlace place(triangles, frame);
  MeshRay ray;
  if (!make_mesh_ray(place, line, ray)) {
    return false;
  }
  const TriangleHit hit = triangles.ray_closest(ray.cast);
  if (hit.triangle == kNoPart || !finish_mesh_ray(place, line, ray, hit, entry)) {
    return false;
  }
  triangle = hit.triangle;
  return true;
}

/// Whether a line clearly misses a box.
bool passes(const Line& line, const Extent& box) noexcept {
  const Stretch stretch(line, box.grown(1e-6 * length(box.hi - box.lo) + 1e-12 * length(line.origin)));
  return stretch.empty() || stretch.enter > line.most;
}

/// All kinds but meshes and height fields. Shortens the line.
void ray_parts(const Shape& shape, const Frame& frame, Line& line, Entry& best, SurfaceHit& hit) noexcept {
  visit_parts(shape, frame, [&](const Placed& part) {
    if (part.part != kNoPart && passes(line, part.extent)) {
      return true;
    }
    Entry entry;
    std::uint32_t triangle = kNoPart;
    const Triangles* triangles = triangles_of(*part.shape);
    const bool met = triangles != nullptr ? ray_triangles(*triangles, part.frame, line, entry, triangle)
                                          : ray_convex(*part.shape, part.frame, line, entry);
    if (met && (!hit.hit || entry.t < best.t)) {  // parts come in order: the lowest of several stays
      hit.hit = true;
      hit.part = {part.part, triangle};
      best = entry;
      line.most = entry.t;
    }
    return true;
  });
}

/// raycast() against those. Apart, because rays at meshes need no stack for it.
[[gnu::noinline]] void raycast_parts(const Shape& shape, const Qvvs& at, const Ray3& ray,
                                     SurfaceHit& hit) noexcept {
  if (!is_valid(ray)) {
    return;
  }
  const V3 origin(ray.origin);
  const V3 way(ray.direction);
  const Frame frame(at, V3(at.position));
  Line line{origin - V3(at.position), way, static_cast<double>(ray.max)};
  Entry best;
  ray_parts(shape, frame, line, best, hit);
  if (hit.hit) {
    hit.t = static_cast<float>(best.t);
    hit.point = (origin + way * best.t).rounded();
    hit.normal = best.normal.rounded();
  }
}

}  // namespace
}  // namespace shape_detail

void shape_detail::raycast_serial(const Shape& shape, const Qvvs& at, std::span<const Ray3> rays,
                                  std::span<SurfaceHit> out) noexcept {
  if (const Triangles* triangles = triangles_of(shape)) {
    const V3 position(at.position);
    raycast_mesh(MeshPlace(*triangles, Frame(at, position)), position, rays, out);
    return;
  }
  for (std::size_t i = 0; i < rays.size(); ++i) {
    out[i] = raycast(shape, at, rays[i]);
  }
}

SurfaceHit raycast(const Shape& shape, const Qvvs& at, const Ray3& ray) {
  SurfaceHit hit;
  if (const shape_detail::Triangles* triangles = shape_detail::triangles_of(shape)) {
    shape_detail::raycast_mesh(*triangles, at, ray, hit);
  } else {
    shape_detail::raycast_parts(shape, at, ray, hit);
  }
  return hit;
}

bool raycast_any(const Shape& shape, const Qvvs& at, const Ray3& ray) {
  const shape_detail::Triangles* triangles = shape_detail::triangles_of(shape);
  return triangles != nullptr ? shape_detail::raycast_mesh_any(*triangles, at, ray)
                              : raycast(shape, at, ray).hit;
}

Result<QueryResult> raycast(const Shape& shape, const Qvvs& at, std::span<const Ray3> rays,
                            std::span<SurfaceHit> out, const Context& context) {
  if (rays.size() != out.size()) {
    return fail(ErrorCode::kInvalidArgument, std::to_string(rays.size()) + " rays, but room for " +
                                                 std::to_string(out.size()) + " answers: give one for each");
  }
  constexpr std::size_t kGrain = 256;  // whole sixteens of rays a task
  std::atomic<std::size_t> found{0};
  executor_or_serial(context.executor)
      .parallel_for(rays.size(), kGrain, [&](std::size_t first, std::size_t last) {
        const std::span<SurfaceHit> own = out.subspan(first, last - first);
        shape_detail::raycast_serial(shape, at, rays.subspan(first, last - first), own);
        found += static_cast<std::size_t>(
            std::count_if(own.begin(), own.end(), [](const SurfaceHit& hit) { return hit.hit; }));
      });
  return QueryResult{.found = found, .written = out.size()};
}

}  // namespace juxta
