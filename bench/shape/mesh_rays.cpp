// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// mesh_camera, mesh_incoherent, mesh_any, mesh_miss: one ray after the other at one mesh, as gameplay code
// asks, for six shapes of mesh; mesh_picture and mesh_scattered: all rays at once. One iteration is one ray;
// one thread. juxta answers with t, point, normal and triangle; embree (rtcIntersect1; rtcOccluded1 for
// mesh_any, rtcIntersect16 for mesh_picture) with t, its own normal and triangle. juxta_best: the same mesh
// built with MeshQuality::kBest. Embree's build is its high-quality one.
//
//   camera      a picture of 256 x 256, row by row
//   incoherent  from around the mesh, and from within its box, to points of its box
//   any         the same: is anything hit?
//   miss        rays that do not meet its box
//   picture     the camera's, in squares of 4 x 4
//   scattered   the incoherent ones
//
// JUXTA_BENCH_POINTS: triangles.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "bench/shape/embree_rays.h"
#include "bench/shape/meshes.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTriangles = 70'000, kRays = 60'000;
constexpr std::uint32_t kPicture = 256;
// Of a thousand answers this many may differ from the peer's, which rounds otherwise.
[[maybe_unused]] constexpr double kGrazes = 1;

enum class Way { kCamera, kIncoherent, kAny, kMiss, kSquares, kScattered };
constexpr std::array kWays{Way::kCamera, Way::kIncoherent, Way::kAny,
                           Way::kMiss,   Way::kSquares,    Way::kScattered};
constexpr std::array kWayNames{"mesh_camera", "mesh_incoherent", "mesh_any",
                               "mesh_miss",   "mesh_picture",    "mesh_scattered"};

float largest_edge(const Aabb3& box) {
  const Vec3 edges = box.hi - box.lo;
  return std::max({edges.x, edges.y, edges.z});
}

std::vector<Ray3> camera(const Aabb3& box, bool squares) {
  const Vec3 middle = (box.lo + box.hi) * 0.5F, forward{-0.25F, -0.5F, -0.83F}, right{0.957F, 0, -0.288F};
  const Vec3 up = cross(right, forward);
  std::vector<Ray3> rays;
  for (std::uint32_t pixel = 0; pixel < kPicture * kPicture; ++pixel) {
    const std::uint32_t square = pixel / 16, in_square = pixel % 16;
    const std::uint32_t column = squares ? square % (kPicture / 4) * 4 + in_square % 4 : pixel % kPicture;
    const std::uint32_t row = squares ? square / (kPicture / 4) * 4 + in_square / 4 : pixel / kPicture;
    const float x = (static_cast<float>(column) + 0.5F) / kPicture - 0.5F;
    const float y = 0.5F - (static_cast<float>(row) + 0.5F) / kPicture;
    rays.push_back({middle - forward * (1.35F * largest_edge(box)), forward + right * x + up * y});
  }
  return rays;
}

Vec3 in_cube(scenes::Draws& draws) {
  return {draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1)};
}

std::vector<Ray3> incoherent(const Aabb3& box) {
  scenes::Draws draws(3);
  const Vec3 middle = (box.lo + box.hi) * 0.5F, edges = box.hi - box.lo;
  std::vector<Ray3> rays;
  while (rays.size() < kRays) {
    const Vec3 from = in_cube(draws), to = in_cube(draws) * 0.5F;
    if (std::max({std::fabs(from.x), std::fabs(from.y), std::fabs(from.z)}) > 0.6F) {
      rays.push_back({middle + from * edges, (to - from) * edges});
    }
  }
  return rays;
}

bool meets(const Ray3& ray, const Aabb3& box) {
  float enter = 0, leave = std::numeric_limits<float>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const float a = (box.lo[axis] - ray.origin[axis]) / ray.direction[axis];
    const float b = (box.hi[axis] - ray.origin[axis]) / ray.direction[axis];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave;
}

std::vector<Ray3> misses(const Aabb3& box) {
  scenes::Draws draws(4);
  const Vec3 middle = (box.lo + box.hi) * 0.5F;
  std::vector<Ray3> rays;
  while (rays.size() < kRays / 3) {
    const Ray3 ray{middle + in_cube(draws) * (2 * largest_edge(box)), in_cube(draws)};
    if (!meets(ray, box)) {
      rays.push_back(ray);
    }
  }
  return rays;
}

TriangleMesh build(const PlainMesh& mesh, MeshQuality quality) {
  auto built = TriangleMesh::build(MeshView(mesh.vertices, mesh.triangles), {.quality = quality});
  if (!built) {
    give_up(built.error().message);
  }
  return std::move(*built);
}

struct Work {
  explicit Work(MeshKind kind)
      : plain(make_plain_mesh(kind, number_setting("JUXTA_BENCH_POINTS", kTriangles))),
        mesh(build(plain, MeshQuality::kDefault)),
        best(build(plain, MeshQuality::kBest)) {
    const Aabb3 box = mesh.bounds();
    rays[0] = camera(box, false);
    rays[1] = rays[2] = rays[5] = incoherent(box);
    rays[3] = misses(box);
    rays[4] = camera(box, true);
#ifdef JUXTA_BENCH_EMBREE
    embree = make_embree_mesh(plain.vertices, plain.triangles, false);
    coherent = make_embree_mesh(plain.vertices, plain.triangles, true);
#endif
  }

  PlainMesh plain;
  TriangleMesh mesh, best;
  Qvvs at{};
  std::array<std::vector<Ray3>, kWays.size()> rays;
  std::unique_ptr<EmbreeMesh> embree, coherent;
};
using Shared = std::shared_ptr<Once<Work>>;

void ask_juxta(const Work& work, const TriangleMesh& mesh, Way way, std::span<SurfaceHit> out) {
  const std::vector<Ray3>& rays = work.rays[static_cast<std::size_t>(way)];
  if (way == Way::kSquares || way == Way::kScattered) {
    if (!raycast(mesh, work.at, rays, out)) {
      give_up("raycast() refuses its rays.");
    }
    return;
  }
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (way == Way::kAny) {
      out[i].hit = raycast_any(mesh, work.at, rays[i]);
    } else {
      out[i] = raycast(mesh, work.at, rays[i]);
    }
  }
}

std::size_t hits_of(std::span<const SurfaceHit> hits) {
  return static_cast<std::size_t>(
      std::count_if(hits.begin(), hits.end(), [](const SurfaceHit& hit) { return hit.hit; }));
}

// Ends the program where the best tree answers differently from the default one, by a bit.
void check_best(const std::string& row, const Work& work, Way way) {
  std::vector<SurfaceHit> right(work.rays[static_cast<std::size_t>(way)].size()), best(right.size());
  ask_juxta(work, work.mesh, way, right);
  ask_juxta(work, work.best, way, best);
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (right[i].hit != best[i].hit ||
        (right[i].hit && (right[i].t != best[i].t || right[i].part.triangle != best[i].part.triangle))) {
      give_up(row + " answers ray " + std::to_string(i) + " differently; nothing was timed.");
    }
  }
}

void add_juxta(const std::string& row, const Shared& shared, Way way, TriangleMesh Work::*mesh) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const Work& work = **shared;
    check_best(row, work, way);
    std::vector<SurfaceHit> out(work.rays[static_cast<std::size_t>(way)].size());
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(out.size()))) {
      ask_juxta(work, work.*mesh, way, out);
      benchmark::ClobberMemory();
    }
    state.counters["rays"] = static_cast<double>(out.size());
    state.counters["hits"] = static_cast<double>(hits_of(out));
  });
}

#ifdef JUXTA_BENCH_EMBREE
bool same(Way way, const SurfaceHit& hit, const MeshHit& peer) {
  const bool hits = peer.triangle != MeshHit().triangle;
  return hits == hit.hit && (!hits || way == Way::kAny || peer.triangle == hit.part.triangle ||
                             std::fabs(peer.t - hit.t) <= 1e-4F * hit.t);
}

// Ends the program where the two answer differently.
std::size_t check(const std::string& row, const Work& work, Way way, std::span<const MeshHit> peers) {
  std::vector<SurfaceHit> right(peers.size());
  ask_juxta(work, work.mesh, way, right);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < peers.size(); ++i) {
    differ += same(way, right[i], peers[i]) ? 0U : 1U;
  }
  if (static_cast<double>(differ) > kGrazes * 1e-3 * static_cast<double>(peers.size())) {
    give_up(row + " answers " + std::to_string(differ) + " of " + std::to_string(peers.size()) +
            " rays differently; nothing was timed.");
  }
  return differ;
}

void add_embree(const std::string& row, const Shared& shared, Way way) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    Work& work = **shared;
    const std::vector<Ray3>& rays = work.rays[static_cast<std::size_t>(way)];
    EmbreeMesh& embree = way == Way::kSquares ? *work.coherent : *work.embree;
    embree.prepare(rays);
    std::vector<MeshHit> out(rays.size());
    const auto ask = [&] {
      way == Way::kAny       ? embree.occluded1(out)
      : way == Way::kSquares ? embree.intersect16(out)
                             : embree.intersect1(out);
    };
    ask();
    const std::size_t differ = check(row, work, way, out);
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(rays.size()))) {
      ask();
      benchmark::ClobberMemory();
    }
    state.counters["rays"] = static_cast<double>(rays.size());
    state.counters["differ"] = static_cast<double>(differ);
  });
}
#endif

}  // namespace

void add_mesh_rays_rows() {
  for (const MeshKind kind : kMeshKinds) {
    const auto shared = std::make_shared<Once<Work>>([kind] { return std::make_unique<Work>(kind); });
    for (const Way way : kWays) {
      const std::string row =
          std::string(kWayNames[static_cast<std::size_t>(way)]) + "/" + name_of(kind) + "/";
      add_juxta(row + "juxta", shared, way, &Work::mesh);
      add_juxta(row + "juxta_best", shared, way, &Work::best);
#ifdef JUXTA_BENCH_EMBREE
      add_embree(row + "embree", shared, way);
#endif
    }
  }
}

}  // namespace juxta::bench
