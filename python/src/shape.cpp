// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Shape: making shapes, and what they are.
#include "juxta/shape/shape.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bind.h"
#include "boxes.h"
#include "call.h"
#include "choice.h"
#include "shape_docs.h"
#include "shape_object.h"
#include "transforms_in.h"

namespace juxta::python {
namespace {

using Made = std::unique_ptr<ShapeObject>;

Vec3 vector_of(py::handle value, const char* name) {
  const PointsIn points(value, name, 3);
  if (!points.single()) {
    raise_value(std::string(name) + " is an array of points. Give one: (3,)");
  }
  return points.as<3>()[0];
}

Quat rotation_of(py::handle value) {
  const Numbers<float> numbers(value, "rotation");
  if (numbers.ndim() != 1 || numbers.shape(0) != 4) {
    numbers.refuse_shape("A rotation is a quaternion (x, y, z, w)");
  }
  const float* const q = numbers.data();
  return {q[0], q[1], q[2], q[3]};
}

Made checked(const Shape& shape, std::shared_ptr<const void> parts = nullptr) {
  unwrap(check_shape(shape));
  auto made = std::make_unique<ShapeObject>();
  made->shape = shape;
  made->parts = std::move(parts);
  return made;
}

template <class Parts>
Made with_parts(Parts&& parts) {
  auto shared = std::make_shared<const std::remove_cvref_t<Parts>>(std::forward<Parts>(parts));
  const Shape shape(*shared);
  return checked(shape, std::move(shared));
}

Made sphere(double radius, const py::object& center) {
  return checked(Sphere{.center = vector_of(center, "center"), .radius = static_cast<float>(radius)});
}
Made capsule(const py::object& a, const py::object& b, double radius) {
  return checked(Capsule{vector_of(a, "a"), vector_of(b, "b"), static_cast<float>(radius)});
}
Made box(const py::object& half, const py::object& center, const py::object& rotation) {
  return checked(Box{vector_of(center, "center"), rotation_of(rotation), vector_of(half, "half")});
}
Made triangle(const py::object& a, const py::object& b, const py::object& c) {
  return checked(Triangle{vector_of(a, "a"), vector_of(b, "b"), vector_of(c, "c")});
}

Made hull(const py::object& input) {
  const PointsIn points(input, "points", 3);
  return with_parts(unwrap(Call::released([&] { return ConvexHull::build(points.as<3>()); })));
}

constexpr std::array<Choice<MeshQuality>, 3> kMeshQualities = {
    {{"default", MeshQuality::kDefault}, {"fast", MeshQuality::kFast}, {"best", MeshQuality::kBest}}};

// A mesh or height field. Not made const: refit() and adjoin() change it.
template <class Parts>
Made with_surface(Parts&& surface) {
  auto shared = std::make_shared<std::remove_cvref_t<Parts>>(std::forward<Parts>(surface));
  const Shape shape(*shared);
  return checked(shape, std::move(shared));
}

Made mesh(const py::object& vertices_in, const py::object& triangles_in, const py::object& quality,
          const py::object& threads, const py::object& progress) {
  const MeshOptions options{.quality = choice_of(quality, "quality", kMeshQualities)};
  const PointsIn vertices(vertices_in, "vertices", 3);
  const Numbers<std::uint32_t> triangles(triangles_in, "triangles");
  if (triangles.size() != 0 && (triangles.ndim() != 2 || triangles.shape(1) != 3)) {
    triangles.refuse_shape("Triangles are (m, 3): three indices of vertices each");
  }
  const MeshView view(vertices.as<3>(), triangles.span());
  Call call(threads, progress);
  return with_surface(
      call.run([&](const Context& context) { return TriangleMesh::build(view, options, context); }));
}

Made open_mesh(const py::object& path) {
  const std::string file = path_of(path);
  return with_surface(unwrap(Call::released([&] { return TriangleMesh::open(file); })));
}

// A compound, and what its parts borrow.
struct CompoundParts {
  Compound compound;
  std::vector<std::shared_ptr<const void>> parts;
};

Made compound(const py::object& shapes_in, const py::object& at_in) {
  const ShapesIn shapes(shapes_in, "shapes");
  const TransformsIn<Qvvs> at(at_in, "at");
  const std::size_t count = shapes.single() ? at.count() : shapes.count();
  at.check_count(count, "shapes");
  std::vector<Compound::Part> parts(count);
  std::vector<std::shared_ptr<const void>> owners;
  for (std::size_t i = 0; i < count; ++i) {
    parts[i] = {.shape = shapes.of(i), .at = at.of(i)};
  }
  for (std::size_t i = 0; i < shapes.count(); ++i) {
    owners.push_back(shapes.object(i).parts);
  }
  auto shared =
      std::make_shared<const CompoundParts>(CompoundParts{unwrap(Compound::build(parts)), std::move(owners)});
  const Shape shape(shared->compound);
  return checked(shape, std::move(shared));
}

Made height_field(const py::object& input, double cell) {
  const Numbers<float> heights(input, "heights");
  if (heights.ndim() != 2 || heights.shape(0) > 0xFFFFFFFFU || heights.shape(1) > 0xFFFFFFFFU) {
    heights.refuse_shape("Heights are (rows, columns)");
  }
  return with_surface(unwrap(Call::released([&] {
    return HeightField::build(static_cast<std::uint32_t>(heights.shape(1)),
                              static_cast<std::uint32_t>(heights.shape(0)), static_cast<float>(cell),
                              heights.span());
  })));
}

const char* kind_of(const Shape& shape) {
  static constexpr std::array<const char*, 8> kKinds = {"sphere", "capsule", "box",      "triangle",
                                                        "hull",   "mesh",    "compound", "height_field"};
  return kKinds[static_cast<int>(shape.kind())];
}

// The part of kind T; ValueError for other kinds.
template <class T>
const T& part_of(const ShapeObject& self, const char* kind) {
  const auto* part = self.shape.get_if<T>();
  if (part == nullptr) {
    raise_value("this shape is a " + std::string(kind_of(self.shape)) + ", not a " + kind);
  }
  return *part;
}

py::object vertices(const py::object& handle) {
  const auto& self = handle.cast<const ShapeObject&>();
  const Reading reading(self);
  const std::span<const Vec3> all = part_of<ConvexHull>(self, "hull").vertices();
  return view_of<float>({reinterpret_cast<const float*>(all.data()), 3 * all.size()},
                        {static_cast<py::ssize_t>(all.size()), 3}, handle);
}

py::object faces(const py::object& handle) {
  const auto& self = handle.cast<const ShapeObject&>();
  const Reading reading(self);
  const std::span<const Plane3> all = part_of<ConvexHull>(self, "hull").faces();
  return view_of<float>({reinterpret_cast<const float*>(all.data()), 4 * all.size()},
                        {static_cast<py::ssize_t>(all.size()), 4}, handle);
}

py::object heights(const py::object& handle) {
  const auto& self = handle.cast<const ShapeObject&>();
  const Reading reading(self);
  const HeightField& field = part_of<HeightField>(self, "height_field");
  return view_of<float>(field.heights(),
                        {static_cast<py::ssize_t>(field.rows()), static_cast<py::ssize_t>(field.columns())},
                        handle);
}

py::object triangles(const ShapeObject& self) {
  const Reading reading(self);
  const TriangleMesh& part = part_of<TriangleMesh>(self, "mesh");
  py::array_t<float> out({static_cast<py::ssize_t>(part.triangle_count()), py::ssize_t{3}, py::ssize_t{3}});
  auto* const to = reinterpret_cast<Triangle*>(out.mutable_data());
  for (std::size_t i = 0; i < part.triangle_count(); ++i) {
    to[i] = part.triangle(static_cast<std::uint32_t>(i));
  }
  return out;
}

void save(const ShapeObject& self, const py::object& path) {
  const std::string file = path_of(path);
  const Reading reading(self);
  const auto& part = part_of<TriangleMesh>(self, "mesh");
  unwrap(Call::released([&] { return part.save(file); }));
}

void refit(ShapeObject& self, const py::object& vertices_in, const py::object& threads,
           const py::object& progress) {
  const PointsIn vertices(vertices_in, "vertices", 3);
  Call call(threads, progress);
  const Writing writing(self);
  auto& part = const_cast<TriangleMesh&>(part_of<TriangleMesh>(self, "mesh"));
  call.run([&](const Context& context) { return part.refit(vertices.as<3>(), context); });
}

std::size_t adjoin(ShapeObject& self, const ShapeObject& other, const py::object& at_in,
                   const py::object& other_at_in, double within) {
  const Qvvs at = place_of(at_in, "at"), other_at = place_of(other_at_in, "other_at");
  std::optional<Reading> reading;
  if (&other != &self) {
    reading.emplace(other);
  }
  const Writing writing(self);
  const auto join = [&](auto& part) {
    return unwrap(
        Call::released([&] { return part.adjoin(at, other.shape, other_at, static_cast<float>(within)); }));
  };
  if (const auto* field = self.shape.get_if<HeightField>()) {
    return join(const_cast<HeightField&>(*field));
  }
  return join(const_cast<TriangleMesh&>(part_of<TriangleMesh>(self, "mesh or height field")));
}

void forget_adjoined(ShapeObject& self) {
  const Writing writing(self);
  if (const auto* field = self.shape.get_if<HeightField>()) {
    const_cast<HeightField&>(*field).forget_adjoined();
  } else {
    const_cast<TriangleMesh&>(part_of<TriangleMesh>(self, "mesh or height field")).forget_adjoined();
  }
}

bool closed(const ShapeObject& self) {
  const Reading reading(self);
  return part_of<TriangleMesh>(self, "mesh").closed();
}

}  // namespace

ShapesIn::ShapesIn(py::handle value, const char* name) {
  const auto refuse = [&](py::handle item) {
    raise_type(std::string(name) + " holds " + std::string(py::repr(item)) +
               ". Give a juxta.Shape, or a sequence of them");
  };
  if (py::isinstance<ShapeObject>(value)) {
    owner_ = py::make_tuple(value);
    single_ = true;
  } else if (PyList_Check(value.ptr()) != 0 || PyTuple_Check(value.ptr()) != 0) {
    owner_ = py::tuple(py::reinterpret_borrow<py::object>(value));
  } else {
    refuse(value);
  }
  for (const py::handle item : owner_) {
    if (!py::isinstance<ShapeObject>(item)) {
      refuse(item);
    }
    const auto& shape = item.cast<const ShapeObject&>();
    const Reading born(shape);
    shapes_.push_back(&shape);
  }
}

py::array_t<float> array_of(const Vec3& v) {
  auto array = new_array<float>(3);
  float* const to = array.mutable_data();
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  return array;
}

void bind_shape(py::module_& module) {
  using py::arg;
  const auto middle = py::make_tuple(0.0, 0.0, 0.0);
  const auto none = py::none();
  py::class_<ShapeObject> shape(module, "Shape", docs::kShape);
  shape.def_static("sphere", &sphere, arg("radius"), arg("center") = middle, docs::kShapeSphere)
      .def_static("capsule", &capsule, arg("a"), arg("b"), arg("radius"), docs::kShapeCapsule)
      .def_static("box", &box, arg("half"), arg("center") = middle,
                  arg("rotation") = py::make_tuple(0.0, 0.0, 0.0, 1.0), docs::kShapeBox)
      .def_static("triangle", &triangle, arg("a"), arg("b"), arg("c"), docs::kShapeTriangle)
      .def_static("hull", &hull, arg("points"), docs::kShapeHull)
      .def_static("mesh", &mesh, arg("vertices"), arg("triangles"), py::kw_only(), arg("quality") = "default",
                  arg("threads") = none, arg("progress") = none, docs::kShapeMesh)
      .def_static("open_mesh", &open_mesh, arg("path"), docs::kShapeOpenMesh)
      .def_static("compound", &compound, arg("shapes"), arg("at") = none, docs::kShapeCompound)
      .def_static("height_field", &height_field, arg("heights"), arg("cell") = 1.0, docs::kShapeHeightField)
      .def_property_readonly(
          "kind",
          [](const ShapeObject& self) {
            const Reading reading(self);
            return kind_of(self.shape);
          },
          docs::kShapeKind)
      .def_property_readonly(
          "convex",
          [](const ShapeObject& self) {
            const Reading reading(self);
            return self.shape.convex();
          },
          docs::kShapeConvex)
      .def_property_readonly("closed", &closed, docs::kShapeClosed)
      .def_property_readonly("vertices", &vertices, docs::kShapeVertices)
      .def_property_readonly("faces", &faces, docs::kShapeFaces)
      .def_property_readonly("heights", &heights, docs::kShapeHeights)
      .def("triangles", &triangles, docs::kShapeTriangles)
      .def("refit", &refit, arg("vertices"), py::kw_only(), arg("threads") = none, arg("progress") = none,
           docs::kShapeRefit)
      .def("adjoin", &adjoin, arg("other"), py::kw_only(), arg("at") = none, arg("other_at") = none,
           arg("within") = 0.0, docs::kShapeAdjoin)
      .def("forget_adjoined", &forget_adjoined, docs::kShapeForgetAdjoined)
      .def("save", &save, arg("path"), docs::kShapeSave)
      .def("__repr__", [](const ShapeObject& self) {
        const Reading reading(self);
        return "<juxta.Shape, a " + std::string(kind_of(self.shape)) + ">";
      });
  bind_shape_queries(shape);
}

}  // namespace juxta::python
