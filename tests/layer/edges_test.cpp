// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Layers in states that are rare, and counters where a query takes its other way.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <vector>

#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "juxta/layer/several.h"
#include "layer/layer_file.h"
#include "layer/world_test.h"
#include "support/each_isa.h"

namespace juxta {
namespace {

namespace fs = std::filesystem;
using test::World;

template <class T>
class LayerEdges : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerEdges, test::Dimensions, test::DimensionNames);

template <int D>
Aabb<D> everywhere() {
  Aabb<D> box;
  box.lo = Vec<D>::all(-test::kInf);
  box.hi = Vec<D>::all(test::kInf);
  return box;
}

// Few leaves fit into one list, many do not: every block is read in both cases. Below a node that lies wholly
// within a box, only the bodies are.
TYPED_TEST(LayerEdges, AQueryForEverythingCountsEveryBlock) {
  constexpr int D = TestFixture::kD;
  for (const std::uint32_t bodies : {100u, 20'000u}) {
    scenes::Draws draws(bodies);
    const auto layer = BasicLayer<D>::build(test::make_world<D>(draws, World::kSparse, bodies));
    ASSERT_TRUE(layer);
    const BlockTreePlan plan = plan_block_tree(bodies);
    test::for_each_isa([&](Isa) {
      const QueryResult in_box = find_all(*layer, everywhere<D>(), {});
      EXPECT_EQ(in_box.found, bodies);
      // The root, and in space its children where they are few: then nobody asks which of them lie within.
      EXPECT_GE(in_box.visited, plan.blocks[0] + 1);
      EXPECT_LE(in_box.visited, plan.blocks[0] + 1 + (D == 3 ? 7 : 0));
      const QueryResult in_frustum = find_in_frustum(*layer, std::span<const Plane<D>>(), {});
      EXPECT_EQ(in_frustum.found, bodies);
      EXPECT_EQ(in_frustum.visited, plan.total);
    });
  }
}

/// The layer from a file that says its order ends where its bodies do, inside a block with room behind. No
/// history of calls leads there, but nothing in a file forbids it.
template <int D>
Result<BasicLayer<D>> with_uneven_end(const BasicLayer<D>& layer) {
  const fs::path path = fs::temp_directory_path() / ("juxta_edges." + std::to_string(::getpid()) + ".jxl");
  EXPECT_TRUE(layer.save(path.string()));
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  layer_detail::LayerFileHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.sorted_end = header.tail_end = header.lane_end = header.bodies;
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = layer_detail::kLayerFormat.checksum_of(std::as_bytes(std::span(bytes)));
  std::memcpy(bytes.data(), &header, sizeof header);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  auto loaded = BasicLayer<D>::load(path.string());
  fs::remove(path);
  return loaded;
}

TYPED_TEST(LayerEdges, StraysBehindAnUnevenEndAreFound) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(3);
  const auto boxes = test::make_world<D>(draws, World::kSparse, 4000);
  auto built = BasicLayer<D>::build(boxes);
  ASSERT_TRUE(built);
  for (std::uint32_t body = 0; body < 11; ++body) {
    ASSERT_TRUE(built->remove(built->id_of(body)));
  }
  const auto last = built->insert(boxes[0]);  // no room: the layer sorts itself, with some behind
  ASSERT_TRUE(last && built->remove(*last));
  ASSERT_NE(built->size() % kBlockLanes, 0u);

  auto layer = with_uneven_end(*built);
  ASSERT_TRUE(layer) << layer.error().message;
  // So many that they are put in order at once, the last of them in the first lanes of a block.
  ASSERT_EQ((layer->size() + 512) % kBlockLanes, layer->size() % kBlockLanes);
  std::vector<Id> ids(512);
  ASSERT_TRUE(layer->insert(std::span(boxes).first(512), ids));
  for (std::uint32_t body = 0; body < layer->capacity(); ++body) {
    if (const auto box = layer->box_of(body)) {
      std::vector<std::uint32_t> found(layer->size());
      found.resize(find_all(*layer, *box, found).written);
      EXPECT_TRUE(std::find(found.begin(), found.end(), body) != found.end()) << "body " << body;
    }
  }
}

/// Boxes of size 1 at whole numbers, times `scale`.
template <int D>
std::vector<Aabb<D>> scattered(scenes::Draws& draws, std::size_t n, float scale) {
  std::vector<Aabb<D>> boxes(n);
  for (Aabb<D>& box : boxes) {
    for (int axis = 0; axis < D; ++axis) {
      box.lo[axis] = (static_cast<float>(draws.below(200)) - 100) * scale;
      box.hi[axis] = box.lo[axis] + scale;
    }
  }
  return boxes;
}

// Where a ray enters a box that is grown by `more`, in doubles; infinite: nowhere.
template <int D>
double enters(const Ray<D>& ray, const Aabb<D>& box, double more) {
  double enter = 0, leave = ray.max;
  for (int axis = 0; axis < D; ++axis) {
    const double from = ray.origin[axis], way = ray.direction[axis];
    if (way == 0) {
      leave = box.lo[axis] - more <= from && from <= box.hi[axis] + more ? leave : -1;
      continue;
    }
    const double a = (box.lo[axis] - more - from) / way, b = (box.hi[axis] + more - from) / way;
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  return enter <= leave ? enter : std::numeric_limits<double>::infinity();
}
template <int D>
double enters_first(const Ray<D>& ray, std::span<const Aabb<D>> boxes, double more) {
  double first = std::numeric_limits<double>::infinity();
  for (const Aabb<D>& box : boxes) {
    first = std::min(first, enters(ray, box, more));
  }
  return first;
}

// Directions from the smallest float to the largest, and both in one; the answer is that of doubles.
TYPED_TEST(LayerEdges, RaysOfAnyDirectionMeetWhatTheyShould) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(7);
  int hits = 0;
  for (const float scale : {1.0F, 1e30F}) {
    const auto boxes = scattered<D>(draws, 300, scale);
    const auto layer = BasicLayer<D>::build(boxes).value();
    for (int round = 0; round < 600; ++round) {
      Ray<D> ray{};
      const int power = static_cast<int>(draws.below(277)) - 149;
      const Aabb<D>& target = boxes[draws.below(300)];
      double way[D], longest = 0;
      for (int axis = 0; axis < D; ++axis) {
        ray.origin[axis] = (static_cast<float>(draws.below(200)) - 99.5F) * scale;
        way[axis] = 0.5 * target.lo[axis] + 0.5 * target.hi[axis] - ray.origin[axis];
        longest = std::max(longest, std::abs(way[axis]));
      }
      for (int axis = 0; axis < D; ++axis) {
        ray.direction[axis] = static_cast<float>(std::ldexp(way[axis] / longest, power));
      }
      // Floats may take a box that the ray just misses, and miss one that it just touches.
      const double soonest = enters_first<D>(ray, boxes, 1e-4 * scale);
      const double latest = enters_first<D>(ray, boxes, -1e-4 * scale);
      const RayHit hit = raycast_closest<D>(layer, ray);
      SCOPED_TRACE(testing::Message() << "round " << round << " power " << power << " t " << latest);
      ASSERT_TRUE(hit ? std::isfinite(soonest) : std::isinf(latest));
      ASSERT_EQ(static_cast<bool>(raycast_any<D>(layer, ray)), static_cast<bool>(hit));
      if (hit) {
        ++hits;
        ASSERT_GE(enters(ray, boxes[hit.body], 1e-4 * scale), soonest);
        ASSERT_LE(enters(ray, boxes[hit.body], 1e-4 * scale), latest);
        ASSERT_TRUE(hit.t >= soonest * 0.999999 || latest > test::kMax);
        ASSERT_TRUE(hit.t <= latest * 1.000001 || latest > test::kMax || hit.t < 1e-38F);
        RayHit first[1];
        ASSERT_GE(raycast_all<D>(layer, ray, first).found, 1u);
        ASSERT_EQ(first[0], hit);
      }
    }
  }
  EXPECT_GT(hits, 300);
}

TYPED_TEST(LayerEdges, TheNearestIsFoundWhereSquaresAreBeyondFloat) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(8);
  for (const float scale : {1e19F, 1e30F, 1e36F}) {
    auto boxes = scattered<D>(draws, 300, scale);
    for (Aabb<D>& box : boxes) {
      box.lo[0] += 150 * scale;
      box.hi[0] += 150 * scale;
    }
    const auto layer = BasicLayer<D>::build(boxes).value();
    const BasicLayer<D>* both[] = {&layer, &layer};
    for (int round = 0; round < 100; ++round) {
      Vec<D> point{};
      for (float& p : point) {
        p = -scale * static_cast<float>(draws.below(100));
      }
      std::vector<double> expected;
      for (const Aabb<D>& box : boxes) {
        double d2 = 0;
        for (int axis = 0; axis < D; ++axis) {
          const double from = point[static_cast<std::size_t>(axis)];
          const double apart = std::max({box.lo[axis] - from, from - box.hi[axis], 0.0});
          d2 += apart * apart;
        }
        expected.push_back(d2);
      }
      const double least = *std::min_element(expected.begin(), expected.end());
      const NearestHit hit = nearest<D>(layer, point);
      ASSERT_TRUE(hit);
      ASSERT_LE(expected[hit.body], least * 1.000001);
      ASSERT_TRUE(std::isinf(hit.distance2) ? least > test::kMax * 0.999 : hit.distance2 <= least * 1.000001);
      ASSERT_EQ(nearest<D>(both, point).where, (LayerBody{0, hit.body}));
      ASSERT_FALSE(nearest<D>(layer, point, static_cast<float>(std::sqrt(least) * 0.999)));
      ASSERT_EQ(nearest<D>(layer, point, static_cast<float>(std::sqrt(least) * 1.001)).body, hit.body);
    }
  }
}

}  // namespace
}  // namespace juxta
