// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
//
// contacts/KINDS: contacts() of two shapes that touch, at most 0.02 apart and 0.1 deep; one iteration is one
// pair of 2,000.
//
//   box_box, box_capsule, hull_hull   hulls have 24 corners
//   box_mesh                          on a terrain of 70,000 triangles (JUXTA_BENCH_POINTS); boxes are one to
//                                     four of its edges long
//
// contacts/find_contacts: Bodies::find_contacts() of 20,000 boxes (JUXTA_BENCH_POINTS, at most) anywhere in a
// cube, with 3.5 contacts a body; one iteration is one body. One thread. JUXTA_BENCH_SEED: other places.
// Before anything is timed, contacts and closest() must agree on what touches.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "bench/shape/meshes.h"
#include "bench/shape/rows.h"
#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "juxta/shape/bodies.h"
#include "juxta/shape/parts.h"
#include "juxta/shape/query.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

constexpr std::size_t kPairs = 2'000, kBodies = 20'000, kTriangles = 70'000;
constexpr std::uint32_t kHulls = 16, kCorners = 24;
constexpr float kMargin = 0.02F, kDeep = 0.1F;

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : draws_(seed) {
    for (std::uint32_t i = 0; i < kHulls; ++i) {
      std::vector<Vec3> corners(kCorners);
      for (Vec3& corner : corners) {
        corner = direction();
      }
      hulls_.push_back(ConvexHull::build(corners).value());
    }
  }

  float uniform(float lo, float hi) { return draws_.uniform(lo, hi); }
  std::uint32_t below(std::size_t size) { return draws_.below(static_cast<std::uint32_t>(size)); }
  Vec3 direction() {
    for (;;) {
      const float x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
      if (const float squared = x * x + y * y + z * z; squared > 0.01F && squared <= 1) {
        return Vec3{x, y, z} * (1 / std::sqrt(squared));
      }
    }
  }
  Quat rotation() {
    for (;;) {
      const float x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
      const Quat q{x, y, z, uniform(-1, 1)};
      if (const float squared = length_squared(q); squared > 0.01F && squared <= 1) {
        return normalized(q);
      }
    }
  }
  /// 'b', 'c' or 'h'.
  Shape shape(char kind) {
    if (kind == 'b') {
      const float x = uniform(0.3F, 1), y = uniform(0.3F, 1);
      return Box{{}, {}, {x, y, uniform(0.3F, 1)}};
    }
    if (kind == 'c') {
      const float half = uniform(0.3F, 0.8F);
      return Capsule{{0, -half, 0}, {0, half, 0}, uniform(0.2F, 0.5F)};
    }
    return hulls_[below(kHulls)];
  }

 private:
  scenes::Draws draws_;
  std::vector<ConvexHull> hulls_;
};

std::size_t seed() {
  return number_setting("JUXTA_BENCH_SEED", 1);
}

bool touches(const Body& a, const Body& b) {
  const ClosestPoints found = closest(a.shape, a.at, b.shape, b.at, kMargin);
  return found && found.distance >= -kDeep;
}

/// Pairs that touch.
class Pairs {
 public:
  Pairs(char a, char b) : draw_(seed()) {
    if (b == 'm') {
      const PlainMesh plain =
          make_plain_mesh(MeshKind::kTerrain, number_setting("JUXTA_BENCH_POINTS", kTriangles));
      mesh_.push_back(TriangleMesh::build(plain.vertices, plain.triangles).value());
      const auto& t = plain.triangles[0];
      // The mesh is made larger, not the shape smaller: the margin is the same for all rows.
      const float scale = 1 / (2 * length(plain.vertices[t[1]] - plain.vertices[t[0]]));
      add_on_mesh(plain, a, scale);
    } else {
      add(a, b);
    }
  }

  struct Pair {
    Body a, b;
  };
  std::vector<Pair> all;

 private:
  void add(char a, char b) {
    while (all.size() < kPairs) {
      Pair pair{{draw_.shape(a), {}}, {draw_.shape(b), {}}};
      pair.a.at.rotation = draw_.rotation();
      pair.b.at.rotation = draw_.rotation();
      pair.a.at.position = draw_.direction() * draw_.uniform(0, 5);
      pair.b.at.position = pair.a.at.position + draw_.direction() * draw_.uniform(0.5F, 3);
      if (touches(pair.a, pair.b)) {
        all.push_back(pair);
      }
    }
  }
  void add_on_mesh(const PlainMesh& plain, char a, float scale) {
    while (all.size() < kPairs) {
      Pair pair{{draw_.shape(a), {}}, {mesh_[0], {}}};
      pair.b.at.scale = scale;
      pair.a.at.rotation = draw_.rotation();
      const Vec3 on = plain.vertices[draw_.below(plain.vertices.size())] * scale;
      pair.a.at.position = on + draw_.direction() * draw_.uniform(0.3F, 2);
      if (touches(pair.a, pair.b)) {
        all.push_back(pair);
      }
    }
  }

  Draw draw_;
  std::vector<TriangleMesh> mesh_;
};

using Manifolds = std::array<Manifold, kMostManifolds>;

std::size_t contacts_of(const Pairs::Pair& pair, Manifolds& out) {
  return contacts(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, kMargin, out).written;
}

/// Each pair has contacts, the deepest of which is as deep as closest() says. On a mesh 19 of 20 pairs have
/// some: where the nearest point is on an edge inside of the surface, there may be none.
void check(const std::string& row, const std::vector<Pairs::Pair>& pairs, bool mesh) {
  std::size_t differ = 0;
  Manifolds found;
  for (const Pairs::Pair& pair : pairs) {
    const std::size_t count = contacts_of(pair, found);
    float least = kMargin;
    for (std::size_t i = 0; i < count; ++i) {
      least = std::min(least, found[i].points[0].distance);
    }
    const float right = closest(pair.a.shape, pair.a.at, pair.b.shape, pair.b.at, kMargin).distance;
    const bool same = count > 0 && (mesh || std::abs(least - right) <= 1e-3F);
    differ += same ? 0U : 1U;
  }
  if (differ > (mesh ? pairs.size() / 20 : 0)) {
    give_up(row + ": " + std::to_string(differ) + " pairs have other contacts than closest() says.");
  }
}

void add_pair_row(const std::string& kinds) {
  const std::string row = "contacts/" + kinds + "/juxta";
  const char a = kinds[0], b = kinds[kinds.find('_') + 1];
  const auto shared = std::make_shared<Once<Pairs>>([=] { return std::make_unique<Pairs>(a, b); });
  benchmark::RegisterBenchmark(row.c_str(), [=](benchmark::State& state) {
    const std::vector<Pairs::Pair>& pairs = (*shared)->all;
    check(row, pairs, b == 'm');
    Manifolds found;
    std::size_t manifolds = 0;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(pairs.size()))) {
      manifolds = 0;
      for (const Pairs::Pair& pair : pairs) {
        manifolds += contacts_of(pair, found);
      }
      benchmark::DoNotOptimize(found);
    }
    state.counters["queries"] = static_cast<double>(pairs.size());
    state.counters["manifolds"] = static_cast<double>(manifolds);
  });
}

/// Boxes, and what find_contacts() says of them.
class Heap {
 public:
  Heap() {
    Draw draw(seed());
    const std::size_t count = std::min(kBodies, number_setting("JUXTA_BENCH_POINTS", kBodies));
    const float edge = 1.5F * std::cbrt(static_cast<float>(count));
    std::vector<Body> all(count);
    for (Body& body : all) {
      const float x = draw.uniform(0, edge), y = draw.uniform(0, edge);
      body.shape = draw.shape('b');
      body.at.position = {x, y, draw.uniform(0, edge)};
      body.at.rotation = draw.rotation();
    }
    if (!bodies.rebuild(all)) {
      give_up("Bodies::rebuild() refuses its bodies.");
    }
    found.resize(find());
    check(all);
  }

  /// How many there are; as many as fit are written.
  std::size_t find() { return bodies.find_contacts(kMargin, found).value().found; }

  Bodies bodies;
  std::vector<Bodies::Contact> found;

 private:
  /// The first bodies with all others.
  void check(const std::vector<Body>& all) {
    find();
    std::size_t at = 0;
    for (std::uint32_t a = 0; a < std::min<std::size_t>(50, all.size()); ++a) {
      for (std::uint32_t b = a + 1; b < all.size(); ++b) {
        const bool is = at < found.size() && found[at].a == a && found[at].b == b;
        at += is ? 1U : 0U;
        const ClosestPoints near = closest(all[a].shape, all[a].at, all[b].shape, all[b].at, 2 * kMargin);
        if (is != (near.distance <= kMargin) && std::abs(near.distance - kMargin) > 1e-4F) {
          give_up("contacts/find_contacts has other pairs than closest() says; nothing was timed.");
        }
      }
    }
  }
};

}  // namespace

void add_contacts_rows() {
  for (const char* kinds : {"box_box", "box_capsule", "hull_hull", "box_mesh"}) {
    add_pair_row(kinds);
  }
  const auto heap = std::make_shared<Once<Heap>>([] { return std::make_unique<Heap>(); });
  benchmark::RegisterBenchmark("contacts/find_contacts/juxta", [=](benchmark::State& state) {
    Heap& all = **heap;
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(all.bodies.size()))) {
      benchmark::DoNotOptimize(all.find());
    }
    state.counters["bodies"] = static_cast<double>(all.bodies.size());
    state.counters["contacts"] = static_cast<double>(all.found.size());
  });
}

}  // namespace juxta::bench
