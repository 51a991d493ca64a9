// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Both contenders of bench_sector's stages against brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/sector/inputs.h"
#include "bench/sector/ways.h"
#include "scenes/draws.h"

namespace juxta::bench {
namespace {

using scenes::Draws;

Aabb3 box_at(Draws& draws, const Aabb3& world, float edge) {
  Aabb3 box{};
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = draws.uniform(world.lo[axis], world.hi[axis] - edge);
    box.hi[axis] = box.lo[axis] + draws.uniform(0, edge);
  }
  return box;
}

std::vector<Aabb3> boxes_in(Draws& draws, const Aabb3& world, std::size_t count, float edge) {
  std::vector<Aabb3> boxes(count);
  std::generate(boxes.begin(), boxes.end(), [&] { return box_at(draws, world, edge); });
  return boxes;
}

StageScene scene_with(Draws& draws) {
  StageScene scene{{{-50, -40, -10}, {50, 40, 10}}, 12, 5, {}, {}};
  scene.asteroids = boxes_in(draws, scene.world, 20, 15);
  return scene;
}

bool touch(const Aabb3& a, const Aabb3& b) {
  bool both = true;
  for (int axis = 0; axis < 3; ++axis) {
    both = both && a.lo[axis] <= b.hi[axis] && b.lo[axis] <= a.hi[axis];
  }
  return both;
}

bool touches_one(const Aabb3& box, const std::vector<Aabb3>& others) {
  return std::ranges::any_of(others, [&](const Aabb3& other) { return touch(box, other); });
}

constexpr std::array<Buckets, 5> kBuckets = {{{1, 1, false, false},
                                              {4, 2, false, true},
                                              {8, 3, true, false},
                                              {3, 1, true, true},
                                              {16, 8, false, false}}};

// --- Spawn ---

std::vector<std::uint8_t> brute_safe(const StageScene& scene, const SpawnInput& input) {
  std::vector<std::uint8_t> safe(input.points.size());
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const auto meets = std::ranges::count_if(
        input.points, [&](const Aabb3& other) { return touch(input.points[i], other); });
    safe[i] = input.resting[i] == 0 && meets == 1 && !touches_one(input.points[i], input.obstacles) &&
                      !touches_one(input.points[i], scene.asteroids)
                  ? 1
                  : 0;
  }
  return safe;
}

TEST(SectorStages, SafePointsAreThoseOfBruteForce) {
  Draws draws(1);
  const StageScene scene = scene_with(draws);
  std::vector<std::unique_ptr<SpawnWay>> ways;
  ways.push_back(juxta_spawn(scene, nullptr));
  for (const Buckets& buckets : kBuckets) {
    ways.push_back(classic_spawn(scene, buckets));
  }
  std::size_t safe_ones = 0;
  for (const std::size_t count : {200U, 0U, 300U, 1U}) {
    SpawnInput input;
    input.points = boxes_in(draws, scene.world, count, 8);
    input.obstacles = boxes_in(draws, scene.world, 2 * count, 4);
    input.resting.resize(count);
    std::ranges::generate(input.resting, [&] { return static_cast<std::uint8_t>(draws.below(4) == 0); });
    const auto expected = brute_safe(scene, input);
    safe_ones += static_cast<std::size_t>(std::ranges::count(expected, 1));
    for (const auto& way : ways) {
      std::vector<std::uint8_t> safe(count, 7);
      way->frame(input, safe);
      EXPECT_EQ(safe, expected) << count;
    }
  }
  EXPECT_GT(safe_ones, 20U);
}

// --- Hit ---

std::array<std::vector<Pair>, 4> brute_meetings(const StageScene& scene, const HitInput& input) {
  std::array<std::vector<Pair>, 4> pairs;
  const auto meet = [&](Meeting what, const std::vector<Aabb3>& a, const std::vector<Aabb3>& b,
                        const std::function<bool(std::uint32_t, std::uint32_t)>& wanted) {
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        if (wanted(i, j) && touch(a[i], b[j])) {
          pairs[what].push_back({i, j});
        }
      }
    }
  };
  const auto all = [](std::uint32_t, std::uint32_t) { return true; };
  meet(kBulletShip, input.bullets, input.ships, [&](std::uint32_t bullet, std::uint32_t ship) {
    return input.bullet_filters[bullet].meets(input.ship_filters[ship]);
  });
  meet(kShipShip, input.ships, input.ships, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  meet(kBulletAsteroid, input.bullets, scene.asteroids, all);
  meet(kShipAsteroid, input.ships, scene.asteroids, all);
  return pairs;
}

TEST(SectorStages, MeetingsAreThoseOfBruteForce) {
  Draws draws(2);
  const StageScene scene = scene_with(draws);
  std::vector<std::unique_ptr<HitWay>> ways;
  ways.push_back(juxta_hit(scene, nullptr));
  for (const Buckets& buckets : kBuckets) {
    ways.push_back(classic_hit(scene, buckets));
  }
  Meetings met;
  for (const std::size_t count : {300U, 0U, 500U, 1U}) {
    HitInput input;
    input.ships = boxes_in(draws, scene.world, count, 6);
    input.bullets = boxes_in(draws, scene.world, count + count / 2, 3);
    for (std::size_t i = 0; i < input.ships.size(); ++i) {
      input.ship_filters.push_back({1U << draws.below(3), ~0U});
    }
    for (std::size_t i = 0; i < input.bullets.size(); ++i) {
      const std::uint32_t own = 1U << draws.below(3);
      input.bullet_filters.push_back({own, ~own});
    }
    const auto expected = brute_meetings(scene, input);
    for (const auto& way : ways) {
      way->frame(input, met);
      for (std::size_t what = 0; what < met.size(); ++what) {
        std::vector<Pair> pairs(met[what].pairs().begin(), met[what].pairs().end());
        std::ranges::sort(pairs);
        EXPECT_EQ(pairs, expected[what]) << count << " of meeting " << what;
      }
    }
    EXPECT_TRUE(count < 300 || std::ranges::none_of(expected, [](const auto& list) { return list.empty(); }));
  }
}

// --- Steer ---

SteerInput ships_in(Draws& draws, const Aabb3& world, std::size_t count) {
  SteerInput input;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    input.position[axis].resize(count);
    input.velocity[axis].resize(count);
    std::ranges::generate(input.position[axis],
                          [&] { return draws.uniform(world.lo[axis], world.hi[axis]); });
    std::ranges::generate(input.velocity[axis], [&] { return draws.uniform(-60, 60); });
  }
  input.faction.resize(count);
  input.threat.resize(count);
  std::ranges::generate(input.faction, [&] { return static_cast<float>(draws.below(3)); });
  std::ranges::generate(input.threat, [&] { return draws.uniform(0.1F, 9); });
  return input;
}

// Who is near is decided in floats, as the rules say; sums are in double. The last is how large the terms of
// the sum were.
struct Total {
  double sum = 0, size = 0;
  void add(double value) {
    sum += value;
    size += std::abs(value);
  }
};
using Totals = std::array<Total, 15>;

Totals brute_totals(const StageScene& scene, const SteerInput& in, std::size_t i) {
  Totals t;
  for (std::size_t j = 0; j < in.faction.size(); ++j) {
    Vec3 d{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      d[axis] = in.position[axis][j] - in.position[axis][i];
    }
    const float distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (i == j || distance2 > scene.sight * scene.sight) {
      continue;
    }
    const bool own = in.faction[i] == in.faction[j];
    if (own) {
      t[0].add(1);
    }
    t[own ? 10 : 11].add(in.threat[j]);
    const double distance = std::max(std::sqrt(static_cast<double>(distance2)), 1e-6);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (own) {
        t[1 + axis].add(in.velocity[axis][j]);
        t[4 + axis].add(d[axis]);
      } else {
        t[12 + axis].add(static_cast<double>(d[axis]) * in.threat[j]);
      }
      if (distance < scene.room) {
        t[7 + axis].add(-d[axis] * (scene.room - distance) / distance);
      }
    }
  }
  return t;
}

TEST(SectorStages, TotalsAreThoseOfBruteForce) {
  Draws draws(3);
  const StageScene scene = scene_with(draws);
  std::vector<std::unique_ptr<SteerWay>> ways;
  ways.push_back(juxta_steer(scene, nullptr));
  for (const float edge : {1.0F, 0.5F, 0.3F, 20.0F}) {
    for (const bool skip : {false, true}) {
      ways.push_back(classic_steer(scene, {edge, skip}));
    }
  }
  for (const std::size_t count : {400U, 0U, 600U, 1U, 50U}) {
    const SteerInput input = ships_in(draws, scene.world, count);
    std::vector<Totals> expected;
    for (std::size_t i = 0; i < count; ++i) {
      expected.push_back(brute_totals(scene, input, i));
    }
    for (std::size_t way = 0; way < ways.size(); ++way) {
      ways[way]->load(input);
      ways[way]->frame();
      SteerTotals totals;
      ways[way]->read(totals);
      for (std::size_t what = 0; what < totals.size(); ++what) {
        ASSERT_EQ(totals[what].size(), count);
        for (std::size_t i = 0; i < count; ++i) {
          // The classic takes the ship itself out of the sum again: as large as a speed.
          const Total& right = expected[i][what];
          ASSERT_NEAR(totals[what][i], right.sum, 1e-5 * (right.size + 60))
              << "total " << what << " of ship " << i << " of " << count << ", way " << way;
        }
      }
    }
  }
}

// --- Move ---

LocalTransform place(Draws& draws) {
  LocalTransform local;
  const Quat q{draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(-1, 1), draws.uniform(0.5F, 1)};
  local.rotation = normalized(q);
  local.position.x = draws.uniform(-50, 50);
  local.position.y = draws.uniform(-50, 50);
  local.position.z = draws.uniform(-50, 50);
  return local;
}

Forest forest_with(Draws& draws) {
  Forest forest;
  for (const std::size_t nodes : {1U, 5U, 12U}) {
    std::vector<NodeDescription> prefab(nodes);
    for (std::uint32_t i = 1; i < nodes; ++i) {
      prefab[i].local = place(draws);
      prefab[i].parent = draws.below(i);
    }
    forest.prefabs.push_back(prefab);
  }
  for (const auto& [prefab, count] : {std::pair(2U, 40U), {0U, 30U}, {1U, 1U}, {2U, 7U}, {1U, 150U}}) {
    forest.batches.push_back({prefab, {}});
    std::generate_n(std::back_inserter(forest.batches.back().roots), count, [&] { return place(draws); });
  }
  return forest;
}

// Every node by itself: its local transform, and its parent's number.
struct PlainForest {
  PlainForest(const Forest& forest) : prefabs(forest.prefabs) { grow(forest.batches); }

  void grow(const std::vector<Forest::Batch>& batches) {
    for (const Forest::Batch& batch : batches) {
      for (const LocalTransform& root : batch.roots) {
        const auto first = static_cast<std::uint32_t>(locals.size());
        for (const NodeDescription& node : prefabs[batch.prefab]) {
          const bool is_root = node.parent == NodeDescription::kRoot;
          locals.push_back(is_root ? root : node.local);
          parents.push_back(is_root ? NodeDescription::kRoot : first + node.parent);
        }
        instances.push_back({first, static_cast<std::uint32_t>(prefabs[batch.prefab].size())});
      }
    }
  }
  [[nodiscard]] Qvvs world(std::uint32_t node) const {
    const Qvvs above = parents[node] == NodeDescription::kRoot ? Qvvs{} : world(parents[node]);
    return mul(above, locals[node]);
  }
  std::vector<std::vector<NodeDescription>> prefabs;
  std::vector<LocalTransform> locals;
  std::vector<std::uint32_t> parents;
  std::vector<NodeRange> instances;  // alive
};

// One tick of births, deaths and moves.
MoveInput changed(Draws& draws, PlainForest& plain) {
  MoveInput input;
  for (int i = 0; i < 10; ++i) {
    const std::uint32_t died = draws.below(static_cast<std::uint32_t>(plain.instances.size()));
    input.died.push_back(plain.instances[died]);
    plain.instances.erase(plain.instances.begin() + died);
  }
  for (const std::uint32_t prefab : {1U, 2U}) {
    input.born.push_back({prefab, {}});
    std::generate_n(std::back_inserter(input.born.back().roots), 6, [&] { return place(draws); });
  }
  plain.grow(input.born);
  for (const NodeRange& instance : plain.instances) {
    for (std::uint32_t node = instance.first; node < instance.first + instance.count; ++node) {
      if (draws.below(3) == 0) {
        plain.locals[node] = place(draws);
        input.nodes.push_back(node);
        input.locals.push_back(plain.locals[node]);
      }
    }
  }
  return input;
}

void expect_near(const Qvvs& got, const Qvvs& right, std::uint32_t node) {
  ASSERT_NEAR(got.position.x, right.position.x, 1e-3) << node;
  ASSERT_NEAR(got.position.y, right.position.y, 1e-3) << node;
  ASSERT_NEAR(got.position.z, right.position.z, 1e-3) << node;
  const double turned = static_cast<double>(got.rotation.x) * right.rotation.x +
                        got.rotation.y * right.rotation.y + got.rotation.z * right.rotation.z +
                        got.rotation.w * right.rotation.w;
  ASSERT_NEAR(std::abs(turned), 1, 1e-4) << node;
}

TEST(SectorStages, NodesStandWhereTheirTreesPutThem) {
  Draws draws(4);
  StageScene scene = scene_with(draws);
  scene.forest = forest_with(draws);
  PlainForest plain(scene.forest);
  ASSERT_EQ(scene.forest.nodes(), plain.locals.size());
  std::vector<std::unique_ptr<MoveWay>> ways;
  ways.push_back(juxta_move(scene, nullptr));
  ways.push_back(classic_move(scene, ClassicSystem::kDepthFirst));
  ways.push_back(classic_move(scene, ClassicSystem::kDepthLevels));
  for (int frame = 0; frame < 5; ++frame) {
    const MoveInput input = frame == 0 ? MoveInput{} : changed(draws, plain);
    for (const auto& way : ways) {
      way->load(input);
      way->frame(input);
      for (const NodeRange& instance : plain.instances) {
        for (std::uint32_t node = instance.first; node < instance.first + instance.count; ++node) {
          ASSERT_NO_FATAL_FAILURE(expect_near(way->world(node), plain.world(node), node));
        }
      }
    }
  }
}

}  // namespace
}  // namespace juxta::bench
