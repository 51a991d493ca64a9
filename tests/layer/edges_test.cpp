// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Layers in states that are rare, and counters where a query takes its other way.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "juxta/layer/query.h"
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
  std::fill_n(box.lo, D, -test::kInf);
  std::fill_n(box.hi, D, test::kInf);
  return box;
}

// Few leaves are listed before they are read, many are gone down to: every block is read in both ways.
TYPED_TEST(LayerEdges, AQueryForEverythingCountsEveryBlock) {
  constexpr int D = TestFixture::kD;
  for (const std::uint32_t bodies : {100u, 20'000u}) {
    scenes::Draws draws(bodies);
    const auto layer = BasicLayer<D>::build(test::make_world<D>(draws, World::kSparse, bodies));
    ASSERT_TRUE(layer);
    const std::size_t blocks = plan_block_tree(bodies).total;
    test::for_each_isa([&](Isa) {
      const QueryResult in_box = find_all(*layer, everywhere<D>(), {});
      EXPECT_EQ(in_box.found, bodies);
      EXPECT_EQ(in_box.visited, blocks);
      const QueryResult in_frustum = find_in_frustum(*layer, std::span<const Plane<D>>(), {});
      EXPECT_EQ(in_frustum.found, bodies);
      EXPECT_EQ(in_frustum.visited, blocks);
    });
  }
}

/// The layer from a file that says its order ends where its bodies do, inside a block with room behind. No
/// history of calls leads there, but nothing in a file forbids it.
template <int D>
Result<BasicLayer<D>> with_uneven_end(const BasicLayer<D>& layer) {
  const fs::path path = fs::temp_directory_path() / ("juxta_edges." + std::to_string(::getpid()) + ".jxl");
  EXPECT_TRUE(layer.save(path));
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  layer_detail::LayerFileHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.sorted_end = header.tail_end = header.lane_end = header.bodies;
  std::memcpy(bytes.data(), &header, sizeof header);
  header.checksum = layer_detail::kLayerFormat.checksum_of(std::as_bytes(std::span(bytes)));
  std::memcpy(bytes.data(), &header, sizeof header);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  auto loaded = BasicLayer<D>::load(path);
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

}  // namespace
}  // namespace juxta
