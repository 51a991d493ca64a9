// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// However a hierarchy was built, and however deep it is: no call costs out of proportion, and no frame pays
// for what was built before it.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "transform/model.h"

namespace juxta {
namespace {

using scenes::Draws;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// parents[i] stands before i; kNone: a root.
using Parents = std::vector<std::uint32_t>;

Parents ropes(std::uint32_t count, std::uint32_t length, bool by_turns) {
  Parents parents(count * length);
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    parents[i] = by_turns ? (i < count ? kNone : i - count) : (i % length == 0 ? kNone : i - 1);
  }
  return parents;
}

Parents random_trees(std::uint32_t roots, std::uint32_t nodes) {
  Draws draws(3);
  Parents parents(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    parents[i] = i < roots ? kNone : draws.below(i);
  }
  return parents;
}

LocalTransform some_local(std::uint32_t i) {
  return {{0.02F, 0.01F, 0, 1}, {1, static_cast<float>(i % 7), 0}, 1};
}

enum class Order : std::uint8_t { kDown, kUp, kShuffled };

std::vector<std::uint32_t> in_order(Order order, std::uint32_t count) {
  std::vector<std::uint32_t> all(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    all[i] = order == Order::kUp ? count - 1 - i : i;
  }
  Draws draws(5);
  for (std::uint32_t i = count; order == Order::kShuffled && i > 1; --i) {
    std::swap(all[i - 1], all[draws.below(i)]);
  }
  return all;
}

std::vector<Id> create_one_by_one(Hierarchy& hierarchy, const Parents& parents) {
  std::vector<Id> ids;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    ids.push_back(hierarchy.insert(some_local(i), parents[i] == kNone ? Id{} : ids[parents[i]]).value());
  }
  return ids;
}

std::vector<Id> hang_one_by_one(Hierarchy& hierarchy, const Parents& parents, Order order, Keep keep) {
  std::vector<Id> ids = create_one_by_one(hierarchy, Parents(parents.size(), kNone));
  for (const std::uint32_t i : in_order(order, static_cast<std::uint32_t>(parents.size()))) {
    if (parents[i] != kNone) {
      EXPECT_TRUE(hierarchy.reparent(ids[i], ids[parents[i]], keep));
    }
  }
  return ids;
}

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}
template <class Body>
double least_seconds(Body&& body) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = processor_seconds();
    body();
    least = std::min(least, processor_seconds() - begin);
  }
  return least;
}

std::vector<Id> order_of(const Hierarchy& hierarchy) {
  std::vector<Id> order;
  hierarchy.for_each([&](Id id) { order.push_back(id); });
  return order;
}

/// Frames compute; they move no node. What building moved is bounded by what it did.
void expect_frames_without_layout(Hierarchy& hierarchy, const Parents& parents, const std::vector<Id>& ids) {
  for (int frame = 0; frame < 4; ++frame) {
    for (std::uint32_t i = 0; i < parents.size(); ++i) {
      if (parents[i] == kNone) {
        ASSERT_TRUE(hierarchy.set_position(ids[i], {static_cast<float>(frame), 0, 0}));
      }
    }
    const std::vector<Id> before = order_of(hierarchy);
    const auto done = hierarchy.propagate();
    ASSERT_TRUE(done);
    EXPECT_EQ(done->computed, ids.size());
    EXPECT_LE(done->moved_nodes, frame == 0 ? 14 * ids.size() : 0);
    EXPECT_EQ(order_of(hierarchy), before);
  }
}

TEST(TransformCliffs, FramesDoNotPayForBuilding) {
  const Parents shapes[] = {ropes(20, 1000, false), ropes(20, 1000, true), random_trees(200, 20'000),
                            Parents(ropes(1, 20'000, false)), ropes(5000, 4, true)};
  for (const Parents& parents : shapes) {
    SCOPED_TRACE(&parents - shapes);
    Hierarchy single;
    const auto ids = create_one_by_one(single, parents);
    expect_frames_without_layout(single, parents, ids);
    for (const Order order : {Order::kDown, Order::kUp, Order::kShuffled}) {
      Hierarchy hung;
      const auto hung_ids = hang_one_by_one(hung, parents, order, Keep::kLocal);
      expect_frames_without_layout(hung, parents, hung_ids);
      for (std::size_t i = 0; i < ids.size(); i += 17) {  // the same worlds, however it was built
        ASSERT_TRUE(test::same_bits(*hung.world(hung_ids[i]), *single.world(ids[i]))) << i;
      }
    }
  }
}

TEST(TransformCliffs, BreadthFirstAndDownARopeNodesStandBesideTheirParents) {
  Hierarchy rope, level;
  create_one_by_one(rope, ropes(10, 1000, false));
  create_one_by_one(level, ropes(100, 100, true));
  EXPECT_LE(rope.stats().links, 10u);
  EXPECT_LE(level.stats().links, 1000u);
}

TEST(TransformCliffs, AChainIsHungTogetherInLinearTime) {
  for (const Order order : {Order::kDown, Order::kUp, Order::kShuffled}) {
    for (const Keep keep : {Keep::kLocal, Keep::kWorld}) {
      const auto seconds = [&](std::uint32_t length) {
        return least_seconds([&] {
          Hierarchy hierarchy;
          hang_one_by_one(hierarchy, ropes(1, length, false), order, keep);
        });
      };
      EXPECT_LT(seconds(16'000), 30 * seconds(2000) + 0.01)
          << "order " << static_cast<int>(order) << ", keep " << static_cast<int>(keep);
    }
  }
}

TEST(TransformCliffs, AWorldTransformCostsItsDepth) {
  const auto seconds = [&](std::uint32_t length) {
    Hierarchy hierarchy;
    const auto ids = create_one_by_one(hierarchy, ropes(1, length, false));
    EXPECT_TRUE(hierarchy.propagate());
    EXPECT_TRUE(hierarchy.set_position(ids[0], {5, 0, 0}));
    Qvvs read;
    const double least = least_seconds([&] { read = *hierarchy.world(ids.back()); });
    EXPECT_TRUE(hierarchy.propagate());
    EXPECT_TRUE(test::same_bits(read, *hierarchy.world(ids.back())));
    return least;
  };
  EXPECT_LT(seconds(160'000), 40 * seconds(20'000) + 0.001);
}

TEST(TransformCliffs, DepthsBeyondOnePieceOfThePath) {
  for (const std::uint32_t length : {1023U, 1024U, 1025U, 2047U, 2048U, 2049U, 5000U}) {
    Hierarchy hierarchy;
    const auto ids = create_one_by_one(hierarchy, ropes(1, length, false));
    std::vector<Qvvs> read(ids.size()), stored(ids.size());
    ASSERT_TRUE(hierarchy.world(ids[length - 1]));
    for (std::size_t i = 0; i < ids.size(); i += 97) {
      read[i] = *hierarchy.world(ids[i]);
    }
    read.back() = *hierarchy.world(ids.back());
    ASSERT_TRUE(hierarchy.propagate());
    ASSERT_TRUE(hierarchy.world(ids, stored));
    for (std::size_t i = 0; i < ids.size(); i += 97) {
      ASSERT_TRUE(test::same_bits(read[i], stored[i])) << length << " " << i;
    }
    ASSERT_TRUE(test::same_bits(read.back(), stored.back())) << length;
  }
}

}  // namespace
}  // namespace juxta
