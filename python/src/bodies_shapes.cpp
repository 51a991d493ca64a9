// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Bodies: what shapes meet, overlap and are near.
#include <optional>
#include <string>
#include <vector>

#include "bodies_docs.h"
#include "bodies_object.h"
#include "boxes.h"
#include "call.h"
#include "options.h"
#include "scratch.h"
#include "surface_hits.h"

namespace juxta::python {
namespace {

// Shapes and where they stand: one question, or many with one of either for all.
struct Asked {
  Asked(const py::object& shapes_in, const py::object& at_in) : shapes(shapes_in, "shape"), at(at_in, "at") {
    count = shapes.single() ? at.count() : shapes.count();
    single = shapes.single() && at.single();
    at.check_count(count, "shapes");
  }
  ShapesIn shapes;
  TransformsIn<Qvvs> at;
  std::size_t count = 0;
  bool single = false;
};

void check_moving(const ShapesIn& shapes) {
  for (std::size_t i = 0; i < shapes.count(); ++i) {
    if (!shapes.of(i).convex()) {
      raise_value("shape " + std::to_string(i) +
                  " is not convex, so it cannot be moved. Spheres, capsules, boxes, triangles and hulls can");
    }
  }
}

// One vector for all, or one for each of `count`; None: zeros.
class VectorsIn {
 public:
  VectorsIn(const py::object& value, const char* name, std::size_t count) {
    if (value.is_none()) {
      return;
    }
    given_.emplace(value, name, 3);
    if (!given_->single() && given_->count() != count) {
      raise_value(std::string(name) + " has " + std::to_string(given_->count()) + " vectors for " +
                  std::to_string(count) + " shapes. Give one for each, or one for all");
    }
  }
  [[nodiscard]] Vec3 operator()(std::size_t i) const {
    return given_ ? given_->as<3>()[given_->single() ? 0 : i] : Vec3{};
  }

 private:
  std::optional<PointsIn> given_;
};

py::object cast(const BodiesObject& self, const py::object& shapes, const py::object& way_in,
                const py::object& at_in, const py::object& turn_in, const py::object& pivot_in,
                const py::object& skip, const py::object& only, const py::object& category,
                const py::object& mask, const py::object& dtype, const py::object& threads,
                const py::object& progress) {
  const Reading reading(self);
  Asked asked(shapes, at_in);
  check_moving(asked.shapes);
  const PointsIn ways(way_in, "way", 3);
  const std::size_t count = asked.single ? ways.count() : asked.count;
  const bool single = asked.single && ways.single();
  if (!ways.single() && ways.count() != count) {
    raise_value("way has " + std::to_string(ways.count()) + " vectors for " + std::to_string(count) +
                " shapes. Give one for each, or one for all");
  }
  const VectorsIn turn(turn_in, "turn", count), pivot(pivot_in, "pivot", count);
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  const auto way = [&](std::size_t i) { return ways.as<3>()[ways.single() ? 0 : i]; };
  if (single) {
    const QueryOptions options = narrowing.one();
    return cast_hit(Call::released([&] {
      const Motion motion{asked.at.of(0), way(0), turn(0), pivot(0)};
      return self.bodies.cast_closest(asked.shapes.of(0), motion, options);
    }));
  }
  std::vector<BodyCast> casts(count);
  for (std::size_t i = 0; i < count; ++i) {
    casts[i] = {.shape = asked.shapes.of(i),
                .from = asked.at.of(i),
                .way = way(i),
                .turn = turn(i),
                .pivot = pivot(i)};
  }
  Call call(threads, progress);
  const BatchOptions options = narrowing.many(count);
  std::vector<BodyCastHit> hits(count);
  call.run_ranges(count, "cast", [&](const Context& context, std::size_t first, std::size_t last) {
    return self.bodies.cast_closest(std::span<const BodyCast>(casts).subspan(first, last - first),
                                    std::span(hits).subspan(first, last - first),
                                    Narrowing::part(options, first, last), context);
  });
  return cast_hits(ResultType::kCastHit, hits, type);
}

py::object cast_all(const BodiesObject& self, const py::object& shape, const py::object& way_in,
                    const py::object& at_in, const py::object& turn, const py::object& pivot,
                    const py::object& skip, const py::object& only, const py::object& category,
                    const py::object& mask, const py::object& dtype) {
  const Reading reading(self);
  const Asked asked(shape, at_in);
  check_moving(asked.shapes);
  const PointsIn way(way_in, "way", 3);
  if (!asked.single || !way.single()) {
    raise_value("cast_all() takes one shape, one place and one way");
  }
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  const QueryOptions options = narrowing.one();
  const Motion motion{asked.at.of(0), way.as<3>()[0], VectorsIn(turn, "turn", 1)(0),
                      VectorsIn(pivot, "pivot", 1)(0)};
  return with_answers<BodyCastHit>(
      [&](std::span<BodyCastHit> out) {
        return self.bodies.cast_all(asked.shapes.of(0), motion, out, options);
      },
      [&](std::span<const BodyCastHit> hits) { return cast_hits(ResultType::kCastHits, hits, type); });
}

py::object distances(std::span<const BodyDistance> found, IndexType type) {
  Buffer<std::uint32_t> bodies;
  bodies.resize(found.size());
  auto distance = new_array<float>(found.size());
  VectorColumn on_shape(found.size()), on_body(found.size()), normal(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    bodies.span()[i] = found[i].found ? found[i].body : kNoBody;
    distance.mutable_data()[i] = found[i].distance;
    on_shape.set(i, found[i].on_a);
    on_body.set(i, found[i].on_b);
    normal.set(i, found[i].normal);
  }
  return result(ResultType::kBodyDistance, index_row(std::move(bodies), type, nullptr), std::move(distance),
                std::move(on_shape).take(), std::move(on_body).take(), std::move(normal).take());
}

py::object nearest(const BodiesObject& self, const py::object& shapes, const py::object& at_in,
                   const py::object& max_distance, const py::object& skip, const py::object& only,
                   const py::object& category, const py::object& mask, const py::object& dtype,
                   const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const Asked asked(shapes, at_in);
  const ScalarsIn within(max_distance, "max_distance", asked.count, "shapes");
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  if (asked.single) {
    const QueryOptions options = narrowing.one();
    const BodyDistance found = Call::released(
        [&] { return self.bodies.nearest(asked.shapes.of(0), asked.at.of(0), within[0], options); });
    return result(ResultType::kBodyDistance, index_of(found.found ? found.body : kNoBody), found.distance,
                  array_of(found.on_a), array_of(found.on_b), array_of(found.normal));
  }
  std::vector<BodyNear> near(asked.count);
  for (std::size_t i = 0; i < asked.count; ++i) {
    near[i] = {.shape = asked.shapes.of(i), .at = asked.at.of(i), .max_distance = within[i]};
  }
  Call call(threads, progress);
  const BatchOptions options = narrowing.many(asked.count);
  std::vector<BodyDistance> found(asked.count);
  call.run_ranges(asked.count, "nearest", [&](const Context& context, std::size_t first, std::size_t last) {
    return self.bodies.nearest(std::span<const BodyNear>(near).subspan(first, last - first),
                               std::span(found).subspan(first, last - first),
                               Narrowing::part(options, first, last), context);
  });
  return distances(found, type);
}

py::object query(const BodiesObject& self, const py::object& shapes, const py::object& at_in,
                 const py::object& skip, const py::object& only, const py::object& category,
                 const py::object& mask, const py::object& dtype, const py::object& threads,
                 const py::object& progress) {
  const Reading reading(self);
  const Asked asked(shapes, at_in);
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  if (asked.single) {
    const QueryOptions options = narrowing.one();
    return scratch_indices(type, false, [&](std::span<std::uint32_t> out) {
      return self.bodies.find_all(asked.shapes.of(0), asked.at.of(0), out, options);
    });
  }
  std::vector<Body> bodies(asked.count);
  for (std::size_t i = 0; i < asked.count; ++i) {
    bodies[i] = {.shape = asked.shapes.of(i), .at = asked.at.of(i)};
  }
  Call call(threads, progress);
  const BatchOptions options = narrowing.many(asked.count);
  const QueryOptions filter{.filter = options.filter};
  return pair_batches(
      call, asked.count, "query", type,
      [&](std::size_t first, std::size_t last, std::span<Pair> out, const Context& context) {
        return self.bodies.find_all(std::span<const Body>(bodies).subspan(first, last - first), out,
                                    Narrowing::part(options, first, last), context);
      },
      [&](std::size_t i) { return self.bodies.find_all(bodies[i].shape, bodies[i].at, {}, filter).found; });
}

}  // namespace

void bind_bodies_shapes(py::class_<BodiesObject>& bodies) {
  using py::arg;
  const auto none = py::none();
  bodies
      .def("cast", &cast, arg("shape"), arg("way"), arg("at") = none, py::kw_only(), arg("turn") = none,
           arg("pivot") = none, arg("skip") = none, arg("only") = none, arg("category") = none,
           arg("mask") = none, arg("dtype") = none, arg("threads") = none, arg("progress") = none,
           docs::kBodiesCast)
      .def("cast_all", &cast_all, arg("shape"), arg("way"), arg("at") = none, py::kw_only(),
           arg("turn") = none, arg("pivot") = none, arg("skip") = none, arg("only") = none,
           arg("category") = none, arg("mask") = none, arg("dtype") = none, docs::kBodiesCastAll)
      .def("nearest", &nearest, arg("shape"), arg("at") = none,
           arg("max_distance") = std::numeric_limits<double>::infinity(), py::kw_only(), arg("skip") = none,
           arg("only") = none, arg("category") = none, arg("mask") = none, arg("dtype") = none,
           arg("threads") = none, arg("progress") = none, docs::kBodiesNearest)
      .def("query", &query, arg("shape"), arg("at") = none, py::kw_only(), arg("skip") = none,
           arg("only") = none, arg("category") = none, arg("mask") = none, arg("dtype") = none,
           arg("threads") = none, arg("progress") = none, docs::kBodiesQuery);
}

}  // namespace juxta::python
