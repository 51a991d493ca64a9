// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A frame against its three parts, where it does not go through a tile word by word to the end.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "juxta/transform/hierarchy.h"
#include "scenes/draws.h"
#include "support/each_isa.h"
#include "support/executors.h"
#include "support/saved_bytes.h"
#include "transform/draw_transforms.h"
#include "transform/seen.h"

namespace juxta {
namespace {

using test::Seen;

/// Prefabs side by side, stretched in places, some of them gone, with a few nodes hung under their parts,
/// parts that moved to other ships, and a node with very many children.
struct Fleet {
  static constexpr std::uint32_t kParts = 12, kShips = 700;
  Hierarchy hierarchy{{.history = true}};
  std::vector<Id> ids{std::size_t{kShips} * kParts};

  Fleet() {
    scenes::Draws draws(29);
    std::vector<NodeDescription> ship(kParts);
    for (std::uint32_t i = 1; i < kParts; ++i) {
      ship[i] = {.local = {{}, test::draw_vector(draws, 2), 2}, .parent = draws.below(i)};
    }
    ship[3].stretch = {1, 2, 3};
    ship[5].context = 7;
    std::vector<LocalTransform> places(kShips);
    EXPECT_TRUE(hierarchy.instantiate(*Prefab::build(ship), places, ids));
    for (std::uint32_t i = 0; i < 20; ++i) {
      EXPECT_TRUE(hierarchy.remove(ids[std::size_t{i} * 29 * kParts]));
      const Id under = ids[(std::size_t{i} * 31 + 7) * kParts + i % 4 + 1];
      if (hierarchy.alive(under)) {
        EXPECT_TRUE(hierarchy.insert({{}, {1, 0, 0}, 1}, under));
      }
    }
    EXPECT_TRUE(hierarchy.reparent(ids[300 * kParts + 11], ids[400 * kParts]));
    std::vector<NodeDescription> star(2500, NodeDescription{.local = {{}, {0, 0, 1}, 1}, .parent = 0});
    star[0].parent = NodeDescription::kRoot;
    std::vector<Id> stars(star.size());
    EXPECT_TRUE(hierarchy.insert(star, stars));
    EXPECT_TRUE(hierarchy.propagate());
    EXPECT_TRUE(hierarchy.begin_step());
  }
};

/// Two frames of a fleet against their three parts: a node is not written, one is too large for its children.
class FleetFrames {
 public:
  FleetFrames(std::uint32_t kept, std::uint32_t wild, bool many) : kept_(kept), wild_(wild), many_(many) {
    const auto system = [this](LocalLanes& lanes) { return write(lanes); };
    for (int frame = 0; frame < 2; ++frame) {
      versions_.push_back(parts_.hierarchy.version());
      EXPECT_TRUE(parts_.hierarchy.for_each_tile(NodeFields::kPlace, system));
      results_.push_back(*parts_.hierarchy.propagate());
      EXPECT_TRUE(parts_.hierarchy.begin_step());
    }
  }
  [[nodiscard]] std::size_t overflowed() const { return results_[0].overflowed; }

  void expect_the_same(const Executor* executor) const {
    Fleet fleet;
    const auto system = [this](LocalLanes& lanes) { return write(lanes); };
    for (std::size_t frame = 0; frame < 2; ++frame) {
      Seen seen(fleet.hierarchy);
      const auto result = fleet.hierarchy.frame(NodeFields::kPlace, system, seen, {.executor = executor});
      ASSERT_TRUE(result);
      EXPECT_EQ(result->computed, results_[frame].computed);
      EXPECT_EQ(result->tiles, results_[frame].tiles);
      EXPECT_EQ(result->rounds, results_[frame].rounds);
      EXPECT_EQ(result->overflowed, results_[frame].overflowed);
      EXPECT_EQ(result->first_overflowed, results_[frame].first_overflowed);
      seen.expect_changes(fleet.hierarchy, versions_[frame]);
      ASSERT_TRUE(fleet.hierarchy.begin_step());
    }
    EXPECT_TRUE(test::saved_bytes(fleet.hierarchy) == test::saved_bytes(parts_.hierarchy));
  }

 private:
  NodeMask write(LocalLanes& lanes) const {
    NodeMask written = 0;
    for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
      const std::uint32_t slot = lanes.slots()[i];
      lanes.local.y[i] += 1;
      lanes.local.scale[i] = slot == wild_ ? 3e38F : 2;
      written |= NodeMask{slot != kept_ && !(many_ && slot % 3 == 0)} << i;
    }
    return written;
  }

  std::uint32_t kept_, wild_;
  bool many_;
  Fleet parts_;
  std::vector<std::uint64_t> versions_;
  std::vector<PropagateResult> results_;
};

// A frame goes through a tile 64 rows at a time until some are not written, or come to no finite place.
TEST(TransformFrame, StopsAtAnyRow) {
  constexpr std::uint32_t kSlots = Fleet::kShips * Fleet::kParts;
  scenes::Draws draws(31);
  std::size_t overflowed = 0;
  for (int round = 0; round < 6; ++round) {
    const FleetFrames frames(round == 0 ? kSlots * 2 : draws.below(kSlots),
                             round % 2 == 0 ? draws.below(kSlots) : kSlots * 2, round == 5);
    overflowed += frames.overflowed();
    test::for_each_executor([&](const Executor* executor) { frames.expect_the_same(executor); });
    test::for_each_isa([&](Isa) { frames.expect_the_same(nullptr); });
  }
  EXPECT_NE(overflowed, 0U);
}

}  // namespace
}  // namespace juxta
