// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Literal hashes of orders, answers and whole saved files: one for every
// compiler, optimisation, instruction set and executor.
#include <gtest/gtest.h>

#include <vector>

#include "juxta/core/workspace.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/nearest.h"
#include "juxta/layer/query.h"
#include "juxta/layer/raycast.h"
#include "layer/world_test.h"
#include "scenes/boxes.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/fnv.h"
#include "support/saved_bytes.h"

namespace juxta {
namespace {

constexpr std::size_t kBodies = 30'000;

/// Folds results into one number.
class Hash {
 public:
  template <class T>
  void add(std::span<const T> values) {
    value_ = test::fnv(values, value_);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = test::fnv(std::span<const char>());
};

void add_pairs(Hash& hash, const Layer& layer, const Executor* executor) {
  Workspace workspace;
  std::vector<Pair> pairs(find_pairs(layer, {}, {}, {.executor = executor, .workspace = &workspace})->found);
  (void)find_pairs(layer, pairs, {}, {.executor = executor, .workspace = &workspace});
  hash.add(std::span<const Pair>(pairs));
}

/// Pairs in the layer's order over some frames of moving boxes, and a history
/// of single changes.
std::uint64_t pairs_hash(const Executor* executor) {
  Hash hash;
  for (const auto set : {scenes::BoxSet::kUniform, scenes::BoxSet::kClustered, scenes::BoxSet::kMixed}) {
    scenes::BoxWorld world = scenes::make_boxes(set, kBodies, 42);
    auto layer = Layer::build(world.boxes, {}, {.executor = executor}).value();
    add_pairs(hash, layer, executor);
    for (int frame = 0; frame < 12; ++frame) {
      scenes::advance(world);
      EXPECT_TRUE(layer.refit(world.boxes, {.executor = executor}));
    }
    add_pairs(hash, layer, executor);
    for (std::uint32_t body = 0; body < kBodies; body += 7) {
      EXPECT_TRUE(layer.move(layer.id_of(body), world.boxes[(body * 31U) % kBodies]));
      EXPECT_TRUE(body % 3 != 0 || layer.remove(layer.id_of(body + 1)));
      EXPECT_TRUE(body % 3 == 0 || layer.insert(world.boxes[body], {1, 3}));
    }
    add_pairs(hash, layer, executor);
  }
  return hash.value();
}

/// What each body sees under the exclusive schedule, in its order.
std::uint64_t exclusive_hash(const Executor* executor) {
  const scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kClustered, kBodies, 42);
  const auto layer = Layer::build(world.boxes).value();
  Workspace workspace;
  std::vector<std::uint64_t> seen(kBodies, 1);
  (void)visit_pairs_exclusive(layer,
                              [&](std::span<const Pair> pairs) {
                                for (const Pair pair : pairs) {
                                  seen[pair.a] = seen[pair.a] * 0x9E3779B97F4A7C15U + pair.b;
                                  seen[pair.b] = seen[pair.b] * 0x9E3779B97F4A7C15U + pair.a;
                                }
                              },
                              {}, {.executor = executor, .workspace = &workspace});
  return test::fnv(std::span<const std::uint64_t>(seen));
}

std::uint64_t queries_hash() {
  Hash hash;
  for (const auto set : {scenes::BoxSet::kUniform, scenes::BoxSet::kMixed}) {
    const scenes::BoxWorld world = scenes::make_boxes(set, kBodies, 7);
    const auto layer = Layer::build(world.boxes).value();
    std::vector<std::uint32_t> bodies(kBodies);
    for (const Aabb3& box : scenes::make_query_boxes(world, 500, 8)) {
      const std::uint32_t any = find_any(layer, box);
      hash.add(std::span(&any, 1));
      const std::size_t found = find_all(layer, box, std::span(bodies)).found;
      hash.add(std::span<const std::uint32_t>(bodies).first(found));
    }
    std::vector<RayHit> hits(kBodies);
    for (const Ray3& ray : scenes::make_query_rays(world, 500, 9)) {
      const RayHit any = raycast_any(layer, ray);
      hash.add(std::span(&any, 1));
      const std::size_t found = raycast_all(layer, ray, hits).found;
      hash.add(std::span<const RayHit>(hits).first(found));
      const NearestHit near = nearest(layer, ray.origin);
      hash.add(std::span(&near, 1));
    }
  }
  return hash.value();
}

template <int D>
std::uint64_t file_hash(const Executor* executor) {
  scenes::Draws draws(3);
  auto layer =
      BasicLayer<D>::build(test::make_world<D>(draws, test::World::kDense, 5000), {}, {.executor = executor})
          .value();
  for (std::uint32_t body = 0; body < 900; body += 3) {
    EXPECT_TRUE(layer.remove(layer.id_of(body)));
    EXPECT_TRUE(layer.insert(test::draw_box<D>(draws, test::World::kDense, 9), {body, 7}));
  }
  const std::vector<char> bytes = test::saved_bytes(layer);
  return test::fnv(std::span<const char>(bytes));
}

constexpr std::uint64_t kPairsHash = 205266653127254908U;
constexpr std::uint64_t kExclusiveHash = 5272729698400114564U;
constexpr std::uint64_t kQueriesHash = 6879826616374860745U;
constexpr std::uint64_t kFileHash2 = 16894290795372609348U;
constexpr std::uint64_t kFileHash3 = 12665732621453909493U;

TEST(LayerGolden, TheSamePairsForEveryInstructionSetAndExecutor) {
  test::for_each_isa([](Isa) {
    test::for_each_executor([](const Executor* executor) {
      EXPECT_EQ(pairs_hash(executor), kPairsHash);
      EXPECT_EQ(exclusive_hash(executor), kExclusiveHash);
    });
  });
}

TEST(LayerGolden, TheSameFilesForEveryInstructionSetAndExecutor) {
  test::for_each_isa([](Isa) {
    test::for_each_executor([](const Executor* executor) {
      EXPECT_EQ(file_hash<2>(executor), kFileHash2);
      EXPECT_EQ(file_hash<3>(executor), kFileHash3);
    });
  });
}

TEST(LayerGolden, TheSameAnswersForEveryInstructionSet) {
  test::for_each_isa([](Isa) { EXPECT_EQ(queries_hash(), kQueriesHash); });
}

}  // namespace
}  // namespace juxta
