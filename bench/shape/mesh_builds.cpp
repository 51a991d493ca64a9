// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// mesh_build/default, mesh_build/fast, mesh_build/best: from arrays to a mesh that can be asked, copies and
// checks included, for six shapes of mesh; mesh_refit: new places for all vertices. One iteration is one
// triangle; one thread. juxta takes its memory from kept_memory_resource() and a workspace, as a program
// would that builds again and again; juxta_new_memory from the system each time. Beside them embree with
// RTC_BUILD_QUALITY_MEDIUM, LOW, HIGH and REFIT, whose memory comes from malloc() and mostly stays there.
//
// JUXTA_BENCH_POINTS: triangles.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/shape/embree_builds.h"
#include "bench/shape/meshes.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/core/kept_memory.h"
#include "juxta/core/workspace.h"
#include "juxta/shape/parts.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTriangles = 70'000;

TriangleMesh build(const PlainMesh& mesh, MeshQuality quality, const Context& context = {},
                   std::pmr::memory_resource* resource = huge_page_resource()) {
  auto built =
      TriangleMesh::build(MeshView(mesh.vertices, mesh.triangles), {.quality = quality}, context, resource);
  if (!built) {
    give_up(built.error().message);
  }
  return std::move(*built);
}

struct Work {
  explicit Work(MeshKind kind)
      : plain(make_plain_mesh(kind, number_setting("JUXTA_BENCH_POINTS", kTriangles))),
        mesh(build(plain, MeshQuality::kDefault)) {
    for (std::size_t i = 0; i < plain.vertices.size(); ++i) {  // a wave runs through it
      const Vec3& v = plain.vertices[i];
      moved.push_back(v + Vec3{0, 0.05F * std::sin(7 * v.x), 0.05F * std::sin(5 * v.y)});
    }
#ifdef JUXTA_BENCH_EMBREE
    embree = make_embree_builds(plain.vertices, plain.triangles);
#endif
  }

  PlainMesh plain;
  TriangleMesh mesh;
  Workspace workspace{kept_memory_resource()};
  std::vector<Vec3> moved;
  std::unique_ptr<EmbreeBuilds> embree;
};
using Shared = std::shared_ptr<Once<Work>>;

/// once(work) is timed, after check(work): `row` of one shape of mesh.
template <class Action, class Check>
void add_row(const std::string& row, const Shared& shared, Action&& once, Check&& check) {
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    Work& work = **shared;
    check(work);
    const auto triangles = static_cast<benchmark::IterationCount>(work.plain.triangles.size());
    while (state.KeepRunningBatch(triangles)) {
      once(work);
      benchmark::ClobberMemory();
    }
    state.counters["triangles"] = static_cast<double>(triangles);
  });
}

constexpr auto kNoCheck = [](Work&) {};

void refit(Work& work, std::span<const Vec3> vertices) {
  if (!work.mesh.refit(vertices)) {
    give_up("refit() refuses its vertices.");
  }
}

#ifdef JUXTA_BENCH_EMBREE
// Ends the program where the two hold something else.
void check(const std::string& row, const Aabb3& ours, const Aabb3& peers) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::fabs(ours.lo[axis] - peers.lo[axis]) > 1e-4F ||
        std::fabs(ours.hi[axis] - peers.hi[axis]) > 1e-4F) {
      give_up(row + " has other bounds; nothing was timed.");
    }
  }
}

void add_embree(const std::string& name, const Shared& shared) {
  for (const auto& [row, quality] : {std::pair("mesh_build/default/", EmbreeQuality::kMedium),
                                     std::pair("mesh_build/best/", EmbreeQuality::kHigh),
                                     std::pair("mesh_build/fast/", EmbreeQuality::kLow)}) {
    const std::string own = row + name + "/embree";
    add_row(
        own, shared, [quality = quality](Work& work) { work.embree->build(quality); },
        [own, quality = quality](Work& work) {
          check(own, build(work.plain, MeshQuality::kFast).bounds(), work.embree->build(quality));
        });
  }
  const std::string own = "mesh_refit/" + name + "/embree";
  add_row(
      own, shared, [](Work& work) { work.embree->refit(work.moved); },
      [own](Work& work) {
        refit(work, work.moved);
        check(own, work.mesh.bounds(), work.embree->refit(work.moved));
      });
}
#endif

}  // namespace

void add_mesh_builds_rows() {
  for (const MeshKind kind : kMeshKinds) {
    const auto shared = std::make_shared<Once<Work>>([kind] { return std::make_unique<Work>(kind); });
    const std::string name = name_of(kind);
    for (const auto& [row, quality] : {std::pair("mesh_build/default/", MeshQuality::kDefault),
                                       std::pair("mesh_build/best/", MeshQuality::kBest),
                                       std::pair("mesh_build/fast/", MeshQuality::kFast)}) {
      add_row(
          row + name + "/juxta", shared,
          [quality = quality](Work& work) {
            benchmark::DoNotOptimize(
                build(work.plain, quality, {.workspace = &work.workspace}, kept_memory_resource()));
          },
          kNoCheck);
      add_row(
          row + name + "/juxta_new_memory", shared,
          [quality = quality](Work& work) { benchmark::DoNotOptimize(build(work.plain, quality)); },
          kNoCheck);
    }
    add_row(
        "mesh_refit/" + name + "/juxta", shared, [](Work& work) { refit(work, work.moved); }, kNoCheck);
#ifdef JUXTA_BENCH_EMBREE
    add_embree(name, shared);
#endif
  }
}

}  // namespace juxta::bench
