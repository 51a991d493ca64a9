// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Shape: questions about one shape or two.
#include "juxta/shape/query.h"

#include <string>

#include "boxes.h"
#include "call.h"
#include "contacts.h"
#include "shape_docs.h"
#include "shape_object.h"
#include "surface_hits.h"
#include "transforms_in.h"

namespace juxta::python {
namespace {

BodyRayHit as_body(const SurfaceHit& hit) {
  BodyRayHit answer;
  static_cast<SurfaceHit&>(answer) = hit;
  answer.body = hit.hit ? 0 : kNoBody;
  return answer;
}

/// out[i] = ask(i), on several threads.
template <class Ask>
py::object bools_of(std::size_t count, const char* name, const py::object& threads, const Ask& ask) {
  Call call(threads, py::none());
  auto out = new_array<bool>(count);
  bool* const to = out.mutable_data();
  call.run_ranges(count, name, [&](const Context& context, std::size_t begin, std::size_t end) {
    executor_or_serial(context.executor)
        .parallel_for(end - begin, 64, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = begin + first; i < begin + last; ++i) {
            to[i] = ask(i);
          }
        });
    return Result<void>{};
  });
  return out;
}

py::object raycast_shape(const ShapeObject& self, const py::object& origin, const py::object& direction,
                         const py::object& max, const py::object& at_in, const py::object& dtype,
                         const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const Qvvs at = place_of(at_in, "at");
  const IndexType type = index_type_of(dtype);
  const RaysIn<3> rays(origin, direction, max);
  if (rays.single()) {
    return surface_hit(as_body(Call::released([&] { return raycast(self.shape, at, rays.rays()[0]); })));
  }
  Call call(threads, progress);
  std::vector<SurfaceHit> hits(rays.rays().size());
  call.run_ranges(hits.size(), "raycast", [&](const Context& context, std::size_t first, std::size_t last) {
    return raycast(self.shape, at, rays.rays().subspan(first, last - first),
                   std::span(hits).subspan(first, last - first), context);
  });
  std::vector<BodyRayHit> answers(hits.size());
  std::transform(hits.begin(), hits.end(), answers.begin(), as_body);
  return surface_hits(ResultType::kSurfaceHit, answers, type);
}

py::object raycast_any_shape(const ShapeObject& self, const py::object& origin, const py::object& direction,
                             const py::object& max, const py::object& at_in, const py::object& threads) {
  const Reading reading(self);
  const Qvvs at = place_of(at_in, "at");
  const RaysIn<3> rays(origin, direction, max);
  if (rays.single()) {
    return py::bool_(Call::released([&] { return raycast_any(self.shape, at, rays.rays()[0]); }));
  }
  return bools_of(rays.rays().size(), "raycast_any", threads,
                  [&](std::size_t i) { return raycast_any(self.shape, at, rays.rays()[i]); });
}

// Every surface on one ray, however many.
std::vector<BodyRayHit> every_of(const Shape& shape, const Qvvs& at, const Ray3& ray) {
  std::vector<SurfaceHit> hits(16);
  QueryResult found = raycast_every(shape, at, ray, hits);
  if (found.found > hits.size()) {
    hits.resize(found.found);
    found = raycast_every(shape, at, ray, hits);
  }
  std::vector<BodyRayHit> answers(found.written);
  std::transform(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(found.written), answers.begin(),
                 as_body);
  return answers;
}

py::object raycast_every_shape(const ShapeObject& self, const py::object& origin, const py::object& direction,
                               const py::object& max, const py::object& at_in, const py::object& dtype,
                               const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const Qvvs at = place_of(at_in, "at");
  const IndexType type = index_type_of(dtype);
  const RaysIn<3> rays(origin, direction, max);
  if (rays.single()) {
    const auto hits = Call::released([&] { return every_of(self.shape, at, rays.rays()[0]); });
    return surface_hits(ResultType::kSurfaceHit, hits, type);
  }
  Call call(threads, progress);
  std::vector<std::vector<BodyRayHit>> of_each(rays.rays().size());
  call.run_ranges(of_each.size(), "raycast", [&](const Context& context, std::size_t begin, std::size_t end) {
    executor_or_serial(context.executor)
        .parallel_for(end - begin, 64, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = begin + first; i < begin + last; ++i) {
            of_each[i] = every_of(self.shape, at, rays.rays()[i]);
          }
        });
    return Result<void>{};
  });
  return surface_rows(of_each, type);
}

py::object part_ids(const PartId& part) {
  const std::array<std::uint32_t, 2> ids{part.part, part.triangle};
  return index_array(ids, IndexType::kIntp);
}

py::object closest_of(const ShapeObject& self, const ShapeObject& other, const py::object& at_in,
                      const py::object& other_at_in, double max_distance) {
  const Reading reading(self), reading_other(other);
  const Qvvs at = place_of(at_in, "at"), other_at = place_of(other_at_in, "other_at");
  const ClosestPoints found = Call::released(
      [&] { return closest(self.shape, at, other.shape, other_at, static_cast<float>(max_distance)); });
  return result(ResultType::kClosestPoints, found.distance, array_of(found.on_a), array_of(found.on_b),
                array_of(found.normal), part_ids(found.part_a), part_ids(found.part_b));
}

bool overlaps_of(const ShapeObject& self, const ShapeObject& other, const py::object& at_in,
                 const py::object& other_at_in) {
  const Reading reading(self), reading_other(other);
  const Qvvs at = place_of(at_in, "at"), other_at = place_of(other_at_in, "other_at");
  return Call::released([&] { return overlaps(self.shape, at, other.shape, other_at); });
}

py::object contains_of(const ShapeObject& self, const py::object& input, const py::object& at_in,
                       const py::object& threads) {
  const Reading reading(self);
  const Qvvs at = place_of(at_in, "at");
  const PointsIn points(input, "points", 3);
  const std::span<const Vec3> all = points.as<3>();
  if (points.single()) {
    return py::bool_(Call::released([&] { return contains(self.shape, at, all[0]); }));
  }
  return bools_of(all.size(), "contains", threads,
                  [&](std::size_t i) { return contains(self.shape, at, all[i]); });
}

void check_convex(const ShapeObject& self, const char* name) {
  if (!self.shape.convex()) {
    raise_value(std::string(name) + " is not convex. Spheres, capsules, boxes, triangles and hulls are");
  }
}

Vec3 vector_of(const py::object& value, const char* name) {
  const PointsIn vector(value, name, 3);
  if (!vector.single()) {
    raise_value(std::string(name) + " is an array of vectors. Give one: (3,)");
  }
  return vector.as<3>()[0];
}

py::object cast_of(const ShapeObject& self, const py::object& way_in, const ShapeObject& still,
                   const py::object& at_in, const py::object& still_at_in, const py::object& turn_in,
                   const py::object& pivot_in) {
  const Reading reading(self), reading_still(still);
  check_convex(self, "the moving shape");
  const Vec3 way = vector_of(way_in, "way");
  const Vec3 turn = turn_in.is_none() ? Vec3{} : vector_of(turn_in, "turn");
  const Vec3 pivot = pivot_in.is_none() ? Vec3{} : vector_of(pivot_in, "pivot");
  const Qvvs at = place_of(at_in, "at"), still_at = place_of(still_at_in, "still_at");
  BodyCastHit hit;
  static_cast<CastHit&>(hit) = Call::released([&] {
    return cast(self.shape, Motion{at, way, turn, pivot}, still.shape, still_at);
  });
  hit.body = hit.hit ? 0 : kNoBody;
  return cast_hit(hit);
}

py::object contact_of(const ShapeObject& self, const ShapeObject& other, const py::object& at_in,
                      const py::object& other_at_in, double margin) {
  const Reading reading(self), reading_other(other);
  check_convex(self, "this shape");
  check_convex(other, "other");
  const Qvvs at = place_of(at_in, "at"), other_at = place_of(other_at_in, "other_at");
  const Manifold found = Call::released(
      [&] { return contact(self.shape, at, other.shape, other_at, static_cast<float>(margin)); });
  VectorColumn points(found.count);
  auto distances = new_array<float>(std::size_t{found.count});
  auto features = new_array<std::uint32_t>(std::size_t{found.count});
  for (std::size_t i = 0; i < found.count; ++i) {
    points.set(i, found.points[i].point);
    distances.mutable_data()[i] = found.points[i].distance;
    features.mutable_data()[i] = found.points[i].feature;
  }
  return result(ResultType::kManifold, array_of(found.normal), std::move(points).take(), std::move(distances),
                std::move(features));
}

py::object contacts_of_two(const ShapeObject& self, const ShapeObject& other, const py::object& at_in,
                           const py::object& other_at_in, double margin, const py::object& dtype) {
  const Reading reading(self), reading_other(other);
  const Qvvs at = place_of(at_in, "at"), other_at = place_of(other_at_in, "other_at");
  const IndexType type = index_type_of(dtype);
  std::array<Manifold, kMostManifolds> found;
  const QueryResult count = Call::released(
      [&] { return contacts(self.shape, at, other.shape, other_at, static_cast<float>(margin), found); });
  return make_result(ResultType::kManifolds, manifold_columns(std::span(found).first(count.written), type));
}

py::object bounds(const ShapeObject& self, const py::object& at_in) {
  const Reading reading(self);
  const TransformsIn<Qvvs> at(at_in, "at");
  const auto put = [&](float* to, std::size_t i) {
    unwrap(check_shape(self.shape, at.of(i)));
    *reinterpret_cast<Aabb3*>(to) = bounds_of(self.shape, at.of(i));
  };
  if (at.single()) {
    auto box = new_array<float>(2, 3);
    put(box.mutable_data(), 0);
    return box;
  }
  auto boxes = new_array<float>(at.count(), 2, 3);
  for (std::size_t i = 0; i < at.count(); ++i) {
    put(boxes.mutable_data() + 6 * i, i);
  }
  return boxes;
}

py::object mass(const ShapeObject& self, const py::object& at_in) {
  const Reading reading(self);
  const Qvvs at = place_of(at_in, "at");
  unwrap(check_shape(self.shape, at));
  const MassProperties found = Call::released([&] { return mass_of(self.shape, at); });
  auto inertia = new_array<double>(3, 3);
  for (std::size_t row = 0; row < 3; ++row) {
    std::copy_n(found.inertia[row], 3, inertia.mutable_data() + 3 * row);
  }
  return result(ResultType::kMassProperties, found.volume, array_of(found.center), std::move(inertia));
}

}  // namespace

void bind_shape_queries(py::class_<ShapeObject>& shape) {
  using py::arg;
  const auto none = py::none();
  const double infinity = std::numeric_limits<double>::infinity();
  shape
      .def("raycast", &raycast_shape, arg("origin"), arg("direction"), arg("max") = infinity, py::kw_only(),
           arg("at") = none, arg("dtype") = none, arg("threads") = none, arg("progress") = none,
           docs::kShapeRaycast)
      .def("raycast_any", &raycast_any_shape, arg("origin"), arg("direction"), arg("max") = infinity,
           py::kw_only(), arg("at") = none, arg("threads") = none, docs::kShapeRaycastAny)
      .def("raycast_every", &raycast_every_shape, arg("origin"), arg("direction"), arg("max") = infinity,
           py::kw_only(), arg("at") = none, arg("dtype") = none, arg("threads") = none,
           arg("progress") = none, docs::kShapeRaycastEvery)
      .def("closest", &closest_of, arg("other"), py::kw_only(), arg("at") = none, arg("other_at") = none,
           arg("max_distance") = infinity, docs::kShapeClosest)
      .def("overlaps", &overlaps_of, arg("other"), py::kw_only(), arg("at") = none, arg("other_at") = none,
           docs::kShapeOverlaps)
      .def("contains", &contains_of, arg("points"), py::kw_only(), arg("at") = none, arg("threads") = none,
           docs::kShapeContains)
      .def("cast", &cast_of, arg("way"), arg("still"), py::kw_only(), arg("at") = none,
           arg("still_at") = none, arg("turn") = none, arg("pivot") = none, docs::kShapeCast)
      .def("contact", &contact_of, arg("other"), py::kw_only(), arg("at") = none, arg("other_at") = none,
           arg("margin") = 0.0, docs::kShapeContact)
      .def("contacts", &contacts_of_two, arg("other"), py::kw_only(), arg("at") = none,
           arg("other_at") = none, arg("margin") = 0.0, arg("dtype") = none, docs::kShapeContacts)
      .def("bounds", &bounds, arg("at") = none, docs::kShapeBounds)
      .def("mass", &mass, arg("at") = none, docs::kShapeMass);
}

}  // namespace juxta::python
