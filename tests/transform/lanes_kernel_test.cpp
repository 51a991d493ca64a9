// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Rows into lanes and back against the plain twins, bit for bit, on every instruction set.
#include "transform/lanes_kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "scenes/draws.h"
#include "support/each_isa.h"
#include "transform/access.h"
#include "transform/draw_transforms.h"
#include "transform/store.h"

namespace juxta::transform_detail {
namespace {

constexpr NodeFields kEach[] = {NodeFields::kRotation, NodeFields::kPlace, NodeFields::kAll};

using Rows = std::array<LocalTransform, kNodeLanes>;

Rows draw_rows(scenes::Draws& draws) {
  Rows rows;
  for (LocalTransform& row : rows) {
    const Qvvs drawn = test::draw_transform(draws);
    row = {drawn.rotation, drawn.position, drawn.scale};
  }
  return rows;
}

template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(TransformLanesKernel, RowsIntoLanesAndBack) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(3);
    for (int round = 0; round < 50; ++round) {
      const Rows rows = draw_rows(draws);
      for (const NodeFields fields : kEach) {
        TransformLanes lanes, plain;
        load_transforms(rows.data(), fields, lanes);
        load_transforms_reference(rows.data(), fields, plain);
        ASSERT_TRUE(same(lanes, plain));
        const Rows before = draw_rows(draws);
        Rows back = before, expected = before;
        store_transforms(lanes, fields, back.data());
        store_transforms_reference(lanes, fields, expected.data());
        ASSERT_TRUE(same(back, expected));
        for (std::size_t i = 0; i < kNodeLanes; ++i) {  // and not by two equal mistakes
          const bool rotation = fields != NodeFields::kPlace, place = fields != NodeFields::kRotation;
          ASSERT_EQ(back[i].rotation, rotation ? rows[i].rotation : before[i].rotation);
          ASSERT_EQ(back[i].position, place ? rows[i].position : before[i].position);
          ASSERT_EQ(back[i].scale, place ? rows[i].scale : before[i].scale);
        }
      }
    }
  });
}

TEST(TransformLanesKernel, GroupsIntoLanesAndBack) {
  test::for_each_isa([](Isa) {
    scenes::Draws draws(6);
    const auto draw_groups = [&](GroupTransforms* groups) {
      const Rows rows = draw_rows(draws);
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        groups[i / kGroupRows].put(i % kGroupRows, rows[i]);
      }
      return rows;
    };
    for (const NodeFields fields : kEach) {
      GroupTransforms groups[2], others[2], expected[2];
      const Rows rows = draw_groups(groups);
      const Rows before = draw_groups(others);
      TransformLanes lanes, plain;
      load_groups(groups, fields, lanes);
      load_groups_reference(groups, fields, plain);
      ASSERT_TRUE(same(lanes, plain));
      std::memcpy(expected, others, sizeof expected);
      store_groups(lanes, fields, others);
      store_groups_reference(lanes, fields, expected);
      ASSERT_EQ(std::memcmp(others, expected, sizeof expected), 0);
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        const LocalTransform got = others[i / kGroupRows].get(i % kGroupRows);
        ASSERT_EQ(got.rotation, fields != NodeFields::kPlace ? rows[i].rotation : before[i].rotation);
        ASSERT_EQ(got.position, fields != NodeFields::kRotation ? rows[i].position : before[i].position);
        ASSERT_EQ(got.scale, fields != NodeFields::kRotation ? rows[i].scale : before[i].scale);
      }
    }
  });
}

TEST(TransformLanesKernel, LanesThatTheStoreDoesNotKeep) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity(),
                  kMost = std::numeric_limits<float>::max(),
                  kLeast = std::numeric_limits<float>::denorm_min();
  constexpr float kNumbers[] = {kNan, kInfinity, -kInfinity, kMost,    -kMost, kLeast,
                                0.0F, -0.0F,     -1,         1.00001F, 2};
  test::for_each_isa([&](Isa) {
    scenes::Draws draws(4);
    NodeMask ever = 0, never = 0;
    for (int round = 0; round < 3000; ++round) {
      Rows rows = draw_rows(draws);
      for (std::uint32_t k = draws.below(6); k > 0; --k) {
        float* const floats = &rows[draws.below(kNodeLanes)].rotation.x;
        floats[draws.below(8)] = kNumbers[draws.below(std::size(kNumbers))];
      }
      TransformLanes lanes;
      load_transforms(rows.data(), NodeFields::kAll, lanes);
      const NodeMask unfit = unfit_lanes(lanes);
      ASSERT_EQ(unfit, unfit_lanes_reference(lanes));
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        ASSERT_EQ(unfit >> i & 1, kept_as_it_is(rows[i]) ? 0u : 1u);
      }
      ever |= unfit;
      never |= ~unfit & kAllNodes;
    }
    EXPECT_EQ(ever, kAllNodes);
    EXPECT_EQ(never, kAllNodes);
  });
}

TEST(TransformLanesKernel, MatricesBySlot) {
  Hierarchy hierarchy;
  test::for_each_isa([&](Isa) {
    scenes::Draws draws(5);
    for (int round = 0; round < 300; ++round) {
      std::array<Qvvs, kNodeLanes> nodes;
      Rows rows;
      std::array<Cold, kNodeLanes> cold;
      std::array<std::uint32_t, kNodeLanes> slots;
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        nodes[i] = test::draw_transform(draws);
        rows[i] = {nodes[i].rotation, nodes[i].position, nodes[i].scale};
        cold[i] = {nodes[i].stretch, nodes[i].context};
        slots[i] = i * 3 + draws.below(3);
      }
      const NodeMask mask = round % 3 == 0 ? kAllNodes : draws.below(1 << 16);
      WorldLanes lanes(Access::store(hierarchy), slots.data(), mask);
      load_transforms(rows.data(), NodeFields::kAll, lanes.world);
      load_cold(cold.data(), lanes);
      const Matrix34 before = to_matrix34({});
      std::vector<Matrix34> out(3 * kNodeLanes, before), plain = out;
      write_matrices(lanes, out);
      store_matrices_reference(lanes, plain.data());
      ASSERT_TRUE(out == plain);
      for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
        ASSERT_EQ(lanes.context[i], nodes[i].context);
        ASSERT_EQ(out[slots[i]], lanes.has(i) ? to_matrix34(nodes[i]) : before);
      }
    }
  });
}

}  // namespace
}  // namespace juxta::transform_detail
