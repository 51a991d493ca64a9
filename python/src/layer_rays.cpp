// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// juxta.Layer: what rays touch, and what is nearest to points.
#include <cmath>
#include <string>
#include <vector>

#include "boxes.h"
#include "call.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/raycast.h"
#include "layer_object.h"
#include "layer_query_docs.h"
#include "options.h"
#include "outputs.h"
#include "results.h"
#include "scratch.h"

namespace juxta::python {
namespace {

std::size_t capacity_of(const LayerObject& self) {
  return with_layer(self, [](const auto& layer) { return layer.capacity(); });
}

// Two arrays: the bodies of hits, and a distance of each.
template <class Hit, class Distance>
std::pair<py::array, py::array_t<float>> split(std::span<const Hit> hits, IndexType type,
                                               Distance&& distance) {
  Buffer<std::uint32_t> bodies;
  bodies.resize(hits.size());
  auto distances = new_array<float>(hits.size());
  float* const out = distances.mutable_data();
  for (std::size_t i = 0; i < hits.size(); ++i) {
    bodies.span()[i] = hits[i].body;
    out[i] = distance(hits[i]);
  }
  return {index_row(std::move(bodies), type, nullptr), std::move(distances)};
}

float t_of(const RayHit& hit) {
  return hit.t;
}
float distance_of(const NearestHit& hit) {
  return std::sqrt(hit.distance2);
}

// raycast() and raycast_any(): one(layer, ray, options), many(layer, rays, out, options, context).
template <class One, class Many>
py::object cast_rays(const LayerObject& self, const py::object& origin, const py::object& direction,
                     const py::object& max, Narrowing& narrowing, const py::object& dtype,
                     const py::object& threads, const py::object& progress, One&& one, Many&& many) {
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    const RaysIn<D> rays(origin, direction, max);
    if (rays.single()) {
      const QueryOptions options = narrowing.one();
      const RayHit hit = Call::released([&] { return one(layer, rays.rays()[0], options); });
      return result(ResultType::kRayHit, index_of(hit.body), hit.t);
    }
    Call call(threads, progress);
    const BatchOptions options = narrowing.many(rays.rays().size());
    Buffer<RayHit> hits;
    hits.resize(rays.rays().size());
    call.run_ranges(hits.size(), "raycast", [&](const Context& context, std::size_t first, std::size_t last) {
      return many(layer, rays.rays().subspan(first, last - first), hits.span().subspan(first, last - first),
                  Narrowing::part(options, first, last), context);
    });
    auto [bodies, t] = split<RayHit>(hits.span(), type, t_of);
    return result(ResultType::kRayHit, std::move(bodies), std::move(t));
  });
}

py::object raycast(const LayerObject& self, const py::object& origin, const py::object& direction,
                   const py::object& max, const py::object& skip, const py::object& only,
                   const py::object& category, const py::object& mask, const py::object& dtype,
                   const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  return cast_rays(
      self, origin, direction, max, narrowing, dtype, threads, progress,
      []<int D>(const BasicLayer<D>& layer, const Ray<D>& ray, const QueryOptions& options) {
        return raycast_closest(layer, ray, options);
      },
      []<int D>(const BasicLayer<D>& layer, std::span<const Ray<D>> rays, std::span<RayHit> out,
                const BatchOptions& options,
                const Context& context) { return raycast_closest(layer, rays, out, options, context); });
}

py::object raycast_any_of(const LayerObject& self, const py::object& origin, const py::object& direction,
                          const py::object& max, const py::object& skip, const py::object& only,
                          const py::object& category, const py::object& mask, const py::object& dtype,
                          const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  return cast_rays(
      self, origin, direction, max, narrowing, dtype, threads, progress,
      []<int D>(const BasicLayer<D>& layer, const Ray<D>& ray, const QueryOptions& options) {
        return raycast_any(layer, ray, options);
      },
      []<int D>(const BasicLayer<D>& layer, std::span<const Ray<D>> rays, std::span<RayHit> out,
                const BatchOptions& options,
                const Context& context) { return raycast_any(layer, rays, out, options, context); });
}

// All hits of many rays, in compressed rows.
template <int D>
py::object all_hits(const BasicLayer<D>& layer, std::span<const Ray<D>> rays, const BatchOptions& options,
                    IndexType type, Call& call) {
  Buffer<RayHit> hits;
  std::vector<std::size_t> offsets(rays.size() + 1, 0);
  call.run_ranges(rays.size(), "raycast_all",
                  [&](const Context& context, std::size_t first, std::size_t last) -> Result<QueryResult> {
                    const std::span<std::size_t> part = std::span(offsets).subspan(first, last - first + 1);
                    const std::size_t before = hits.size();
                    const auto find = [&] {
                      return raycast_all(layer, rays.subspan(first, last - first), part, hits.rest(),
                                         Narrowing::part(options, first, last), context);
                    };
                    hits.reserve(before + std::max<std::size_t>(4096, 4 * (last - first)));
                    Result<QueryResult> found = find();
                    if (found && found->found > found->written) {
                      hits.reserve(before + found->found);
                      found = find();
                    }
                    if (found) {
                      hits.resize(before + found->written);
                      for (std::size_t& offset : part) {
                        offset += before;
                      }
                    }
                    return found;
                  });
  auto [bodies, t] = split<RayHit>(hits.span(), type, t_of);
  auto starts = new_array<std::int64_t>(offsets.size());
  std::copy(offsets.begin(), offsets.end(), starts.mutable_data());
  return result(ResultType::kRayHits, std::move(starts), std::move(bodies), std::move(t));
}

py::object raycast_all_of(const LayerObject& self, const py::object& origin, const py::object& direction,
                          const py::object& max, const py::object& skip, const py::object& only,
                          const py::object& category, const py::object& mask, const py::object& dtype,
                          const py::object& threads, const py::object& progress) {
  const Reading reading(self);
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    const RaysIn<D> rays(origin, direction, max);
    if (!rays.single()) {
      Call call(threads, progress);
      return all_hits<D>(layer, rays.rays(), narrowing.many(rays.rays().size()), type, call);
    }
    const QueryOptions options = narrowing.one();
    return with_answers<RayHit>(
        [&](std::span<RayHit> out) { return raycast_all(layer, rays.rays()[0], out, options); },
        [&](std::span<const RayHit> hits) {
          auto [bodies, t] = split<RayHit>(hits, type, t_of);
          return result(ResultType::kRayHit, std::move(bodies), std::move(t));
        });
  });
}

py::object nearest_of(const LayerObject& self, const py::object& input, double max_distance,
                      const py::object& skip, const py::object& only, const py::object& category,
                      const py::object& mask, const py::object& dtype, const py::object& threads,
                      const py::object& progress) {
  const Reading reading(self);
  const PointsIn points(input, "points", self.dims());
  Narrowing narrowing(skip, only, category, mask, capacity_of(self));
  const IndexType type = index_type_of(dtype);
  const auto within = static_cast<float>(max_distance);
  return with_layer(self, [&]<int D>(const BasicLayer<D>& layer) -> py::object {
    if (points.single()) {
      const QueryOptions options = narrowing.one();
      const NearestHit hit =
          Call::released([&] { return nearest(layer, points.as<D>()[0], within, options); });
      return result(ResultType::kNearestHit, index_of(hit.body), distance_of(hit));
    }
    Call call(threads, progress);
    const BatchOptions options = narrowing.many(points.count());
    Buffer<NearestHit> hits;
    hits.resize(points.count());
    call.run_ranges(hits.size(), "nearest", [&](const Context& context, std::size_t first, std::size_t last) {
      return nearest(layer, points.as<D>().subspan(first, last - first), within,
                     hits.span().subspan(first, last - first), Narrowing::part(options, first, last),
                     context);
    });
    auto [bodies, distance] = split<NearestHit>(hits.span(), type, distance_of);
    return result(ResultType::kNearestHit, std::move(bodies), std::move(distance));
  });
}

}  // namespace

void bind_layer_rays(py::class_<LayerObject>& layer) {
  using py::arg;
  const auto none = py::none();
  const auto infinity = std::numeric_limits<double>::infinity();
  const auto rays = [&](const char* name, auto* function, const char* docs) {
    layer.def(name, function, arg("origin"), arg("direction"), arg("max") = infinity, py::kw_only(),
              arg("skip") = none, arg("only") = none, arg("category") = none, arg("mask") = none,
              arg("dtype") = none, arg("threads") = none, arg("progress") = none, docs);
  };
  rays("raycast", &raycast, docs::kLayerRaycast);
  rays("raycast_any", &raycast_any_of, docs::kLayerRaycastAny);
  rays("raycast_all", &raycast_all_of, docs::kLayerRaycastAll);
  layer.def("nearest", &nearest_of, arg("points"), arg("max_distance") = infinity, py::kw_only(),
            arg("skip") = none, arg("only") = none, arg("category") = none, arg("mask") = none,
            arg("dtype") = none, arg("threads") = none, arg("progress") = none, docs::kLayerNearest);
}

}  // namespace juxta::python
