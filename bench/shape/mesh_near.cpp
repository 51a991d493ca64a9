// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// mesh_overlaps/KIND/MESH, mesh_closest/KIND/MESH: a box, capsule, sphere or hull of 24 corners near a mesh,
// one question after the other; two of three shapes overlap it. One iteration is one question; one thread.
//
//   ball, terrain, soup   the meshes of mesh_rays.cpp; shapes are as large as three or four of their
//   triangles
//
// JUXTA_BENCH_POINTS: triangles, 2,000 if not said otherwise; JUXTA_BENCH_SEED: other places. Before anything
// is timed, overlaps() and closest() must agree: what overlaps is no farther than nothing.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/shape/meshes.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTriangles = 2'000, kPlaces = 1'000;
constexpr std::uint32_t kHulls = 8, kCorners = 24;

struct Place {
  Shape shape;
  Qvvs at;
};

class NearMesh {
 public:
  NearMesh(MeshKind mesh_kind, char kind, std::size_t triangles, std::uint64_t seed) : draws_(seed) {
    const PlainMesh plain = make_plain_mesh(mesh_kind, triangles);
    mesh_.push_back(TriangleMesh::build(plain.vertices, plain.triangles).value());
    at_.position = {3, -2, 1};
    at_.rotation = rotation();
    const float size = 2 * edge_of(plain);
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      std::vector<Vec3> corners(kCorners);
      for (Vec3& corner : corners) {
        corner = direction() * size;
      }
      hulls_.push_back(ConvexHull::build(corners).value());
    }
    while (places_.size() < kPlaces) {
      const auto& t = plain.triangles[draws_.below(static_cast<std::uint32_t>(plain.triangles.size()))];
      const Vec3 on = (plain.vertices[t[0]] + plain.vertices[t[1]] + plain.vertices[t[2]]) * (1.0F / 3);
      Place place{shape(kind, size), {}};
      place.at.rotation = rotation();
      const Vec3 off = direction() * (size * draws_.uniform(0, 3));
      place.at.position = at_.position + rotate(at_.rotation, on + off);
      places_.push_back(place);
    }
    check();
  }

  [[nodiscard]] std::size_t overlap() const {
    std::size_t count = 0;
    for (const Place& place : places_) {
      count += overlaps(place.shape, place.at, mesh_[0], at_) ? 1U : 0U;
    }
    return count;
  }
  [[nodiscard]] float sum_of_distances() const {
    float sum = 0;
    for (const Place& place : places_) {
      sum += closest(place.shape, place.at, mesh_[0], at_).distance;
    }
    return sum;
  }
  [[nodiscard]] std::size_t size() const { return places_.size(); }

 private:
  void check() const {
    for (const Place& place : places_) {
      const float distance = closest(place.shape, place.at, mesh_[0], at_).distance;
      const bool meet = overlaps(place.shape, place.at, mesh_[0], at_);
      if (std::fabs(distance) > 1e-4F && meet != (distance < 0)) {
        give_up("overlaps() and closest() disagree at " + std::to_string(distance) + "; nothing was timed.");
      }
    }
  }
  /// About an edge of a triangle.
  static float edge_of(const PlainMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
      const Vec3 way = mesh.vertices[t[1]] - mesh.vertices[t[0]];
      sum += static_cast<double>(std::sqrt(dot(way, way)));
    }
    return static_cast<float>(sum / static_cast<double>(mesh.triangles.size()));
  }
  Vec3 direction() {
    for (;;) {
      const float x = draws_.uniform(-1, 1), y = draws_.uniform(-1, 1), z = draws_.uniform(-1, 1);
      if (const float squared = x * x + y * y + z * z; squared > 0.01F && squared <= 1) {
        return Vec3{x, y, z} * (1 / std::sqrt(squared));
      }
    }
  }
  Quat rotation() {
    for (;;) {
      const float x = draws_.uniform(-1, 1), y = draws_.uniform(-1, 1), z = draws_.uniform(-1, 1);
      const Quat q{x, y, z, draws_.uniform(-1, 1)};
      if (const float squared = length_squared(q); squared > 0.01F && squared <= 1) {
        return normalized(q);
      }
    }
  }
  Shape shape(char kind, float size) {
    const float x = size * draws_.uniform(0.3F, 1), y = size * draws_.uniform(0.3F, 1);
    switch (kind) {
      case 'b':
        return Box{{}, {}, {x, y, size * draws_.uniform(0.3F, 1)}};
      case 'c':
        return Capsule{{0, -0.8F * x, 0}, {0, 0.8F * x, 0}, 0.5F * y};
      case 's':
        return Sphere{{}, x};
      default:
        return hulls_[draws_.below(kHulls)];
    }
  }

  scenes::Draws draws_;
  std::vector<TriangleMesh> mesh_;
  std::vector<ConvexHull> hulls_;
  std::vector<Place> places_;
  Qvvs at_;
};

using World = std::shared_ptr<Once<NearMesh>>;

template <class Ask>
void add_row(const std::string& row, const World& world, Ask&& ask) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const NearMesh& near = **world;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(near.size()))) {
      benchmark::DoNotOptimize(ask(near));
    }
    state.counters["queries"] = static_cast<double>(near.size());
    state.counters["overlap"] = static_cast<double>(near.overlap());
  });
}

}  // namespace

void add_mesh_near_rows() {
  const std::size_t triangles = number_setting("JUXTA_BENCH_POINTS", kTriangles);
  const std::size_t seed = number_setting("JUXTA_BENCH_SEED", 1);
  for (const MeshKind mesh : {MeshKind::kBall, MeshKind::kTerrain, MeshKind::kSoup}) {
    for (const char* name : {"box", "capsule", "sphere", "hull"}) {
      const char kind = name[0];
      const auto world = std::make_shared<Once<NearMesh>>(
          [=] { return std::make_unique<NearMesh>(mesh, kind, triangles, seed); });
      const std::string tail = std::string(name) + "/" + name_of(mesh);
      add_row("mesh_overlaps/" + tail, world, [](const NearMesh& near) { return near.overlap(); });
      add_row("mesh_closest/" + tail, world, [](const NearMesh& near) { return near.sum_of_distances(); });
    }
  }
}

}  // namespace juxta::bench
