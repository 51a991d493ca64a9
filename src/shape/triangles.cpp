// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include "shape/triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "shape/triangle_ray.h"
#include "shape/triangle_tree.h"

namespace juxta::shape_detail {
namespace {

// The boxes of triangles without NaN.
void make_refs(const TriangleTree& tree, Array<TriangleRef>& refs) {
  refs.resize_discard(tree.triangles.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < tree.triangles.size(); ++i) {
    TriangleRef ref{{kInf, kInf, kInf, TriangleRef::lane_of(static_cast<std::uint32_t>(i))},
                    {-kInf, -kInf, -kInf, 0}};
    bool sound = true;
    for (const std::uint32_t vertex : tree.triangles[i]) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const float x = tree.vertices[vertex][axis];
        ref.lo[axis] = std::min(ref.lo[axis], x);
        ref.hi[axis] = std::max(ref.hi[axis], x);
        sound = sound && !std::isnan(x);
      }
    }
    if (sound) {
      refs[size++] = ref;
    }
  }
  refs.resize(size);
}

}  // namespace

Triangles::Triangles() = default;
Triangles::Triangles(Triangles&&) noexcept = default;
Triangles& Triangles::operator=(Triangles&&) noexcept = default;
Triangles::~Triangles() = default;

Triangles Triangles::build(std::span<const Vec3> vertices,
                           std::span<const std::array<std::uint32_t, 3>> triangles, const Executor* executor,
                           std::pmr::memory_resource* resource) {
  Triangles made = sized(vertices.size(), triangles.size(), resource);
  std::copy(vertices.begin(), vertices.end(), made.tree_->vertices.begin());
  std::copy(triangles.begin(), triangles.end(), made.tree_->triangles.begin());
  made.build_tree(MeshQuality::kDefault, {.executor = executor}, resource);
  return made;
}

Triangles Triangles::sized(std::size_t vertices, std::size_t triangles, std::pmr::memory_resource* resource) {
  Triangles made;
  made.tree_ = std::make_unique<TriangleTree>(resource);
  made.tree_->vertices.resize_discard(vertices);
  made.tree_->triangles.resize_discard(triangles);
  made.tree_->bounds = {{kInf, kInf, kInf}, {-kInf, -kInf, -kInf}};
  made.take_bounds();
  return made;
}

void Triangles::build_tree(MeshQuality quality, const Context& context, std::pmr::memory_resource* resource) {
  TriangleTree& tree = *tree_;
  if (quality == MeshQuality::kFast) {
    if (!tree.triangles.empty()) {
      build_fast_tree(tree, context, resource);
      take_bounds();
    }
    return;
  }
  Array<TriangleRef> refs(resource);
  make_refs(tree, refs);
  if (refs.empty()) {
    return;
  }
  Array<BinaryNode> binary(resource);
  const Executor& executor = executor_or_serial(context.executor);
  build_binary_tree(refs.span(), binary, executor, resource);
  if (quality == MeshQuality::kBest) {
    improve_binary_tree(refs.span(), binary, executor, resource);
  }
  tree.bounds = binary[0].bounds;
  take_bounds();
  collapse_binary_tree(binary, refs.span(), tree, resource);
}

void Triangles::refit(const Executor& executor) noexcept {
  refit_tree(*tree_, executor);
  take_bounds();
}

void Triangles::take_bounds() noexcept {
  extent_ = MeshExtent(tree_->bounds);
}

std::size_t Triangles::size() const noexcept {
  return tree_->triangles.size();
}

std::array<Vec3, 3> Triangles::corners(std::uint32_t triangle) const noexcept {
  std::array<Vec3, 3> out;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& v = tree_->vertices[tree_->triangles[triangle][i]];
    out[i] = {v[0], v[1], v[2]};
  }
  return out;
}

const Aabb3& Triangles::bounds() const noexcept {
  return tree_->bounds;
}

std::size_t Triangles::memory_bytes() const noexcept {
  return sizeof(TriangleTree) + tree_->nodes.memory_bytes() + tree_->blocks.memory_bytes() +
         tree_->vertices.memory_bytes() + tree_->triangles.memory_bytes();
}

TriangleHit Triangles::ray_closest(const Ray3& ray) const noexcept {
  return closest_triangle(*tree_, ray);
}

bool Triangles::ray_any(const Ray3& ray) const noexcept {
  return any_triangle(*tree_, ray);
}

void Triangles::ray_closest(std::span<const Ray3> rays, std::span<TriangleHit> out) const noexcept {
  closest_triangles(*tree_, rays, out);
}

}  // namespace juxta::shape_detail
