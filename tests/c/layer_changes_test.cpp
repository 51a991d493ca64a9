// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Pairs, and layers that change, from C: the bits of C++.
#include <gtest/gtest.h>
#include <juxta.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "c/last_page.h"
#include "c/some_threads.h"
#include "juxta/layer/find_pairs.h"
#include "juxta/layer/layer.h"
#include "layer/world_test.h"

namespace juxta {
namespace {

std::vector<Aabb3> world(std::size_t bodies, std::uint64_t seed) {
  scenes::Draws draws(seed);
  return test::make_world<3>(draws, test::World::kSparse, bodies);
}

const float* floats(const std::vector<Aabb3>& boxes) {
  return reinterpret_cast<const float*>(boxes.data());
}

juxta_layer* build(const std::vector<Aabb3>& boxes) {
  juxta_layer* layer = nullptr;
  EXPECT_EQ(juxta_layer_build(3, floats(boxes), 0, boxes.size(), nullptr, nullptr, &layer, nullptr),
            JUXTA_OK);
  return layer;
}

std::vector<Pair> pairs_of(const juxta_layer* layer, const juxta_layer* other, bool sorted) {
  juxta_pair_options options = juxta_default_pair_options();
  options.sorted = sorted;
  juxta_query_result result;
  EXPECT_EQ(juxta_layer_find_pairs(layer, other, nullptr, 0, &options, nullptr, &result, nullptr), JUXTA_OK);
  std::vector<Pair> pairs(result.found);
  EXPECT_EQ(juxta_layer_find_pairs(layer, other, reinterpret_cast<juxta_pair*>(pairs.data()), pairs.size(),
                                   &options, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(result.written, pairs.size());
  return pairs;
}

std::vector<Pair> pairs_of(const Layer& layer, const Layer* other, bool sorted) {
  std::vector<Pair> pairs(1'000'000);
  const FindPairsOptions options{.sorted = sorted};
  const QueryResult result =
      (other == nullptr ? find_pairs(layer, pairs, options) : find_pairs(layer, *other, pairs, options))
          .value();
  pairs.resize(result.written);
  return pairs;
}

TEST(CLayerPairs, AreThoseOfCpp) {
  const auto a = world(3000, 1), b = world(2000, 2);
  juxta_layer* const c_a = build(a);
  juxta_layer* const c_b = build(b);
  const Layer cpp_a = Layer::build(a).value(), cpp_b = Layer::build(b).value();
  for (const bool sorted : {false, true}) {
    EXPECT_EQ(pairs_of(c_a, nullptr, sorted), pairs_of(cpp_a, nullptr, sorted));
    EXPECT_EQ(pairs_of(c_a, c_b, sorted), pairs_of(cpp_a, &cpp_b, sorted));
  }
  EXPECT_GT(pairs_of(c_a, c_b, false).size(), 100U);
  juxta_error error;
  juxta_query_result result;
  EXPECT_EQ(juxta_layer_find_pairs(c_a, c_a, nullptr, 0, nullptr, nullptr, &result, &error),
            JUXTA_INVALID_ARGUMENT);
  const float flat[4] = {0, 0, 1, 1};
  juxta_layer* c_flat = nullptr;
  ASSERT_EQ(juxta_layer_build(2, flat, 0, 1, nullptr, nullptr, &c_flat, &error), JUXTA_OK);
  EXPECT_EQ(juxta_layer_find_pairs(c_a, c_flat, nullptr, 0, nullptr, nullptr, &result, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("dimensions"), std::string::npos);

  // Only some bodies: a byte for each, and nothing behind the last one is read.
  std::vector<std::uint8_t> odd(a.size());
  for (std::size_t i = 0; i < odd.size(); ++i) {
    odd[i] = i % 2;
  }
  const test::LastPage<std::uint8_t> only(odd);
  juxta_pair_options options = juxta_default_pair_options();
  options.only = only.as<std::uint8_t>();
  std::vector<juxta_pair> pairs(100'000);
  ASSERT_EQ(
      juxta_layer_find_pairs(c_a, nullptr, pairs.data(), pairs.size(), &options, nullptr, &result, nullptr),
      JUXTA_OK);
  EXPECT_GT(result.written, 10U);
  EXPECT_TRUE(std::all_of(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(result.written),
                          [](juxta_pair pair) { return pair.a % 2 == 1 && pair.b % 2 == 1; }));
  for (juxta_layer* layer : {c_a, c_b, c_flat}) {
    juxta_layer_free(layer);
  }
}

TEST(CLayerPairs, VisitorsSeeThemAll) {
  const auto a = world(3000, 3), b = world(1000, 4);
  juxta_layer* const c_a = build(a);
  juxta_layer* const c_b = build(b);
  const std::vector<Pair> wanted = pairs_of(c_a, nullptr, false);
  std::vector<Pair> seen;
  juxta_query_result result;
  ASSERT_EQ(juxta_layer_visit_pairs(
                c_a, nullptr,
                [](void* user, const juxta_pair* pairs, size_t count) {
                  const auto* const first = reinterpret_cast<const Pair*>(pairs);
                  static_cast<std::vector<Pair>*>(user)->insert(static_cast<std::vector<Pair>*>(user)->end(),
                                                                first, first + count);
                  return true;
                },
                &seen, nullptr, nullptr, &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(seen, wanted);

  // Without locks: no two calls hold a body in common, so each body's count is right on any number of
  // threads.
  const test::SomeThreads threads(3);
  juxta_context context = juxta_default_context();
  context.executor = threads.executor();
  std::vector<int> met(a.size());
  const juxta_exclusive_visitor both = [](void* user, const juxta_pair* pairs, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      ++static_cast<int*>(user)[pairs[i].a];
      ++static_cast<int*>(user)[pairs[i].b];
    }
  };
  ASSERT_EQ(
      juxta_layer_visit_pairs_exclusive(c_a, nullptr, both, met.data(), nullptr, &context, &result, nullptr),
      JUXTA_OK);
  for (const Pair pair : wanted) {
    --met[pair.a];
    --met[pair.b];
  }
  EXPECT_EQ(std::count(met.begin(), met.end(), 0), static_cast<std::ptrdiff_t>(met.size()));
  const juxta_exclusive_visitor first = [](void* user, const juxta_pair* pairs, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      ++static_cast<int*>(user)[pairs[i].a];
    }
  };
  ASSERT_EQ(
      juxta_layer_visit_pairs_by_first(c_a, c_b, first, met.data(), nullptr, &context, &result, nullptr),
      JUXTA_OK);
  for (const Pair pair : pairs_of(c_a, c_b, false)) {
    --met[pair.a];
  }
  EXPECT_EQ(std::count(met.begin(), met.end(), 0), static_cast<std::ptrdiff_t>(met.size()));
  EXPECT_EQ(
      juxta_layer_visit_pairs_by_first(c_a, nullptr, first, met.data(), nullptr, nullptr, &result, nullptr),
      JUXTA_INVALID_ARGUMENT);
  juxta_layer_free(c_a);
  juxta_layer_free(c_b);
}

TEST(CLayerChanges, AreThoseOfCpp) {
  auto boxes = world(500, 5);
  const auto more = world(300, 6);
  juxta_layer* c = build(boxes);
  Layer cpp = Layer::build(boxes).value();
  std::vector<juxta_id> ids(more.size());
  std::vector<Id> cpp_ids(more.size());
  const test::LastPage<Aabb3> given(more, 28);
  ASSERT_EQ(juxta_layer_insert(c, given.as<float>(), 28, more.size(), nullptr, ids.data(), nullptr),
            JUXTA_OK);
  ASSERT_TRUE(cpp.insert(more, cpp_ids));
  juxta_error error;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(ids[i].slot, cpp_ids[i].slot);
    EXPECT_TRUE(juxta_layer_alive(c, ids[i]));
    if (i % 3 == 0) {
      ASSERT_EQ(juxta_layer_remove(c, ids[i], &error), JUXTA_OK);
      ASSERT_TRUE(cpp.remove(cpp_ids[i]));
      EXPECT_EQ(juxta_layer_remove(c, ids[i], &error), JUXTA_NOT_FOUND);
    } else if (i % 3 == 1) {
      ASSERT_EQ(juxta_layer_move(c, ids[i], floats(boxes) + 6 * i, &error), JUXTA_OK);
      ASSERT_TRUE(cpp.move(cpp_ids[i], boxes[i]));
      float box[6];
      ASSERT_EQ(juxta_layer_box_of(c, ids[i].slot, box, nullptr), JUXTA_OK);
      EXPECT_EQ(std::memcmp(box, &boxes[i], sizeof(box)), 0);
    } else {
      ASSERT_EQ(juxta_layer_set_filter(c, ids[i], {1, 2}, &error), JUXTA_OK);
      ASSERT_TRUE(cpp.set_filter(cpp_ids[i], {1, 2}));
    }
  }
  EXPECT_EQ(juxta_layer_size(c), cpp.size());
  EXPECT_EQ(juxta_layer_capacity(c), cpp.capacity());
  EXPECT_EQ(juxta_layer_dimensions(c), 3);
  EXPECT_EQ(juxta_layer_memory_bytes(c), cpp.stats().memory_bytes);
  EXPECT_EQ(juxta_layer_id_of(c, 3).slot, cpp.id_of(3).slot);
  EXPECT_EQ(pairs_of(c, nullptr, false), pairs_of(cpp, nullptr, false));

  const std::string path = testing::TempDir() + "c_layer.jxl";
  ASSERT_EQ(juxta_layer_save(c, path.c_str(), &error), JUXTA_OK) << error.message;
  juxta_layer* loaded = nullptr;
  ASSERT_EQ(juxta_layer_load(path.c_str(), &loaded, &error), JUXTA_OK) << error.message;
  EXPECT_EQ(pairs_of(loaded, nullptr, false), pairs_of(cpp, nullptr, false));
  juxta_layer_free(loaded);
  std::remove(path.c_str());
  EXPECT_EQ(juxta_layer_load(path.c_str(), &loaded, &error), JUXTA_IO);

  auto moved = world(cpp.capacity(), 7);
  ASSERT_EQ(juxta_layer_refit(c, floats(moved), 0, moved.size(), nullptr, &error), JUXTA_OK) << error.message;
  ASSERT_TRUE(cpp.refit(moved));
  EXPECT_EQ(pairs_of(c, nullptr, false), pairs_of(cpp, nullptr, false));
  EXPECT_EQ(juxta_layer_refit(c, floats(moved), 0, 3, nullptr, &error), JUXTA_INVALID_ARGUMENT);
  ASSERT_EQ(juxta_layer_rebuild(c, floats(boxes), 0, boxes.size(), nullptr, nullptr, nullptr), JUXTA_OK);
  ASSERT_TRUE(cpp.rebuild(boxes));
  EXPECT_EQ(pairs_of(c, nullptr, true), pairs_of(cpp, nullptr, true));
  juxta_layer_free(c);
}

TEST(CLayerChanges, ALayerOf2DIsLoadedTooAndAnotherFileIsNot) {
  const float boxes[8] = {0, 0, 2, 2, 1, 1, 3, 3};
  juxta_layer* flat = nullptr;
  juxta_error error;
  ASSERT_EQ(juxta_layer_build(2, boxes, 0, 2, nullptr, nullptr, &flat, nullptr), JUXTA_OK);
  const std::string path = testing::TempDir() + "c_flat.jxl";
  ASSERT_EQ(juxta_layer_save(flat, path.c_str(), nullptr), JUXTA_OK);
  juxta_layer_free(flat);
  ASSERT_EQ(juxta_layer_load(path.c_str(), &flat, &error), JUXTA_OK) << error.message;
  EXPECT_EQ(juxta_layer_dimensions(flat), 2);
  EXPECT_EQ(juxta_layer_size(flat), 2U);
  juxta_layer_free(flat);
  if (std::FILE* file = std::fopen(path.c_str(), "wb")) {
    std::fputs("no layer at all", file);
    std::fclose(file);
  }
  EXPECT_EQ(juxta_layer_load(path.c_str(), &flat, &error), JUXTA_CORRUPT_FILE);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace juxta
