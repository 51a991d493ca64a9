// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The exclusive schedule: visitors write to both bodies without locks. Flags show that no two calls at once
// hold the same body, the thread sanitizer that none need to, and sums and lists that each body sees its
// pairs in one order.
#include <gtest/gtest.h>

#include <atomic>

#include "layer/compare_pairs.h"
#include "layer/model.h"
#include "layer/world_test.h"
#include "scenes/boxes.h"
#include "support/each_isa.h"
#include "support/executors.h"

namespace juxta {
namespace {

using test::PairSearch;
using test::World;

template <class T>
class LayerExclusive : public test::InEveryDimension<T> {};
TYPED_TEST_SUITE(LayerExclusive, test::Dimensions, test::DimensionNames);

/// Who holds a body now: calls take the flags of their bodies, and find them free.
class Holds {
 public:
  explicit Holds(std::size_t bodies) : held_(bodies) {}

  /// The bodies that this call did not hold yet are taken; false: someone else has one.
  bool take(std::uint32_t body, std::vector<std::uint32_t>& mine, std::uint32_t call) {
    const std::uint32_t before = held_[body].exchange(call);
    if (before == 0) {
      mine.push_back(body);
    }
    return before == 0 || before == call;
  }
  void free(const std::vector<std::uint32_t>& mine) {
    for (const std::uint32_t body : mine) {
      held_[body] = 0;
    }
  }

 private:
  std::vector<std::atomic<std::uint32_t>> held_;
};

/// Runs the schedule; returns how many calls met a body that another one held. `first_alone`: of the first
/// layer, and by the schedule that looks after those alone.
template <int D>
std::size_t collisions(const BasicLayer<D>& a, const BasicLayer<D>* b, const Executor* executor,
                       std::size_t& calls, bool first_alone = false) {
  Holds of_a(a.capacity()), of_b(b == nullptr ? 0 : b->capacity());
  Holds& second = b == nullptr ? of_a : of_b;
  std::atomic<std::uint32_t> call{0};
  std::atomic<std::size_t> met{0};
  std::atomic<unsigned> noise{0};
  const auto visit = [&](std::span<const Pair> pairs) {
    const std::uint32_t me = ++call;
    std::vector<std::uint32_t> mine_a, mine_b;
    bool alone = true;
    for (const Pair pair : pairs) {
      alone = of_a.take(pair.a, mine_a, me) && alone;
      alone = (first_alone || second.take(pair.b, b == nullptr ? mine_a : mine_b, me)) && alone;
    }
    for (int wait = 0; wait < 2000; ++wait) {
      noise.fetch_add(1, std::memory_order_relaxed);  // time for others to come in
    }
    met += !alone;
    of_a.free(mine_a);
    second.free(mine_b);
  };
  const PairSearch<D> search(a, b, {}, executor);
  (void)(first_alone ? search.visit_by_first(visit) : search.visit_exclusive(visit));
  calls = call;
  return met;
}

TYPED_TEST(LayerExclusive, NoTwoCallsHoldOneBody) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(6);
  const auto a = BasicLayer<D>::build(test::make_world<D>(draws, World::kSparse, 20'000)).value();
  const auto b = BasicLayer<D>::build(test::make_world<D>(draws, World::kSparse, 9000)).value();
  const auto dense = BasicLayer<D>::build(test::make_world<D>(draws, World::kDense, 1500)).value();
  test::for_each_executor([&](const Executor* executor) {
    std::size_t calls = 0;
    EXPECT_EQ(collisions<D>(a, nullptr, executor, calls), 0u);
    EXPECT_GT(calls, 8u);  // there is something to run side by side
    EXPECT_EQ(collisions<D>(a, &b, executor, calls), 0u);
    EXPECT_GT(calls, 8u);
    EXPECT_EQ(collisions<D>(b, &a, executor, calls), 0u);
    EXPECT_EQ(collisions<D>(dense, nullptr, executor, calls), 0u);
    EXPECT_EQ(collisions<D>(dense, &b, executor, calls), 0u);
    for (const auto* other : {&b, &dense}) {
      EXPECT_EQ(collisions<D>(a, other, executor, calls, true), 0u);
      EXPECT_GT(calls, 4u);
    }
    EXPECT_EQ(collisions<D>(dense, &a, executor, calls, true), 0u);
  });
}

/// What each body of the first and of the second layer saw, in its order.
struct Seen {
  std::vector<std::vector<std::uint32_t>> by_a, by_b;
  std::vector<float> sums;  // an addition that rounds, so that another order gives other bits
  friend bool operator==(const Seen&, const Seen&) = default;
};

template <int D>
Seen see(const BasicLayer<D>& a, const BasicLayer<D>* b, const Executor* executor) {
  Seen seen;
  seen.by_a.resize(a.capacity());
  seen.by_b.resize(b == nullptr ? 0 : b->capacity());
  seen.sums.assign(a.capacity(), 1.0F);
  PairSearch<D>(a, b, {}, executor).visit_exclusive([&](std::span<const Pair> pairs) {
    for (const Pair pair : pairs) {  // plain writes to both
      seen.by_a[pair.a].push_back(pair.b);
      (b == nullptr ? seen.by_a : seen.by_b)[pair.b].push_back(pair.a);
      seen.sums[pair.a] = seen.sums[pair.a] * 1.0001F + static_cast<float>(pair.b);
      if (b == nullptr) {
        seen.sums[pair.b] = seen.sums[pair.b] * 1.0001F + static_cast<float>(pair.a);
      }
    }
  });
  return seen;
}

TYPED_TEST(LayerExclusive, EachBodySeesItsPairsInOneOrder) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(7);
  for (const World kind : {World::kSparse, World::kDense, World::kSizes}) {
    const std::size_t n = kind == World::kDense ? 700 : 5000;
    const auto boxes = test::make_world<D>(draws, kind, n), others = test::make_world<D>(draws, kind, n / 2);
    const auto a = BasicLayer<D>::build(boxes).value(), b = BasicLayer<D>::build(others).value();
    Seen self, both;
    test::for_each_isa([&](Isa) {
      test::for_each_executor([&](const Executor* executor) {
        Seen of_one = see<D>(a, nullptr, executor), of_two = see<D>(a, &b, executor);
        if (self.sums.empty()) {
          self = std::move(of_one);
          both = std::move(of_two);
          return;
        }
        EXPECT_TRUE(of_one == self) << test::name(kind);
        EXPECT_TRUE(of_two == both) << test::name(kind);
      });
    });
    for (unsigned threads = 1; threads <= 8; ++threads) {
      const test::ThreadsExecutor executor(threads);
      EXPECT_TRUE(see<D>(a, nullptr, &executor) == self) << test::name(kind) << " " << threads;
      EXPECT_TRUE(see<D>(a, &b, &executor) == both) << test::name(kind) << " " << threads;
    }
  }
}

/// Visitors that write to the first body alone: one order for each of them, whatever runs beside it.
TYPED_TEST(LayerExclusive, EachBodyOfTheFirstSeesItsPairsInOneOrder) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(17);
  for (const World kind : {World::kSparse, World::kDense, World::kSizes}) {
    const auto boxes = test::make_world<D>(draws, kind, kind == World::kDense ? 700 : 5000);
    const auto a = BasicLayer<D>::build(boxes).value(),
               b = BasicLayer<D>::build(test::make_world<D>(draws, kind, 40)).value();
    const auto seen_by = [&](const Executor* executor) {
      std::vector<std::vector<std::uint32_t>> seen(a.capacity());
      PairSearch<D>(a, &b, {}, executor).visit_by_first([&](std::span<const Pair> pairs) {
        for (const Pair pair : pairs) {  // plain writes
          seen[pair.a].push_back(pair.b);
        }
      });
      return seen;
    };
    const auto alone = seen_by(nullptr);
    test::for_each_isa([&](Isa) {
      test::for_each_executor(
          [&](const Executor* executor) { EXPECT_TRUE(seen_by(executor) == alone) << test::name(kind); });
    });
    for (unsigned threads = 1; threads <= 8; ++threads) {
      const test::ThreadsExecutor executor(threads);
      EXPECT_TRUE(seen_by(&executor) == alone) << test::name(kind) << " " << threads;
    }
  }
}

TYPED_TEST(LayerExclusive, VisitsEveryPairOnceOnThreads) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(8);
  for (const World kind : test::kWorlds) {
    const auto boxes = test::make_world<D>(draws, kind, 1200);
    const auto layer = BasicLayer<D>::build(boxes).value();
    const auto expected = layer_detail::pairs_reference<D>({boxes});
    const test::ThreadsExecutor executor(4);
    const Seen seen = see<D>(layer, nullptr, &executor);
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < seen.by_a.size(); ++a) {
      for (const std::uint32_t b : seen.by_a[a]) {
        if (a < b) {
          pairs.push_back({a, b});
        }
      }
    }
    EXPECT_EQ(test::ascending(std::move(pairs)), expected) << test::name(kind);
  }
}

TYPED_TEST(LayerExclusive, OfChosenBodiesAndFilters) {
  constexpr int D = TestFixture::kD;
  scenes::Draws draws(9);
  const auto boxes = test::make_world<D>(draws, World::kSparse, 6000);
  const auto filters = test::draw_filters(draws, 6000);
  const auto only = test::draw_bytes(draws, 6000, 3);
  LayerOptions build;
  build.filters = filters;
  const auto layer = BasicLayer<D>::build(boxes, build).value();
  const auto expected = layer_detail::pairs_reference<D>({boxes, filters}, only);
  test::for_each_executor([&](const Executor* executor) {
    std::vector<std::vector<std::uint32_t>> partners(6000);
    const auto result = PairSearch<D>(layer, nullptr, {.only = only}, executor)
                            .visit_exclusive([&](std::span<const Pair> pairs) {
                              for (const Pair pair : pairs) {
                                partners[pair.a].push_back(pair.b);
                              }
                            });
    EXPECT_EQ(result.found, expected.size());
    std::vector<Pair> pairs;
    for (std::uint32_t a = 0; a < partners.size(); ++a) {
      for (const std::uint32_t b : partners[a]) {
        pairs.push_back({a, b});
      }
    }
    EXPECT_EQ(test::ascending(std::move(pairs)), expected);
  });
}

/// What a game does: bodies that push each other apart, on threads, with the bits of one thread.
TEST(LayerExclusiveUse, PushingApartGivesTheSameBitsOnThreads) {
  const auto simulate = [](const Executor* executor) {
    scenes::BoxWorld world = scenes::make_boxes(scenes::BoxSet::kClustered, 5000, 3);
    auto layer = Layer::build(world.boxes).value();
    Workspace workspace;
    const auto push = [&](std::span<const Pair> pairs) {
      for (const Pair pair : pairs) {
        Aabb3 &a = world.boxes[pair.a], &b = world.boxes[pair.b];
        const float depth = std::min(a.hi[0], b.hi[0]) - std::max(a.lo[0], b.lo[0]);
        const float by = depth * 0.1F * (a.lo[0] < b.lo[0] ? 1.0F : -1.0F);
        a.lo[0] -= by;
        a.hi[0] -= by;
        b.lo[0] += by;
        b.hi[0] += by;
      }
    };
    for (int frame = 0; frame < 10; ++frame) {
      EXPECT_TRUE(visit_pairs_exclusive(layer, push, {}, {.executor = executor, .workspace = &workspace}));
      EXPECT_TRUE(layer.refit(world.boxes, {.executor = executor}));
    }
    return world.boxes;
  };
  const auto alone = simulate(nullptr);
  test::for_each_executor([&](const Executor* executor) { EXPECT_TRUE(simulate(executor) == alone); });
}

}  // namespace
}  // namespace juxta
