// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// rays_coherent: the primary rays of a picture of 512 x 512 of a mesh of 70k triangles, in squares of 4 x 4.
// rays_incoherent: 100k rays from all around to points inside. One iteration is one ray; one thread.
// rays_terrain: the coherent rays of a picture of a height field of as many triangles.
// juxta is given all rays at once, juxta_single one after the other, both through the public functions: they
// answer with t, triangle, point and normal. juxta_tree is the search of the tree alone, in floats, without
// place and normal.
// mesh_build: one iteration is one triangle.
// JUXTA_BENCH_MESH: an OBJ file instead of the made-up mesh. JUXTA_BENCH_POINTS: its most triangles.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/shape/embree_rays.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/files/read_obj.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"
#include "shape/triangles.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kTriangles = 70'000;
constexpr std::uint32_t kPicture = 512;
constexpr std::size_t kScattered = 100'000;
// Of a thousand rays this many may differ from the peer, which rounds its boxes and edges otherwise.
[[maybe_unused]] constexpr double kGrazes = 1;

// A ball with bumps of several sizes.
Mesh make_bumpy(std::size_t triangles) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 2));
  Mesh mesh;
  for (std::uint32_t j = 0; j <= side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const double turn = 2 * 3.14159265358979 * i / side, up = 3.14159265358979 * j / side;
      const double bump = 1 + 0.2 * std::sin(3 * turn) * std::sin(up) * std::sin(4 * up) +
                          0.05 * std::sin(17 * turn) * std::sin(13 * up) * std::sin(up) +
                          0.01 * std::sin(40 * turn) * std::sin(31 * up) * std::sin(up);
      mesh.vertices.push_back({static_cast<float>(bump * std::sin(up) * std::cos(turn)),
                               static_cast<float>(bump * std::cos(up)),
                               static_cast<float>(bump * std::sin(up) * std::sin(turn))});
    }
  }
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const std::uint32_t a = j * side + i, b = j * side + (i + 1) % side;
      mesh.triangles.push_back({a, b, a + side});
      mesh.triangles.push_back({b, b + side, a + side});
    }
  }
  return mesh;
}

Mesh make_mesh() {
  const std::string path = text_setting("JUXTA_BENCH_MESH");
  if (path.empty()) {
    return make_bumpy(number_setting("JUXTA_BENCH_POINTS", kTriangles));
  }
  auto file = read_obj(path);
  if (!file) {
    give_up(file.error().message);
  }
  return std::move(file->mesh);
}

TriangleMesh build(const Mesh& mesh) {
  auto built = TriangleMesh::build(mesh.vertices, mesh.triangles);
  if (!built) {
    give_up(built.error().message);
  }
  return std::move(*built);
}

// What is seen from the front, a little from the side and from above, and fills the picture.
std::vector<Ray3> take_picture(const Aabb3& box, std::uint32_t picture) {
  float middle[3], size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    middle[axis] = (box.lo[axis] + box.hi[axis]) / 2;
    size = std::max(size, box.hi[axis] - box.lo[axis]);
  }
  const std::uint32_t squares = picture / 4;
  const float step = 0.9F / static_cast<float>(picture);
  std::vector<Ray3> rays;
  for (std::uint32_t square = 0; square < squares * squares; ++square) {
    for (std::uint32_t i = 0; i < 16; ++i) {
      const float x = (static_cast<float>(square % squares * 4 + i % 4) + 0.5F) * step - 0.45F;
      const float y = 0.45F - (static_cast<float>(square / squares * 4 + i / 4) + 0.5F) * step;
      const float way[3] = {x * 0.96F - 0.28F * 1.1F, y - 0.1F, -0.28F * x - 0.96F * 1.1F};
      Ray3 ray{};
      for (int axis = 0; axis < 3; ++axis) {
        const float back[3] = {0.28F * 1.4F, 0.12F, 0.96F * 1.4F};
        ray.origin[axis] = middle[axis] + back[axis] * size;
        ray.direction[axis] = way[axis];
      }
      rays.push_back(ray);
    }
  }
  return rays;
}

std::vector<Ray3> scatter(const Aabb3& box, std::size_t count) {
  float size = 0;
  for (int axis = 0; axis < 3; ++axis) {
    size = std::max(size, box.hi[axis] - box.lo[axis]);
  }
  scenes::Draws draws(3);
  std::vector<Ray3> rays;
  while (rays.size() < count) {
    Ray3 ray{};
    float far = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const float middle = (box.lo[axis] + box.hi[axis]) / 2;
      const float from = draws.uniform(-1, 1), to = draws.uniform(-0.5F, 0.5F);
      far = std::max(far, std::fabs(from));
      ray.origin[axis] = middle + from * size;
      ray.direction[axis] = middle + to * size - ray.origin[axis];
    }
    if (far > 0.6F) {
      rays.push_back(ray);
    }
  }
  return rays;
}

struct Work {
  Work()
      : mesh(make_mesh()),
        built(build(mesh)),
        triangles(
            shape_detail::Triangles::build(mesh.vertices, mesh.triangles, nullptr, huge_page_resource())) {
    const std::size_t count = mesh.triangles.size();
    const auto picture =
        std::min(kPicture, 4 * static_cast<std::uint32_t>(std::sqrt(static_cast<double>(count))));
    coherent = take_picture(built.bounds(), picture);
    scattered = scatter(built.bounds(), std::min(kScattered, 10 * count));
  }

  Mesh mesh;
  TriangleMesh built;
  shape_detail::Triangles triangles;  // the same tree
  std::vector<Ray3> coherent, scattered;
};
using Shared = std::shared_ptr<Once<Work>>;

struct Contender {
  std::function<void()> run;
  std::function<MeshHit(std::size_t ray)> answer;  // of the last run
};

// Ends the program where two contenders answer differently.
std::size_t check(const std::string& row, const Work& work, std::span<const Ray3> rays,
                  const Contender& contender, double allowed) {
  std::size_t differ = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const shape_detail::TriangleHit right = work.triangles.ray_closest(rays[i]);
    const MeshHit hit = contender.answer(i);
    const bool same = right.triangle == hit.triangle ||
                      (right.triangle != MeshHit().triangle && hit.triangle != MeshHit().triangle &&
                       std::fabs(right.t - hit.t) <= 1e-4F * right.t);  // two triangles at an edge
    differ += same ? 0U : 1U;
  }
  if (static_cast<double>(differ) > allowed * 1e-3 * static_cast<double>(rays.size())) {
    give_up(row + " answers " + std::to_string(differ) + " of " + std::to_string(rays.size()) +
            " rays differently; nothing was timed.");
  }
  return differ;
}

void add_row(const std::string& row, const Shared& shared, std::vector<Ray3> Work::*which, double allowed,
             std::function<Contender(const Work&, std::span<const Ray3>)> make) {
  struct Ready {
    Contender contender;
    std::size_t rays, hits = 0, differ = 0;
  };
  auto ready = std::make_shared<Once<Ready>>([=] {
    const Work& work = **shared;
    auto made = std::make_unique<Ready>(Ready{make(work, work.*which), (work.*which).size()});
    made->contender.run();
    made->differ = check(row, work, work.*which, made->contender, allowed);
    for (std::size_t i = 0; i < made->rays; ++i) {
      made->hits += made->contender.answer(i).triangle != MeshHit().triangle ? 1U : 0U;
    }
    return made;
  });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    Ready& r = **ready;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(r.rays))) {
      r.contender.run();
      benchmark::ClobberMemory();
    }
    state.counters["triangles"] = static_cast<double>((*shared)->mesh.triangles.size());
    state.counters["rays"] = static_cast<double>(r.rays);
    state.counters["hits"] = static_cast<double>(r.hits);
    state.counters["differ"] = static_cast<double>(r.differ);
  });
}

using Hits = std::vector<SurfaceHit>;

std::function<MeshHit(std::size_t)> answers(const std::shared_ptr<Hits>& hits) {
  return [hits](std::size_t i) { return MeshHit{(*hits)[i].part.triangle, (*hits)[i].t}; };
}

Contender one_by_one(const Work& work, std::span<const Ray3> rays) {
  auto hits = std::make_shared<Hits>(rays.size());
  return {[&work, rays, hits] {
            for (std::size_t i = 0; i < rays.size(); ++i) {
              (*hits)[i] = raycast(work.built, {}, rays[i]);
            }
          },
          answers(hits)};
}

Contender together(const Work& work, std::span<const Ray3> rays) {
  auto hits = std::make_shared<Hits>(rays.size());
  return {[&work, rays, hits] {
            if (!raycast(work.built, {}, rays, *hits)) {
              give_up("raycast() refuses its rays.");
            }
          },
          answers(hits)};
}

Contender tree_alone(const Work& work, std::span<const Ray3> rays) {
  auto hits = std::make_shared<std::vector<shape_detail::TriangleHit>>(rays.size());
  return {[&work, rays, hits] { work.triangles.ray_closest(rays, *hits); },
          [hits](std::size_t i) {
            return MeshHit{(*hits)[i].triangle, (*hits)[i].t};
          }};
}

#ifdef JUXTA_BENCH_EMBREE
std::function<Contender(const Work&, std::span<const Ray3>)> embree(bool packets) {
  return [packets](const Work& work, std::span<const Ray3> rays) {
    std::shared_ptr<EmbreeMesh> mesh = make_embree_mesh(work.mesh.vertices, work.mesh.triangles, packets);
    mesh->prepare(rays);
    auto hits = std::make_shared<std::vector<MeshHit>>(rays.size());
    return Contender{[mesh, packets, hits] { packets ? mesh->intersect16(*hits) : mesh->intersect1(*hits); },
                     [hits](std::size_t i) { return (*hits)[i]; }};
  };
}
#endif

struct Terrain {
  HeightField field;
  std::vector<Ray3> rays;
  Hits out;
};

// Hills of as many triangles as the mesh has, y upwards.
std::unique_ptr<Terrain> make_terrain(std::size_t triangles) {
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(triangles) / 2)) + 1;
  std::vector<float> heights;
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const double x = static_cast<double>(i) / side, y = static_cast<double>(j) / side;
      heights.push_back(static_cast<float>(0.1 * std::sin(9 * x) * std::sin(7 * y) +
                                           0.01 * std::sin(90 * x + 3 * y) * std::sin(70 * y)));
    }
  }
  auto field = HeightField::build(side, side, 1 / static_cast<float>(side), heights);
  if (!field) {
    give_up(field.error().message);
  }
  const Aabb3 bounds = bounds_of(*field);
  auto made = std::make_unique<Terrain>(Terrain{std::move(*field), take_picture(bounds, kPicture), {}});
  made->out.resize(made->rays.size());
  return made;
}

void add_terrain_row(const Shared& shared) {
  auto terrain =
      std::make_shared<Once<Terrain>>([shared] { return make_terrain((*shared)->mesh.triangles.size()); });
  benchmark::RegisterBenchmark("rays_terrain/juxta", [terrain](benchmark::State& state) {
    Terrain& t = **terrain;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(t.rays.size()))) {
      if (!raycast(t.field, {}, t.rays, t.out)) {
        give_up("raycast() refuses its rays.");
      }
    }
    std::size_t hits = 0;
    for (std::size_t i = 0; i < t.rays.size(); ++i) {
      const SurfaceHit right = raycast(t.field, {}, t.rays[i]);
      hits += right ? 1U : 0U;
      if (right.t != t.out[i].t || right.part != t.out[i].part) {
        give_up("rays_terrain: ray " + std::to_string(i) + " has another answer among many.");
      }
    }
    state.counters["hits"] = static_cast<double>(hits);
  });
}

void add_build_row(const Shared& shared) {
  benchmark::RegisterBenchmark("mesh_build/juxta", [shared](benchmark::State& state) {
    const Mesh& mesh = (*shared)->mesh;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(mesh.triangles.size()))) {
      benchmark::DoNotOptimize(
          shape_detail::Triangles::build(mesh.vertices, mesh.triangles, nullptr, huge_page_resource()));
    }
    state.counters["bytes"] =
        static_cast<double>((*shared)->triangles.memory_bytes()) / static_cast<double>(mesh.triangles.size());
  });
}

}  // namespace

void add_rays_rows() {
  const auto shared = std::make_shared<Once<Work>>([] { return std::make_unique<Work>(); });
  add_row("rays_coherent/juxta", shared, &Work::coherent, 0, together);
  add_row("rays_coherent/juxta_single", shared, &Work::coherent, 0, one_by_one);
  add_row("rays_coherent/juxta_tree", shared, &Work::coherent, 0, tree_alone);
#ifdef JUXTA_BENCH_EMBREE
  add_row("rays_coherent/embree", shared, &Work::coherent, kGrazes, embree(true));
  add_row("rays_coherent/embree_single", shared, &Work::coherent, kGrazes, embree(false));
#endif
  add_row("rays_incoherent/juxta", shared, &Work::scattered, 0, together);
  add_row("rays_incoherent/juxta_single", shared, &Work::scattered, 0, one_by_one);
  add_row("rays_incoherent/juxta_tree", shared, &Work::scattered, 0, tree_alone);
#ifdef JUXTA_BENCH_EMBREE
  add_row("rays_incoherent/embree", shared, &Work::scattered, kGrazes, embree(false));
#endif
  add_terrain_row(shared);
  add_build_row(shared);
}

}  // namespace juxta::bench
