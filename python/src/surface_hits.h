// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Hits of rays and of moving shapes, as named tuples: of numbers for one question, of arrays for many.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <span>
#include <vector>

#include "juxta/shape/bodies.h"
#include "outputs.h"
#include "results.h"
#include "shape_object.h"

namespace juxta::python {

namespace py = pybind11;

inline std::uint32_t body_of(const BodyRayHit& hit) {
  return hit.hit ? hit.body : kNoBody;
}
inline std::uint32_t body_of(const BodyCastHit& hit) {
  return hit.hit ? hit.body : kNoBody;
}

inline py::object surface_hit(const BodyRayHit& hit) {
  return result(ResultType::kSurfaceHit, index_of(body_of(hit)), hit.t, array_of(hit.point),
                array_of(hit.normal), index_of(hit.part.part), index_of(hit.part.triangle));
}

/// Columns of many hits of rays.
inline py::object surface_hits(ResultType as, std::span<const BodyRayHit> hits, IndexType type) {
  Buffer<std::uint32_t> bodies, parts, triangles;
  bodies.resize(hits.size());
  parts.resize(hits.size());
  triangles.resize(hits.size());
  auto t = new_array<float>(hits.size());
  float* const to = t.mutable_data();
  VectorColumn points(hits.size()), normals(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    bodies.span()[i] = body_of(hits[i]);
    parts.span()[i] = hits[i].part.part;
    triangles.span()[i] = hits[i].part.triangle;
    to[i] = hits[i].t;
    points.set(i, hits[i].point);
    normals.set(i, hits[i].normal);
  }
  return result(as, index_row(std::move(bodies), type, nullptr), std::move(t), std::move(points).take(),
                std::move(normals).take(), index_row(std::move(parts), type, nullptr),
                index_row(std::move(triangles), type, nullptr));
}

/// The hits of many rays, in compressed rows.
inline py::object surface_rows(std::span<const std::vector<BodyRayHit>> of_each, IndexType type) {
  auto offsets = new_array<std::int64_t>(of_each.size() + 1);
  std::vector<BodyRayHit> hits;
  offsets.mutable_data()[0] = 0;
  for (std::size_t i = 0; i < of_each.size(); ++i) {
    hits.insert(hits.end(), of_each[i].begin(), of_each[i].end());
    offsets.mutable_data()[i + 1] = static_cast<std::int64_t>(hits.size());
  }
  const py::tuple parts = surface_hits(ResultType::kSurfaceHit, hits, type);
  return make_result(ResultType::kSurfaceHits, py::make_tuple(offsets) + parts);
}

inline py::object cast_hit(const BodyCastHit& hit) {
  return result(ResultType::kCastHit, index_of(body_of(hit)), hit.t, array_of(hit.point),
                array_of(hit.normal), hit.distance);
}

/// Columns of many hits of moving shapes.
inline py::object cast_hits(ResultType as, std::span<const BodyCastHit> hits, IndexType type) {
  Buffer<std::uint32_t> bodies;
  bodies.resize(hits.size());
  auto t = new_array<float>(hits.size()), distance = new_array<float>(hits.size());
  float *const to = t.mutable_data(), *const depth = distance.mutable_data();
  VectorColumn points(hits.size()), normals(hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    bodies.span()[i] = body_of(hits[i]);
    to[i] = hits[i].t;
    depth[i] = hits[i].distance;
    points.set(i, hits[i].point);
    normals.set(i, hits[i].normal);
  }
  return result(as, index_row(std::move(bodies), type, nullptr), std::move(t), std::move(points).take(),
                std::move(normals).take(), std::move(distance));
}

}  // namespace juxta::python
