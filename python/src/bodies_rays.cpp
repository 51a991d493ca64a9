// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Bodies: what rays meet.
#include <algorithm>
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

// of(i, options) for every ray, on the executor: for what the library asks one by one.
template <class Of>
void each_ray(Call& call, std::size_t count, const BatchOptions& options, Of&& of) {
  call.run_ranges(count, "raycast", [&](const Context& context, std::size_t begin, std::size_t end) {
    executor_or_serial(context.executor)
        .parallel_for(end - begin, 64, [&](std::size_t first, std::size_t last) {
          for (std::size_t i = begin + first; i < begin + last; ++i) {
            const auto takes = [&](std::uint32_t body) {
              return options.takes(static_cast<std::uint32_t>(i), body);
            };
            QueryOptions one{.filter = options.filter};
            if (options.narrows()) {
              one.accept = takes;
            }
            of(i, one);
          }
        });
    return Result<void>{};
  });
}

py::object raycast(const BodiesObject& self, const py::object& origin, const py::object& direction,
                   const py::object& max, const py::object& skip, const py::object& only,
                   const py::object& category, const py::object& mask, const py::object& dtype,
                   const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const RaysIn<3> rays(origin, direction, max);
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  if (rays.single()) {
    const QueryOptions options = narrowing.one();
    return surface_hit(Call::released([&] { return self.bodies.raycast_closest(rays.rays()[0], options); }));
  }
  Call call(threads, progress);
  const BatchOptions options = narrowing.many(rays.rays().size());
  std::vector<BodyRayHit> hits(rays.rays().size());
  call.run_ranges(hits.size(), "raycast", [&](const Context& context, std::size_t first, std::size_t last) {
    return self.bodies.raycast_closest(rays.rays().subspan(first, last - first),
                                       std::span(hits).subspan(first, last - first),
                                       Narrowing::part(options, first, last), context);
  });
  return surface_hits(ResultType::kSurfaceHit, hits, type);
}

py::object raycast_any(const BodiesObject& self, const py::object& origin, const py::object& direction,
                       const py::object& max, const py::object& skip, const py::object& only,
                       const py::object& category, const py::object& mask, const py::object& dtype,
                       const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const RaysIn<3> rays(origin, direction, max);
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  if (rays.single()) {
    const QueryOptions options = narrowing.one();
    return surface_hit(Call::released([&] { return self.bodies.raycast_any(rays.rays()[0], options); }));
  }
  Call call(threads, progress);
  std::vector<BodyRayHit> hits(rays.rays().size());
  each_ray(call, hits.size(), narrowing.many(hits.size()), [&](std::size_t i, const QueryOptions& options) {
    hits[i] = self.bodies.raycast_any(rays.rays()[i], options);
  });
  return surface_hits(ResultType::kSurfaceHit, hits, type);
}

// raycast_all() or raycast_every().
using AllOf = QueryResult (Bodies::*)(const Ray3&, std::span<BodyRayHit>, const QueryOptions&) const;

// All hits of one ray, however many.
std::vector<BodyRayHit> all_of(const Bodies& bodies, AllOf ask, const Ray3& ray,
                               const QueryOptions& options) {
  std::vector<BodyRayHit> hits(16);
  for (;;) {
    const QueryResult found = (bodies.*ask)(ray, hits, options);
    if (found.found <= hits.size()) {
      hits.resize(found.written);
      return hits;
    }
    hits.resize(found.found);
  }
}

template <AllOf kAsk>
py::object raycast_all(const BodiesObject& self, const py::object& origin, const py::object& direction,
                       const py::object& max, const py::object& skip, const py::object& only,
                       const py::object& category, const py::object& mask, const py::object& dtype,
                       const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  const RaysIn<3> rays(origin, direction, max);
  Narrowing narrowing(skip, only, category, mask, self.bodies.size());
  const IndexType type = index_type_of(dtype);
  if (rays.single()) {
    const QueryOptions options = narrowing.one();
    const auto hits = Call::released([&] { return all_of(self.bodies, kAsk, rays.rays()[0], options); });
    return surface_hits(ResultType::kSurfaceHit, hits, type);
  }
  Call call(threads, progress);
  std::vector<std::vector<BodyRayHit>> of_each(rays.rays().size());
  each_ray(call, of_each.size(), narrowing.many(of_each.size()),
           [&](std::size_t i, const QueryOptions& options) {
             of_each[i] = all_of(self.bodies, kAsk, rays.rays()[i], options);
           });
  return surface_rows(of_each, type);
}

}  // namespace

void bind_bodies_rays(py::class_<BodiesObject>& bodies) {
  using py::arg;
  const auto none = py::none();
  const auto rays = [&](const char* name, auto* function, const char* docs) {
    bodies.def(name, function, arg("origin"), arg("direction"),
               arg("max") = std::numeric_limits<double>::infinity(), py::kw_only(), arg("skip") = none,
               arg("only") = none, arg("category") = none, arg("mask") = none, arg("dtype") = none,
               arg("threads") = none, arg("progress") = none, docs);
  };
  rays("raycast", &raycast, docs::kBodiesRaycast);
  rays("raycast_any", &raycast_any, docs::kBodiesRaycastAny);
  rays("raycast_all", &raycast_all<&Bodies::raycast_all>, docs::kBodiesRaycastAll);
  rays("raycast_every", &raycast_all<&Bodies::raycast_every>, docs::kBodiesRaycastEvery);
}

}  // namespace juxta::python
