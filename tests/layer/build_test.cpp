// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// build(), rebuild() and refit(): what a layer holds afterwards, and what it refuses.
#include "juxta/core/workspace.h"
#include "juxta/layer/layer.h"

#include <gtest/gtest.h>

#include "juxta/core/monitor.h"
#include "juxta/layer/find_pairs.h"
#include "layer/model.h"
#include "layer/world_test.h"
#include "support/code_of.h"
#include "support/counting_resource.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::compare_bodies;
using test::kInf;
using test::kNan;
using test::Model;
using test::World;

template <class T>
class LayerBuild : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerBuild, test::Dimensions, test::DimensionNames);

template <int D>
std::vector<Aabb<D>> world(World kind, std::size_t count, std::uint64_t seed) {
  scenes::Draws draws(seed);
  return test::make_world<D>(draws, kind, count);
}

/// Every living body stands in one lane, and the order names no other.
template <int D>
void expect_sound(const BasicLayer<D>& layer, const Model<D>& model) {
  ASSERT_EQ(compare_bodies(layer, model), "");
  std::vector<std::uint32_t> bodies = test::order_of(layer), living;
  std::sort(bodies.begin(), bodies.end());
  for (std::uint32_t i = 0; i < model.alive.size(); ++i) {
    if (model.alive[i] != 0) {
      living.push_back(i);
    }
  }
  ASSERT_EQ(bodies, living);
}

TYPED_TEST(LayerBuild, HoldsTheBoxesAsTheyWereGiven) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : test::kSizes) {
      SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
      Model<D> model;
      model.build(world<D>(kind, n, n), {});
      const auto layer = BasicLayer<D>::build(model.boxes);
      ASSERT_TRUE(layer) << layer.error().message;
      expect_sound(*layer, model);
      EXPECT_EQ(layer->stats().strays, 0u);
      EXPECT_EQ(layer->stats().blocks, (n + 15) / 16);
      EXPECT_EQ(layer->stats().looseness, 1);
    }
  }
}

TYPED_TEST(LayerBuild, RebuildsInPlaceAndForgets) {
  constexpr int D = TestFixture::kD;
  BasicLayer<D> layer;
  scenes::Draws draws(3);
  for (const std::size_t n : {100u, 3000u, 0u, 17u, 3000u}) {
    Model<D> model;
    const auto boxes = test::make_world<D>(draws, World::kSparse, n);
    model.build(boxes, draws.below(2) == 0 ? std::vector<Filter>() : test::draw_filters(draws, n));
    ASSERT_TRUE(layer.rebuild(boxes, {.filters = model.filters}));
    expect_sound(layer, model);
    if (n > 20) {
      ASSERT_TRUE(layer.remove(layer.id_of(7)));
      ASSERT_TRUE(layer.insert(boxes[0]));
      ASSERT_TRUE(layer.insert(boxes[1]));
    }
  }
}

TYPED_TEST(LayerBuild, MovedLayersKeepTheirBodies) {
  constexpr int D = TestFixture::kD;
  Model<D> model;
  model.build(world<D>(World::kGrid, 300, 1), {});
  auto first = BasicLayer<D>::build(model.boxes).value();
  BasicLayer<D> second(std::move(first));
  EXPECT_EQ(compare_bodies(second, model), "");
  first = std::move(second);
  EXPECT_EQ(compare_bodies(first, model), "");
}

/// One bad box among good ones: the code and the index, and everything as it was.
template <int D>
void expect_refused(const Aabb<D>& bad, ErrorCode code) {
  Model<D> model;
  model.build(world<D>(World::kSparse, 700, 2), {});
  auto layer = BasicLayer<D>::build(model.boxes).value();
  const auto order = test::order_of(layer);
  for (const std::size_t at : {0u, 15u, 333u, 699u}) {
    auto boxes = model.boxes;
    boxes[at] = bad;
    const auto check = [&](const Error& error) {
      EXPECT_EQ(error.code, code) << error.message;
      EXPECT_EQ(error.index, at) << error.message;
      EXPECT_FALSE(error.message.empty());
    };
    check(BasicLayer<D>::build(boxes).error());
    check(layer.rebuild(boxes).error());
    check(layer.refit(boxes).error());
    std::vector<Id> ids(boxes.size());
    check(layer.insert(boxes, ids).error());
  }
  EXPECT_EQ(test::code_of(layer.insert(bad)), code);
  EXPECT_EQ(test::code_of(layer.move(layer.id_of(5), bad)), code);
  EXPECT_EQ(compare_bodies(layer, model), "");
  EXPECT_EQ(test::order_of(layer), order);
}

TYPED_TEST(LayerBuild, RefusesWhatIsNoBox) {
  constexpr int D = TestFixture::kD;
  for (int axis = 0; axis < D; ++axis) {
    for (const float side : {kNan, -kNan, kInf, -kInf}) {
      for (const bool low : {true, false}) {
        Aabb<D> box{};
        (low ? box.lo : box.hi)[axis] = side;
        expect_refused<D>(box, ErrorCode::kNotFinite);
      }
    }
    Aabb<D> inverted{};
    inverted.lo[axis] = 1;
    inverted.hi[axis] = std::nextafter(1.0F, 0.0F);
    expect_refused<D>(inverted, ErrorCode::kInvalidArgument);
  }
}

TYPED_TEST(LayerBuild, RefusesLengthsThatDiffer) {
  constexpr int D = TestFixture::kD;
  Model<D> model;
  model.build(world<D>(World::kSparse, 40, 2), {});
  auto layer = BasicLayer<D>::build(model.boxes).value();
  for (const std::size_t n : {0u, 1u, 39u, 41u}) {
    const auto boxes = world<D>(World::kSparse, n, 3);
    const std::vector<Filter> filters(n == 0 ? 7 : n);
    LayerOptions options;
    options.filters = filters;
    EXPECT_EQ(test::code_of(layer.rebuild(model.boxes, options)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(BasicLayer<D>::build(model.boxes, options)), ErrorCode::kInvalidArgument);
    EXPECT_EQ(test::code_of(layer.refit(boxes)), ErrorCode::kInvalidArgument);
    std::vector<Id> ids(n);
    EXPECT_EQ(test::code_of(layer.insert(model.boxes, ids)), ErrorCode::kInvalidArgument);
    ids.resize(model.boxes.size());
    EXPECT_EQ(test::code_of(layer.insert(model.boxes, ids, filters)), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(compare_bodies(layer, model), "");
}

class StopAt final : public Monitor {
 public:
  explicit StopAt(int calls) : left_(calls) {}
  bool on_progress(std::string_view, std::uint64_t done, std::uint64_t total) override {
    EXPECT_LE(done, total);
    return left_-- > 0;
  }
  [[nodiscard]] int left() const { return left_; }

 private:
  int left_;
};

TEST(LayerBuildMonitor, StopsAtEveryStageAndLeavesTheLayer) {
  Model<3> model;
  model.build(world<3>(World::kSparse, 500, 2), {});
  auto layer = Layer::build(model.boxes).value();
  int cancelled = 0;
  for (int calls = 0; calls < 100; ++calls) {
    StopAt monitor(calls);
    if (const auto done = layer.rebuild(world<3>(World::kDense, 300, 9), {}, {.monitor = &monitor}); done) {
      EXPECT_EQ(layer.size(), 300u);
      break;
    } else {
      EXPECT_EQ(test::code_of(done), ErrorCode::kCancelled);
      EXPECT_EQ(compare_bodies(layer, model), "");
      ++cancelled;
    }
  }
  EXPECT_GE(cancelled, 2);
  EXPECT_EQ(layer.size(), 300u);
}

TYPED_TEST(LayerBuild, RefitMovesAllAndSortsWhenItMust) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(8);
  Model<D> model;
  model.build(test::make_world<D>(draws, World::kSparse, 5000), {});
  auto layer = BasicLayer<D>::build(model.boxes).value();
  const auto order = test::order_of(layer);
  const std::uint64_t sorts = layer.stats().sorts;
  ASSERT_TRUE(layer.refit(model.boxes));  // nothing moves: nothing is sorted
  EXPECT_EQ(layer.stats().sorts, sorts);
  EXPECT_EQ(test::order_of(layer), order);
  std::uint64_t frames = 0;
  for (; frames < 400 && layer.stats().sorts == sorts; ++frames) {
    for (Aabb<D>& box : model.boxes) {
      for (int axis = 0; axis < D; ++axis) {
        const float by = draws.uniform(-0.08F, 0.08F);
        box.lo[axis] += by;
        box.hi[axis] += by;
      }
    }
    ASSERT_TRUE(layer.refit(model.boxes));
    ASSERT_LE(layer.stats().looseness, 1.15);
    if (frames % 8 == 0) {
      ASSERT_EQ(compare_bodies(layer, model), "");
    }
  }
  EXPECT_GT(frames, 3u);                      // it keeps its order for a while ...
  EXPECT_EQ(layer.stats().sorts, sorts + 1);  // ... and sorts by itself in the end
  EXPECT_NE(test::order_of(layer), order);
  draws.shuffle(model.boxes);
  ASSERT_TRUE(layer.refit(model.boxes));
  EXPECT_EQ(layer.stats().sorts, sorts + 2);
  expect_sound(layer, model);
}

TYPED_TEST(LayerBuild, RefitIgnoresTheBoxesOfTheDead) {
  constexpr int D = TestFixture::kD;
  Model<D> model;
  model.build(world<D>(World::kSparse, 500, 8), {});
  auto layer = BasicLayer<D>::build(model.boxes).value();
  for (const std::uint32_t body : {0u, 17u, 333u, 499u}) {
    const Id id = layer.id_of(body);
    ASSERT_TRUE(layer.remove(id));
    model.remove(id);
  }
  auto boxes = world<D>(World::kSparse, 500, 9);
  for (int axis = 0; axis < D; ++axis) {
    boxes[17].lo[axis] = kNan;
    boxes[333].hi[axis] = -kInf;
  }
  ASSERT_TRUE(layer.refit(boxes));
  model.boxes = boxes;
  expect_sound(layer, model);
  boxes[18].lo[0] = kNan;
  const auto refused = layer.refit(boxes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(test::code_of(refused), ErrorCode::kNotFinite);
  EXPECT_EQ(refused.error().index, 18u);
  expect_sound(layer, model);
}

TYPED_TEST(LayerBuild, OneOrderForEveryExecutorAndInstructionSet) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    const auto boxes = world<D>(kind, 20'000, 4), moved = world<D>(kind, 20'000, 5);
    std::vector<std::uint32_t> first, second;
    test::for_each_isa([&](Isa) {
      test::for_each_executor([&](const Executor* executor) {
        auto layer = BasicLayer<D>::build(boxes, {}, {.executor = executor}).value();
        const auto built = test::order_of(layer);
        ASSERT_TRUE(layer.refit(moved, {.executor = executor}));
        if (first.empty()) {
          first = built;
          second = test::order_of(layer);
        }
        ASSERT_EQ(built, first) << test::name(kind);
        ASSERT_EQ(test::order_of(layer), second) << test::name(kind);
      });
    });
  }
}

TYPED_TEST(LayerBuild, RebuildsRefitsAndSearchesWithoutAllocating) {
  constexpr int D = TestFixture::kD;
  test::CountingResource resource;
  Workspace workspace(&resource);
  const auto boxes = world<D>(World::kSparse, 5000, 1), moved = world<D>(World::kSparse, 5000, 2);
  auto layer = BasicLayer<D>::build(boxes, {}, {.workspace = &workspace}, &resource).value();
  std::vector<Pair> pairs(50'000);
  const auto frame = [&] {
    ASSERT_TRUE(layer.rebuild(moved, {}, {.workspace = &workspace}));
    ASSERT_TRUE(layer.refit(boxes, {.workspace = &workspace}));
    ASSERT_TRUE(layer.refit(moved, {.workspace = &workspace}));
    FindPairsOptions sorted;
    sorted.sorted = true;
    ASSERT_LT(find_pairs(layer, pairs, sorted, {.workspace = &workspace})->found, pairs.size());
  };
  frame();
  workspace.reset();
  frame();
  const std::size_t before = resource.calls();
  frame();
  EXPECT_EQ(resource.calls(), before);
}

/// Every body lies in a block, and each block is as small as can be: its sides are sides of bodies.
TYPED_TEST(LayerBuild, BlocksHoldAllBodies) {
  constexpr int D = TestFixture::kD;
  for (const World kind : test::kWorlds) {
    for (const std::size_t n : {0U, 1U, 16U, 17U, 300U}) {
      SCOPED_TRACE(std::string(test::name(kind)) + " " + std::to_string(n));
      const std::vector<Aabb<D>> boxes = world<D>(kind, n, n);
      const auto layer = BasicLayer<D>::build(boxes);
      ASSERT_TRUE(layer) << layer.error().message;
      std::vector<Aabb<D>> blocks(layer->stats().blocks + 1);
      blocks.resize(layer->block_boxes(blocks));
      EXPECT_EQ(blocks.size(), (n + 15) / 16);
      EXPECT_EQ(layer->block_boxes({}), blocks.size());
      const auto holds = [](const Aabb<D>& outer, const Aabb<D>& inner) {
        bool in = true;
        for (int axis = 0; axis < D; ++axis) {
          in = in && outer.lo[axis] <= inner.lo[axis] && inner.hi[axis] <= outer.hi[axis];
        }
        return in;
      };
      for (const Aabb<D>& box : boxes) {
        EXPECT_TRUE(std::ranges::any_of(blocks, [&](const Aabb<D>& block) { return holds(block, box); }));
      }
      for (const Aabb<D>& block : blocks) {
        for (int axis = 0; axis < D; ++axis) {
          EXPECT_TRUE(std::ranges::any_of(boxes, [&](const Aabb<D>& box) {
            return holds(block, box) && box.lo[axis] == block.lo[axis];
          }));
          EXPECT_TRUE(std::ranges::any_of(boxes, [&](const Aabb<D>& box) {
            return holds(block, box) && box.hi[axis] == block.hi[axis];
          }));
        }
      }
    }
  }
}

}  // namespace
}  // namespace juxta
