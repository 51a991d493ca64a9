// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Meshes from buffers of all forms, by all qualities, and with new places for their vertices: always the
// answers of the plain build.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "juxta/core/workspace.h"
#include "juxta/shape/bodies.h"
#include "shape/mesh_answers.h"
#include "shape/parts_store.h"
#include "shape/triangle_tree.h"
#include "support/code_of.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::Kind;
using test::Soup;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr MeshOptions kFast{.quality = MeshQuality::kFast};

/// All kinds but those that are refused.
constexpr Kind kSound[] = {Kind::kRandom,     Kind::kSphere,     Kind::kTerrain, Kind::kSlivers,
                           Kind::kDegenerate, Kind::kDuplicates, Kind::kFlat,    Kind::kSizes};

TriangleMesh plain(const Soup& soup) {
  return TriangleMesh::build(soup.vertices, soup.triangles).value();
}
TriangleMesh fast(const Soup& soup, const Context& context = {}) {
  return TriangleMesh::build(MeshView(soup.vertices, soup.triangles), kFast, context).value();
}
const shape_detail::TriangleTree& tree_of(const TriangleMesh& mesh) {
  return shape_detail::Access::store(mesh).triangles.tree();
}

/// A vertex as renderers have them.
struct Corner {
  std::uint32_t color = 7;
  Vec3 position;
  float u = 0.5F, v = 2;
};

TEST(MeshInput, BuffersOfAllForms) {
  scenes::Draws draws(3);
  const Soup soup = test::make_soup(Kind::kTerrain, 700, draws);
  const TriangleMesh right = plain(soup);
  std::vector<std::uint16_t> small;
  std::vector<std::uint32_t> large;
  std::vector<Corner> corners(soup.vertices.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i].position = soup.vertices[i];
    corners[i].u = kNaN;  // not a position
  }
  for (const auto& triangle : soup.triangles) {
    for (const std::uint32_t v : triangle) {
      small.push_back(static_cast<std::uint16_t>(v));
      large.push_back(v);
    }
  }
  const VertexView strided(&corners[0].position, corners.size(), sizeof(Corner));
  for (const MeshQuality quality : {MeshQuality::kDefault, MeshQuality::kFast, MeshQuality::kBest}) {
    for (const MeshView& view : {MeshView(soup.vertices, small), MeshView(soup.vertices, large),
                                 MeshView(strided, small), MeshView(strided, soup.triangles)}) {
      const auto made = TriangleMesh::build(view, {.quality = quality});
      ASSERT_TRUE(made) << made.error().message;
      test::expect_same_answers(right, *made, soup);
    }
  }
}

TEST(MeshInput, SaysWhatIsWrong) {
  std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<std::uint16_t> good{0, 1, 2}, bad{0, 1, 2, 2, 3, 0, 9, 9, 9};
  const auto error_of = [](const MeshView& view) {
    Error first;
    for (const MeshQuality quality : {MeshQuality::kDefault, MeshQuality::kFast, MeshQuality::kBest}) {
      const auto made = TriangleMesh::build(view, {.quality = quality});
      EXPECT_FALSE(made);
      first = made ? Error{} : made.error();
      EXPECT_FALSE(first.message.empty());
    }
    return first;
  };
  const auto expect = [&](const MeshView& view, ErrorCode code, std::uint64_t index = Error::kNowhere) {
    const Error error = error_of(view);
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_EQ(error.index, index) << error.message;
  };
  expect(MeshView(vertices, bad), ErrorCode::kInvalidArgument, 1);
  expect(MeshView(vertices, std::span(bad).first(4)), ErrorCode::kInvalidArgument);
  expect(MeshView(vertices, good.data(), 3, 3), ErrorCode::kInvalidArgument);
  expect(MeshView(vertices, nullptr, 3, 2), ErrorCode::kInvalidArgument);
  expect(MeshView(vertices, reinterpret_cast<const char*>(bad.data()) + 1, 3, 2),
         ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(vertices.data(), 3, 11), good), ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(vertices.data(), 3, 8), good), ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(vertices.data(), 3, 14), good), ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(nullptr, 3, 12), good), ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(reinterpret_cast<const char*>(vertices.data()) + 2, 2, 12), good),
         ErrorCode::kInvalidArgument);
  expect(MeshView(VertexView(vertices.data(), std::size_t{1} << 32, 12), good), ErrorCode::kTooLarge);
  expect(MeshView(vertices, good.data(), 3 * (std::size_t{1} << 28) + 3, 2), ErrorCode::kTooLarge);
  for (const float wild : {kInf, -kInf, kNaN}) {
    vertices[1].y = wild;
    expect(MeshView(vertices, good), ErrorCode::kNotFinite, 1);
    // What is between two vertices is not looked at.
    EXPECT_TRUE(TriangleMesh::build(MeshView(VertexView(vertices.data(), 2, 24), std::span(good).first(0))));
    vertices[1].y = 0;
    vertices[2].x = wild;
    expect(MeshView(VertexView(vertices.data(), 2, 24), std::span(good).first(0)), ErrorCode::kNotFinite, 1);
    vertices[2].x = 0;
  }
  EXPECT_TRUE(TriangleMesh::build(MeshView(vertices, std::span(good).first(0)), kFast));
  EXPECT_EQ(TriangleMesh::build(MeshView(VertexView(nullptr, 0, 12), std::span(good).first(0)), kFast)
                .value()
                .triangle_count(),
            0U);
}

/// The first of many, whichever thread finds one.
TEST(MeshInput, NamesTheFirstOfMany) {
  Soup soup = test::make_sphere(80'000);
  test::for_each_executor([&](const Executor* executor) {
    Soup broken = soup;
    broken.vertices[20'011].x = kInf;
    broken.vertices[39'000].y = kNaN;
    const auto infinite = TriangleMesh::build(broken.vertices, broken.triangles, {.executor = executor});
    ASSERT_FALSE(infinite);
    EXPECT_EQ(infinite.error().index, 20'011U);
    broken = soup;
    broken.triangles[50'001][2] = broken.triangles[79'000][0] = 1'000'000;
    const auto missing = TriangleMesh::build(broken.vertices, broken.triangles, {.executor = executor});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().index, 50'001U);
  });
}

TEST(MeshQuality, NoAnswerDependsOnIt) {
  test::for_each_isa([](Isa) {
    for (const Kind kind : kSound) {
      for (const std::size_t n : {1U, 2U, 4U, 5U, 8U, 9U, 13U, 33U, 400U, 3000U}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        scenes::Draws draws(n);
        const Soup soup = test::make_soup(kind, n, draws);
        test::expect_same_answers(plain(soup), fast(soup), soup, n > 1000 ? 60 : 45);
        if (testing::Test::HasFailure()) {
          return;
        }
      }
    }
  });
}

/// Centres in one place, on a line, and where sums of floats overflow.
TEST(MeshQuality, CodesThatTellNothingApart) {
  for (const float size : {1e-30F, 1.0F, 3e38F}) {
    for (const int axes : {0, 1, 2}) {
      SCOPED_TRACE(std::to_string(size) + " " + std::to_string(axes));
      Soup soup;
      scenes::Draws draws(5);
      for (std::uint32_t i = 0; i < 600; ++i) {
        const Vec3 at{axes > 0 ? draws.uniform(-1, 1) : 0, axes > 1 ? draws.uniform(-1, 1) : 0, 0};
        soup.vertices.push_back(at * size);
        soup.vertices.push_back({at.x * size, at.y * size, size * (axes > 0 ? 0.5F : 1)});
        soup.vertices.push_back({at.x * size, size * 0.25F, at.z});
        soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
      }
      const TriangleMesh a = plain(soup), b = fast(soup);
      EXPECT_EQ(a.bounds(), b.bounds());
      const std::vector<Ray3> rays = test::make_rays(soup, 60, draws);
      for (const Ray3& ray : rays) {
        ASSERT_TRUE(test::same_answer(raycast(a, {}, ray), raycast(b, {}, ray)));
      }
    }
  }
}

bool same_tree(const shape_detail::TriangleTree& a, const shape_detail::TriangleTree& b) {
  const auto same = [](auto x, auto y) {
    return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
  };
  return same(a.nodes.span(), b.nodes.span()) && same(a.blocks.span(), b.blocks.span());
}

TEST(MeshQuality, TheTreeIsTheSameForAnyExecutor) {
  scenes::Draws draws(8);
  for (const std::size_t n : {20U, 9'000U, 60'000U}) {  // from 8,192 on there is something to share
    const Soup soup = test::make_soup(Kind::kSphere, n, draws);
    const TriangleMesh first = plain(soup), first_fast = fast(soup);
    Workspace workspace;
    test::for_each_executor([&](const Executor* executor) {
      const Context context{.executor = executor, .workspace = &workspace};
      EXPECT_TRUE(same_tree(tree_of(first_fast), tree_of(fast(soup, context))));
      const auto again = TriangleMesh::build(MeshView(soup.vertices, soup.triangles), {}, context);
      EXPECT_TRUE(same_tree(tree_of(first), tree_of(*again)));
      EXPECT_TRUE(first_fast.closed());
    });
  }
}

/// What every search relies on.
TEST(MeshQuality, FastTreesHoldEachTriangleOnce) {
  scenes::Draws draws(8);
  const Soup soup = test::make_soup(Kind::kSizes, 40'000, draws);
  const TriangleMesh mesh = fast(soup);
  const auto& tree = tree_of(mesh);
  std::vector<int> seen(soup.triangles.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    for (const std::uint32_t child : tree.nodes[i].child) {
      if (!shape_detail::ChildWord::is_leaf(child)) {
        EXPECT_TRUE(child == 0 || (child > i && child < tree.nodes.size()));
        continue;
      }
      for (std::uint32_t k = 0; k < shape_detail::ChildWord::count(child); ++k) {
        ++seen[tree.blocks[shape_detail::ChildWord::index(child) + k / 4].number[k % 4]];
      }
    }
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(MeshQuality, ClosedIsFoundFromManyThreads) {
  const TriangleMesh mesh = fast(test::make_sphere(3000));
  std::vector<std::thread> threads;
  std::array<int, 4> found{};
  for (int& one : found) {
    threads.emplace_back([&] { one = mesh.closed() && contains(mesh, {}, {0.1F, 0.2F, 0}) ? 1 : 2; });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(found, (std::array{1, 1, 1, 1}));
}

TEST(MeshClosed, EdgesOfManyTrianglesAndOfNone) {
  // A fan of 100 leaves at one edge, in pairs of directions: used more than twice.
  Soup fan;
  fan.vertices = {{0, 0, 0}, {0, 0, 1}};
  for (std::uint32_t i = 0; i < 100; ++i) {
    fan.vertices.push_back({1, static_cast<float>(i), 0});
    fan.triangles.push_back(i % 2 == 0 ? std::array{0U, 1U, 2 + i} : std::array{1U, 0U, 2 + i});
  }
  EXPECT_FALSE(plain(fan).closed());
  Soup points;
  points.vertices = {{0, 0, 0}, {0, -0.0F, 0}};
  points.triangles = {{0, 1, 0}, {1, 1, 1}};
  EXPECT_FALSE(plain(points).closed());
  // Two sides of one triangle: each edge there and back.
  Soup both;
  both.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  both.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_TRUE(plain(both).closed());
}

Soup moved(Soup soup, float by) {
  scenes::Draws draws(77);
  for (Vec3& v : soup.vertices) {
    v = v + Vec3{draws.uniform(-by, by), draws.uniform(-by, by), draws.uniform(-by, by)};
  }
  return soup;
}

TEST(MeshRefit, AnswersAreThoseOfANewMesh) {
  test::for_each_isa([](Isa) {
    for (const Kind kind : kSound) {
      for (const std::size_t n : {1U, 9U, 33U, 3000U}) {
        for (const float by : {0.02F, 3.0F}) {
          SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
          scenes::Draws draws(n);
          const Soup before = test::make_soup(kind, n, draws), after = moved(before, by);
          for (TriangleMesh* mesh : {new TriangleMesh(plain(before)), new TriangleMesh(fast(before))}) {
            const Owned<TriangleMesh> owner(mesh);
            ASSERT_TRUE(mesh->refit(after.vertices));
            test::expect_same_answers(plain(after), *mesh, after, 30);
            ASSERT_TRUE(mesh->refit(before.vertices));
            test::expect_same_answers(plain(before), *mesh, before, 30);
          }
          if (testing::Test::HasFailure()) {
            return;
          }
        }
      }
    }
  });
}

TEST(MeshRefit, TheSameForAnyExecutorAndBufferOfVertices) {
  scenes::Draws draws(8);
  const Soup before = test::make_soup(Kind::kSphere, 60'000, draws), after = moved(before, 0.1F);
  std::vector<Corner> corners(after.vertices.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i].position = after.vertices[i];
  }
  TriangleMesh first = fast(before);
  ASSERT_TRUE(first.refit(after.vertices));
  test::for_each_executor([&](const Executor* executor) {
    TriangleMesh mesh = fast(before);
    ASSERT_TRUE(mesh.refit({&corners[0].position, corners.size(), sizeof(Corner)}, {.executor = executor}));
    EXPECT_TRUE(same_tree(tree_of(first), tree_of(mesh)));
  });
}

TEST(MeshRefit, ClosedFollowsThePlaces) {
  Soup soup = test::make_sphere(300);
  TriangleMesh mesh = plain(soup);
  EXPECT_TRUE(mesh.closed());
  const Soup squashed = [&] {
    Soup s = soup;  // two neighbours in one place: their edge is gone, and its two triangles
    s.vertices[s.triangles[40][0]] = s.vertices[s.triangles[40][1]];
    return s;
  }();
  ASSERT_TRUE(mesh.refit(squashed.vertices));
  EXPECT_EQ(mesh.closed(), plain(squashed).closed());
  Soup split;  // each triangle by itself, and then apart
  for (const auto& t : soup.triangles) {
    const auto first = static_cast<std::uint32_t>(split.vertices.size());
    for (const std::uint32_t v : t) {
      split.vertices.push_back(soup.vertices[v]);
    }
    split.triangles.push_back({first, first + 1, first + 2});
  }
  TriangleMesh seams = plain(split);
  EXPECT_TRUE(seams.closed());
  split.vertices[5].x += 0.5F;
  ASSERT_TRUE(seams.refit(split.vertices));
  EXPECT_FALSE(seams.closed());
}

TEST(MeshRefit, RefusesAndLeavesTheMeshAlone) {
  const Soup soup = test::make_sphere(200);
  TriangleMesh mesh = plain(soup);
  std::vector<Vec3> wrong = moved(soup, 1).vertices;
  wrong[17].z = kNaN;
  wrong[40].z = kInf;
  const auto wild = mesh.refit(wrong);
  ASSERT_FALSE(wild);
  EXPECT_EQ(test::code_of(wild), ErrorCode::kNotFinite);
  EXPECT_EQ(wild.error().index, 17U);
  wrong[17].z = wrong[40].z = 0;
  EXPECT_EQ(test::code_of(mesh.refit(std::span(wrong).first(wrong.size() - 1))), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(mesh.refit({wrong.data(), wrong.size(), 8})), ErrorCode::kInvalidArgument);
  EXPECT_EQ(test::code_of(mesh.refit({nullptr, wrong.size(), 12})), ErrorCode::kInvalidArgument);
  test::expect_same_answers(plain(soup), mesh, soup);
  TriangleMesh none = plain({});
  EXPECT_TRUE(none.refit(std::vector<Vec3>{}));
}

TEST(MeshRefit, BodiesWantTheirOwn) {
  const Soup soup = test::make_sphere(200);
  TriangleMesh mesh = plain(soup);
  const std::vector<Body> bodies{{.shape = mesh}};
  Bodies world;
  ASSERT_TRUE(world.rebuild(bodies));
  Soup far = soup;
  for (Vec3& v : far.vertices) {
    v.x += 100;
  }
  ASSERT_TRUE(mesh.refit(far.vertices));
  const Ray3 ray{{100, 0, -5}, {0, 0, 1}};
  EXPECT_FALSE(world.raycast_closest(ray).hit);  // its box is still the old one
  ASSERT_TRUE(world.refit(std::vector<Qvvs>(1)));
  EXPECT_TRUE(world.raycast_closest(ray).hit);
}

}  // namespace
}  // namespace juxta
