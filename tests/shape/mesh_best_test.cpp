// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// MeshQuality::kBest: the answers of the plain build, from a tree that costs a ray less.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "shape/mesh_answers.h"
#include "shape/parts_store.h"
#include "shape/triangle_tree.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using shape_detail::BinaryNode;
using shape_detail::TriangleRef;
using test::Kind;
using test::Soup;

constexpr Kind kKinds[] = {Kind::kRandom,     Kind::kSphere,     Kind::kTerrain, Kind::kSlivers,
                           Kind::kDegenerate, Kind::kDuplicates, Kind::kFlat,    Kind::kSizes};

TriangleMesh build(const Soup& soup, MeshQuality quality, const Context& context = {}) {
  return TriangleMesh::build(MeshView(soup.vertices, soup.triangles), {.quality = quality}, context).value();
}

TEST(MeshBest, AnswersAreThoseOfThePlainBuild) {
  test::for_each_isa([](Isa) {
    for (const Kind kind : kKinds) {
      for (const std::size_t n : {1U, 2U, 3U, 4U, 9U, 33U, 2000U}) {
        SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
        scenes::Draws draws(n);
        const Soup soup = test::make_soup(kind, n, draws);
        test::expect_same_answers(build(soup, MeshQuality::kDefault), build(soup, MeshQuality::kBest), soup,
                                  40);
        if (testing::Test::HasFailure()) {
          return;
        }
      }
    }
  });
}

/// A tree of two children, before and after its parts were moved.
class Tree {
 public:
  explicit Tree(const Soup& soup) : refs_(soup.triangles.size()) {
    for (std::uint32_t i = 0; i < refs_.size(); ++i) {
      TriangleRef& ref = refs_[i];
      std::fill_n(ref.lo, 3, shape_detail::kInf);
      std::fill_n(ref.hi, 3, -shape_detail::kInf);
      ref.lo[3] = TriangleRef::lane_of(i);
      ref.hi[3] = 0;
      for (const std::uint32_t vertex : soup.triangles[i]) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          ref.lo[axis] = std::min(ref.lo[axis], soup.vertices[vertex][axis]);
          ref.hi[axis] = std::max(ref.hi[axis], soup.vertices[vertex][axis]);
        }
      }
    }
    shape_detail::build_binary_tree(refs_, nodes_, serial_executor(), std::pmr::new_delete_resource());
  }

  /// The worst tree there is: the refs in any order, halved again and again.
  void scramble(scenes::Draws& draws) {
    for (std::size_t i = refs_.size(); i > 1; --i) {
      std::swap(refs_[i - 1], refs_[draws.below(static_cast<std::uint32_t>(i))]);
    }
    nodes_.resize(0);
    halve(0, static_cast<std::uint32_t>(refs_.size()));
  }

  void improve(const Executor& executor = serial_executor()) {
    shape_detail::improve_binary_tree(refs_, nodes_, executor, std::pmr::new_delete_resource());
  }

  /// Areas of all nodes of two triangles and more, in areas of the root.
  [[nodiscard]] double cost() const {
    double sum = 0;
    walk([&](const BinaryNode& node, std::uint32_t) { sum += node.count > 1 ? area(node.bounds) : 0; });
    return sum / area(nodes_[0].bounds);
  }

  void expect_sound() const {
    std::vector<int> seen(refs_.size());
    for (const TriangleRef& ref : refs_) {
      ++seen[ref.number()];
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(refs_.size()));
    walk([&](const BinaryNode& node, std::uint32_t level) {
      EXPECT_LT(level, shape_detail::kMostBinaryLevels);
      Aabb3 box{{shape_detail::kInf, shape_detail::kInf, shape_detail::kInf},
                {-shape_detail::kInf, -shape_detail::kInf, -shape_detail::kInf}};
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          box.lo[axis] = std::min(box.lo[axis], refs_[i].lo[axis]);
          box.hi[axis] = std::max(box.hi[axis], refs_[i].hi[axis]);
        }
      }
      EXPECT_EQ(box, node.bounds);
      if (!node.leaf()) {
        const BinaryNode &left = nodes_[node.left], &right = nodes_[node.right];
        EXPECT_EQ(left.first, node.first);
        EXPECT_EQ(right.first, left.first + left.count);
        EXPECT_EQ(left.count + right.count, node.count);
      }
    });
  }

 private:
  std::uint32_t halve(std::uint32_t first, std::uint32_t count) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.resize(index + 1);
    BinaryNode node{{}, first, count, 0, 0};
    std::copy_n(refs_[first].lo, 3, node.bounds.lo.begin());
    std::copy_n(refs_[first].hi, 3, node.bounds.hi.begin());
    for (std::uint32_t i = first; i < first + count; ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        node.bounds.lo[axis] = std::min(node.bounds.lo[axis], refs_[i].lo[axis]);
        node.bounds.hi[axis] = std::max(node.bounds.hi[axis], refs_[i].hi[axis]);
      }
    }
    if (count > 2) {
      node.left = halve(first, count / 2);
      node.right = halve(first + count / 2, count - count / 2);
    }
    nodes_[index] = node;
    return index;
  }
  static double area(const Aabb3& box) {
    const Vec3 edge = box.hi - box.lo;
    return static_cast<double>(edge.x) * edge.y + static_cast<double>(edge.y) * edge.z +
           static_cast<double>(edge.z) * edge.x;
  }
  template <class Visit>
  void walk(Visit&& visit, std::uint32_t index = 0, std::uint32_t level = 0) const {
    const BinaryNode& node = nodes_[index];
    visit(node, level);
    if (!node.leaf()) {
      walk(visit, node.left, level + 1);
      walk(visit, node.right, level + 1);
    }
  }

  std::vector<TriangleRef> refs_;
  Array<BinaryNode> nodes_;
};

TEST(MeshBest, TreesStaySoundAndCostNoMore) {
  for (const Kind kind : kKinds) {
    for (const std::size_t n : {1U, 2U, 3U, 4U, 5U, 12U, 100U, 5000U}) {
      SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
      scenes::Draws draws(n);
      Tree tree(test::make_soup(kind, n, draws));
      const double before = tree.cost();
      tree.improve();
      tree.expect_sound();
      EXPECT_LE(tree.cost(), before * 1.0001);
      if (kind == Kind::kSizes && n == 5000) {
        EXPECT_LT(tree.cost(), before * 0.95);
      }
    }
  }
}

/// Far from what the builder makes: most parts move, many of them in one pass.
TEST(MeshBest, TreesInNoOrder) {
  scenes::Draws draws(9);
  for (int round = 0; round < 300; ++round) {
    Soup soup = test::make_soup(Kind::kRandom, 4 + draws.below(60), draws);
    for (std::size_t i = 0; i < soup.triangles.size(); ++i) {  // each stands in several places
      soup.triangles[i] = soup.triangles[i / 3];
    }
    Tree tree(soup);
    tree.scramble(draws);
    const double before = tree.cost();
    tree.improve();
    tree.expect_sound();
    EXPECT_LE(tree.cost(), before);
  }
}

/// Each triangle is half as large as the one before and lies in its corner: nothing but chains, which may not
/// become too long.
TEST(MeshBest, LongChains) {
  for (const float ratio : {0.5F, 0.9F, 0.98F}) {
    Soup soup;
    float size = 1e30F;
    for (std::uint32_t i = 0; i < 3000; ++i) {
      soup.vertices.insert(soup.vertices.end(), {{0, 0, 0}, {size, 0, size}, {0, size, 0}});
      soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
      size = std::max(size * ratio, 1e-30F);
    }
    Tree tree(soup);
    tree.improve();
    tree.expect_sound();
  }
}

TEST(MeshBest, TheTreeIsTheSameForAnyExecutor) {
  scenes::Draws draws(8);
  const Soup soup = test::make_soup(Kind::kSizes, 9'000, draws);
  const TriangleMesh first = build(soup, MeshQuality::kBest);
  const auto blocks = shape_detail::Access::store(first).triangles.tree().blocks.span();
  test::for_each_executor([&](const Executor* executor) {
    const TriangleMesh again = build(soup, MeshQuality::kBest, {.executor = executor});
    const auto others = shape_detail::Access::store(again).triangles.tree().blocks.span();
    ASSERT_EQ(blocks.size(), others.size());
    EXPECT_EQ(std::memcmp(blocks.data(), others.data(), blocks.size_bytes()), 0);
  });
}

}  // namespace
}  // namespace juxta
