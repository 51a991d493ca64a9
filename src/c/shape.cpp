// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Shapes are made, and asked about one by one.
#include "c/shape.h"

#include <array>
#include <utility>
#include <vector>

#include "c/layer_rays.h"

namespace juxta::c_detail {

ShapeOf::ShapeOf(const juxta_shape* given) noexcept {
  const auto& of = given->of;
  switch (given->kind) {
    case JUXTA_SPHERE:
      shape_ = Sphere{cpp_vec(of.sphere.center), of.sphere.radius};
      return;
    case JUXTA_CAPSULE:
      shape_ = Capsule{cpp_vec(of.capsule.a), cpp_vec(of.capsule.b), of.capsule.radius};
      return;
    case JUXTA_BOX:
      shape_ = Box{cpp_vec(of.box.center), read_one<Quat>(of.box.rotation), cpp_vec(of.box.half)};
      return;
    case JUXTA_TRIANGLE:
      shape_ = Triangle{cpp_vec(of.triangle.a), cpp_vec(of.triangle.b), cpp_vec(of.triangle.c)};
      return;
    case JUXTA_HULL:
      borrow(of.hull);
      return;
    case JUXTA_MESH:
      borrow(of.mesh);
      return;
    case JUXTA_COMPOUND:
      borrow(of.compound);
      return;
    case JUXTA_HEIGHT_FIELD:
      borrow(of.height_field);
      return;
  }
  known_ = false;
}

Error unknown_shape(std::uint64_t index) {
  return {ErrorCode::kInvalidArgument, "a shape has a kind that is not known, or a handle that is NULL",
          index};
}

namespace {

VertexView vertex_view(const void* vertices, std::size_t count, std::size_t stride) noexcept {
  return {vertices, count, stride == 0 ? sizeof(Vec3) : stride};
}

Result<MeshQuality> mesh_quality(std::uint32_t given) {
  switch (given) {
    case JUXTA_MESH_DEFAULT:
      return MeshQuality::kDefault;
    case JUXTA_MESH_FAST:
      return MeshQuality::kFast;
    case JUXTA_MESH_BEST:
      return MeshQuality::kBest;
  }
  return fail(ErrorCode::kInvalidArgument,
              "a quality of meshes is JUXTA_MESH_DEFAULT, JUXTA_MESH_FAST or JUXTA_MESH_BEST");
}

// A mesh or a height field.
template <class Of>
juxta_status adjoin(Of& surface, const juxta_qvvs* at, const juxta_shape* other, const juxta_qvvs* other_at,
                    float within, size_t* edges, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const ShapeOf beside(other);
    if (!beside) {
      return tl::unexpected(unknown_shape());
    }
    JUXTA_TRY_LET(const std::size_t found,
                  surface.adjoin(cpp_place(at), *beside, cpp_place(other_at), within));
    if (edges != nullptr) {
      *edges = found;
    }
    return {};
  });
}

}  // namespace

juxta_surface_hit c_surface_hit(const SurfaceHit& hit, std::uint32_t body) noexcept {
  juxta_surface_hit made = {hit.hit, hit.t, {}, {}, {hit.part.part, hit.part.triangle}, body};
  copy_vec(hit.point, made.point);
  copy_vec(hit.normal, made.normal);
  return made;
}
juxta_cast_hit c_cast_hit(const CastHit& hit, std::uint32_t body) noexcept {
  juxta_cast_hit made = {hit.hit, hit.t, {}, {}, {hit.part.part, hit.part.triangle}, body, hit.distance};
  copy_vec(hit.point, made.point);
  copy_vec(hit.normal, made.normal);
  return made;
}
juxta_closest_points c_closest(const ClosestPoints& found, std::uint32_t body) noexcept {
  juxta_closest_points made = {found.found,
                               found.distance,
                               {},
                               {},
                               {},
                               {found.part_a.part, found.part_a.triangle},
                               {found.part_b.part, found.part_b.triangle},
                               body};
  copy_vec(found.on_a, made.on_a);
  copy_vec(found.on_b, made.on_b);
  copy_vec(found.normal, made.normal);
  return made;
}
juxta_manifold c_manifold(const Manifold& manifold) noexcept {
  juxta_manifold made = {};
  copy_vec(manifold.normal, made.normal);
  made.count = manifold.count;
  for (std::uint32_t i = 0; i < manifold.count; ++i) {
    copy_vec(manifold.points[i].point, made.points[i].point);
    made.points[i].distance = manifold.points[i].distance;
  }
  return made;
}

}  // namespace juxta::c_detail

using namespace juxta::c_detail;
using juxta::Result;

juxta_qvvs juxta_default_qvvs(void) {
  return {{0, 0, 0, 1}, {0, 0, 0}, 0, {1, 1, 1}, 1};
}

juxta_status juxta_hull_build(const float* points, size_t stride, size_t count, juxta_hull** out,
                              juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto given, packed<juxta::Vec3>(points, stride, count, call.workspace()));
    JUXTA_TRY_LET(juxta::ConvexHull made, juxta::ConvexHull::build(given));
    *out = new juxta_hull{std::move(made)};
    return {};
  });
}
void juxta_hull_free(juxta_hull* hull) {
  delete hull;
}
const float* juxta_hull_vertices(const juxta_hull* hull, size_t* count) {
  const std::span<const juxta::Vec3> vertices = hull->of.vertices();
  *count = vertices.size();
  return reinterpret_cast<const float*>(vertices.data());
}

juxta_status juxta_mesh_build(const float* vertices, size_t stride, size_t vertex_count,
                              const uint32_t* triangles, size_t triangle_count, const juxta_context* context,
                              juxta_mesh** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    using Corners = std::array<std::uint32_t, 3>;
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const auto points, packed<juxta::Vec3>(vertices, stride, vertex_count, call.workspace()));
    JUXTA_TRY_LET(const auto corners, packed<Corners>(triangles, 0, triangle_count, call.workspace()));
    JUXTA_TRY_LET(juxta::TriangleMesh made, juxta::TriangleMesh::build(points, corners, *call));
    *out = new juxta_mesh{std::move(made)};
    return {};
  });
}
juxta_status juxta_mesh_build_from(const juxta_mesh_input* input, const juxta_context* context,
                                   juxta_mesh** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    JUXTA_TRY_LET(const juxta::MeshQuality quality, mesh_quality(input->quality));
    const juxta::MeshView view(vertex_view(input->vertices, input->vertex_count, input->stride),
                               input->indices, input->index_count, input->index_bytes);
    JUXTA_TRY_LET(juxta::TriangleMesh made, juxta::TriangleMesh::build(view, {.quality = quality}, *call));
    *out = new juxta_mesh{std::move(made)};
    return {};
  });
}
juxta_status juxta_mesh_refit(juxta_mesh* mesh, const void* vertices, size_t stride, size_t vertex_count,
                              const juxta_context* context, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(context);
    JUXTA_TRY(call.check());
    return mesh->of.refit(vertex_view(vertices, vertex_count, stride), *call);
  });
}
juxta_status juxta_mesh_adjoin(juxta_mesh* mesh, const juxta_qvvs* at, const juxta_shape* other,
                               const juxta_qvvs* other_at, float within, size_t* edges, juxta_error* error) {
  return adjoin(mesh->of, at, other, other_at, within, edges, error);
}
void juxta_mesh_forget_adjoined(juxta_mesh* mesh) {
  mesh->of.forget_adjoined();
}
juxta_status juxta_mesh_save(const juxta_mesh* mesh, const char* path, juxta_error* error) {
  return guarded(error, [&] { return mesh->of.save(path); });
}
juxta_status juxta_mesh_open(const char* path, juxta_mesh** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    JUXTA_TRY_LET(juxta::TriangleMesh made, juxta::TriangleMesh::open(path));
    *out = new juxta_mesh{std::move(made)};
    return {};
  });
}
size_t juxta_mesh_vertex_count(const juxta_mesh* mesh) {
  return mesh->of.vertex_count();
}
void juxta_mesh_free(juxta_mesh* mesh) {
  delete mesh;
}
size_t juxta_mesh_triangle_count(const juxta_mesh* mesh) {
  return mesh->of.triangle_count();
}
bool juxta_mesh_closed(const juxta_mesh* mesh) {
  return mesh->of.closed();
}

juxta_status juxta_compound_build(const juxta_shape* shapes, const juxta_qvvs* at, size_t count,
                                  juxta_compound** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    std::vector<juxta::Compound::Part> parts;
    parts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const ShapeOf shape(&shapes[i]);
      if (!shape) {
        return tl::unexpected(unknown_shape(i));
      }
      parts.push_back({*shape, cpp_place(&at[i])});
    }
    JUXTA_TRY_LET(juxta::Compound made, juxta::Compound::build(parts));
    *out = new juxta_compound{std::move(made)};
    return {};
  });
}
void juxta_compound_free(juxta_compound* compound) {
  delete compound;
}

juxta_status juxta_height_field_build(uint32_t columns, uint32_t rows, float cell, const float* heights,
                                      juxta_height_field** out, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const CallContext call(nullptr);
    JUXTA_TRY_LET(const auto given, packed<float>(heights, 0, std::size_t{columns} * rows, call.workspace()));
    JUXTA_TRY_LET(juxta::HeightField made, juxta::HeightField::build(columns, rows, cell, given));
    *out = new juxta_height_field{std::move(made)};
    return {};
  });
}
juxta_status juxta_height_field_adjoin(juxta_height_field* height_field, const juxta_qvvs* at,
                                       const juxta_shape* other, const juxta_qvvs* other_at, float within,
                                       size_t* edges, juxta_error* error) {
  return adjoin(height_field->of, at, other, other_at, within, edges, error);
}
void juxta_height_field_forget_adjoined(juxta_height_field* height_field) {
  height_field->of.forget_adjoined();
}
void juxta_height_field_free(juxta_height_field* height_field) {
  delete height_field;
}

juxta_status juxta_check_shape(const juxta_shape* shape, const juxta_qvvs* at, juxta_error* error) {
  return guarded(error, [&]() -> Result<void> {
    const ShapeOf given(shape);
    return given ? check_shape(*given, cpp_place(at)) : Result<void>(tl::unexpected(unknown_shape()));
  });
}
void juxta_shape_bounds(const juxta_shape* shape, const juxta_qvvs* at, float* box) {
  const ShapeOf given(shape);
  constexpr float kFar = std::numeric_limits<float>::infinity();
  const juxta::Aabb3 bounds =
      given ? bounds_of(*given, cpp_place(at)) : juxta::Aabb3{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
  std::memcpy(box, &bounds, sizeof(bounds));
}

juxta_surface_hit juxta_shape_raycast(const juxta_shape* shape, const juxta_qvvs* at, const juxta_ray* ray) {
  const ShapeOf given(shape);
  return c_surface_hit(given ? raycast(*given, cpp_place(at), ray_of<3>(*ray)) : juxta::SurfaceHit{});
}
bool juxta_shape_raycast_any(const juxta_shape* shape, const juxta_qvvs* at, const juxta_ray* ray) {
  const ShapeOf given(shape);
  return given && raycast_any(*given, cpp_place(at), ray_of<3>(*ray));
}
size_t juxta_shape_raycast_every(const juxta_shape* shape, const juxta_qvvs* at, const juxta_ray* ray,
                                 juxta_surface_hit* out, size_t most) {
  const ShapeOf given(shape);
  if (!given) {
    return 0;
  }
  // Nothing here allocates, and hits of C++ lack the body: they are written to the same memory, closer
  // together, and spread from the last one on, so that none is overwritten before it is read.
  using juxta::SurfaceHit;
  static_assert(sizeof(SurfaceHit) <= sizeof(juxta_surface_hit) &&
                alignof(SurfaceHit) <= alignof(juxta_surface_hit));
  const std::span hits(reinterpret_cast<SurfaceHit*>(out), out == nullptr ? 0 : most);
  const juxta::QueryResult result = raycast_every(*given, cpp_place(at), ray_of<3>(*ray), hits);
  for (std::size_t i = result.written; i-- > 0;) {
    const SurfaceHit hit = hits[i];
    const juxta_surface_hit made = c_surface_hit(hit);
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): without `out` none is written
    std::memcpy(out + i, &made, sizeof(made));
  }
  return result.found;
}
juxta_closest_points juxta_shape_closest(const juxta_shape* a, const juxta_qvvs* at_a, const juxta_shape* b,
                                         const juxta_qvvs* at_b, float max_distance) {
  const ShapeOf first(a), second(b);
  return c_closest(first && second ? closest(*first, cpp_place(at_a), *second, cpp_place(at_b), max_distance)
                                   : juxta::ClosestPoints{});
}
bool juxta_shape_overlaps(const juxta_shape* a, const juxta_qvvs* at_a, const juxta_shape* b,
                          const juxta_qvvs* at_b) {
  const ShapeOf first(a), second(b);
  return first && second && overlaps(*first, cpp_place(at_a), *second, cpp_place(at_b));
}
bool juxta_shape_contains(const juxta_shape* shape, const juxta_qvvs* at, const float* point) {
  const ShapeOf given(shape);
  return given && contains(*given, cpp_place(at), cpp_vec(point));
}
juxta_cast_hit juxta_shape_cast(const juxta_shape* moving, const juxta_qvvs* from, const float* way,
                                const juxta_shape* still, const juxta_qvvs* at) {
  const ShapeOf first(moving), second(still);
  return c_cast_hit(first && second ? cast(*first, cpp_place(from), cpp_vec(way), *second, cpp_place(at))
                                    : juxta::CastHit{});
}
juxta_qvvs juxta_place_at(const juxta_motion* motion, float t) {
  const juxta::Qvvs at = place_at(cpp_motion(*motion), t);
  juxta_qvvs out;
  static_assert(sizeof(out) == sizeof(at));
  std::memcpy(&out, &at, sizeof(out));
  return out;
}
juxta_cast_hit juxta_shape_cast_turning(const juxta_shape* moving, const juxta_motion* motion,
                                        const juxta_shape* still, const juxta_qvvs* at) {
  const ShapeOf first(moving), second(still);
  return c_cast_hit(first && second ? cast(*first, cpp_motion(*motion), *second, cpp_place(at))
                                    : juxta::CastHit{});
}
juxta_manifold juxta_shape_contact(const juxta_shape* a, const juxta_qvvs* at_a, const juxta_shape* b,
                                   const juxta_qvvs* at_b, float margin) {
  const ShapeOf first(a), second(b);
  return c_manifold(first && second ? contact(*first, cpp_place(at_a), *second, cpp_place(at_b), margin)
                                    : juxta::Manifold{});
}

size_t juxta_shape_contacts(const juxta_shape* a, const juxta_qvvs* at_a, const juxta_shape* b,
                            const juxta_qvvs* at_b, float margin, juxta_named_manifold* out, size_t most) {
  const ShapeOf first(a), second(b);
  return first && second ? contacts(*first, cpp_place(at_a), *second, cpp_place(at_b), margin,
                                    answers_or_none<juxta::Manifold>(out, most))
                               .found
                         : 0;
}
