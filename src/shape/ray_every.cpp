// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/ray_every.h"

#include "shape/bodies_store.h"
#include "shape/mesh_ray.h"
#include "shape/ray_convex.h"
#include "shape/triangle_ray.h"
#include "shape/triangle_tree.h"

namespace juxta {
namespace shape_detail {
namespace {

/// Whether the ray meets a child's box: the steps of clamp_to_box(), so that no triangle inside is left out.
bool meets_child(const ReadyRay& ray, const TriangleNode& node, std::uint32_t lane) noexcept {
  float enter = 0, leave = ray.max;
  for (std::uint32_t axis = 0; axis < 3; ++axis) {
    const float lo = node.side[axis][lane], hi = node.side[axis + 3][lane];
    if (!(lo <= hi)) {
      return false;
    }
    const bool back = (ray.negative >> axis & 1) != 0;
    enter = std::max(enter, ((back ? hi : lo) - ray.near_origin[axis]) * -ray.back[axis]);
    leave = std::min(leave, ((back ? lo : hi) - ray.far_origin[axis]) * -ray.back[axis]);
  }
  return enter <= leave;
}

/// Calls visit(TriangleHit) for each triangle that the ray meets.
template <class Visit>
void each_triangle_on_ray(const TriangleTree& tree, const Ray3& ray, Visit&& visit) noexcept {
  const ReadyRay ready = make_ready(ray, tree.bounds);
  if (!ready.sound || tree.nodes.empty()) {
    return;
  }
  std::uint32_t stack[kMostWaiting], size = 0;
  stack[size++] = 0;
  while (size != 0) {
    const std::uint32_t at = stack[--size];
    if (!ChildWord::is_leaf(at)) {
      const TriangleNode& node = tree.nodes[at];
      for (std::uint32_t lane = 0; lane < kTreeLanes; ++lane) {
        if (meets_child(ready, node, lane)) {
          stack[size++] = node.child[lane];
        }
      }
      continue;
    }
    for (std::uint32_t i = 0; i < ChildWord::count(at); ++i) {
      const std::uint32_t block_index = ChildWord::index(at) + i / kBlockLanes, lane = i % kBlockLanes;
      const TriangleBlock& block = tree.blocks[block_index];
      const CornerView view{{&block.corner[0][0][lane], &block.corner[1][0][lane], &block.corner[2][0][lane]},
                            kBlockLanes};
      if (const float t = hit_triangle(ready, view); t >= 0 && t <= ready.max) {
        visit(ready.answer({block.number[lane], t, block_index * kBlockLanes + lane}));
      }
    }
  }
}

}  // namespace

void each_surface_on_ray(const Shape& shape, const Qvvs& at, const Ray3& ray,
                         FunctionRef<void(const SurfaceHit&)> visit) noexcept {
  if (!is_valid(ray)) {
    return;
  }
  const V3 position(at.position), origin(ray.origin), way(ray.direction);
  const Line line{origin - position, way, static_cast<double>(ray.max)};
  const auto give = [&](const Entry& entry, PartId part) {
    visit(SurfaceHit{true, static_cast<float>(entry.t), (origin + way * entry.t).rounded(),
                     entry.normal.rounded(), part});
  };
  visit_parts(shape, Frame(at, position), [&](const Placed& part) {
    Entry entry;
    const Triangles* triangles = triangles_of(*part.shape);
    if (triangles == nullptr) {
      if (ray_convex(*part.shape, part.frame, line, entry)) {
        give(entry, {part.part, kNoPart});
      }
      return true;
    }
    const MeshPlace place(*triangles, part.frame);
    MeshRay mesh_ray;
    if (make_mesh_ray(place, line, mesh_ray)) {
      each_triangle_on_ray(triangles->tree(), mesh_ray.cast, [&](const TriangleHit& hit) {
        if (finish_mesh_ray(place, line, mesh_ray, hit, entry)) {
          give(entry, {part.part, hit.triangle});
        }
      });
    }
    return true;
  });
}

}  // namespace shape_detail

QueryResult raycast_every(const Shape& shape, const Qvvs& at, const Ray3& ray, std::span<SurfaceHit> out) {
  shape_detail::Lowest lowest(out, shape_detail::earlier_surface);
  const auto add = [&lowest](const SurfaceHit& hit) { lowest.add(hit); };
  shape_detail::each_surface_on_ray(shape, at, ray, add);
  return lowest.finish({});
}

}  // namespace juxta
