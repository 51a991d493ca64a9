// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Systems and matrices through the C interface.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "juxta/c/transform.h"

namespace {

constexpr std::size_t kNodes = 40;

class CTransformFrame : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(juxta_hierarchy_build(false, &world_, nullptr), JUXTA_OK);
    std::vector<juxta_node> nodes(kNodes, juxta_default_node());
    for (std::size_t i = 0; i < kNodes; ++i) {
      nodes[i].parent = i % 2 == 0 ? JUXTA_ROOT : static_cast<std::uint32_t>(i - 1);
      nodes[i].local.position[0] = static_cast<float>(i);
    }
    ids_.resize(kNodes);
    ASSERT_EQ(juxta_hierarchy_insert_many(world_, nodes.data(), 0, kNodes, ids_.data(), nullptr), JUXTA_OK);
    ASSERT_EQ(juxta_hierarchy_slot_count(world_), kNodes);
    matrices_.resize(12 * kNodes);
  }
  void TearDown() override { juxta_hierarchy_free(world_); }

  float x_of(std::size_t node) const { return matrices_[12 * ids_[node].slot + 3]; }
  float y_of(std::size_t node) const { return matrices_[12 * ids_[node].slot + 7]; }

  juxta_hierarchy* world_ = nullptr;
  std::vector<juxta_id> ids_;
  std::vector<float> matrices_;
};

/// Every node rises by *user; nodes in odd slots are not written.
std::uint32_t rise(void* user, const juxta_local_lanes* nodes) {
  std::uint32_t written = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    nodes->y[i] += *static_cast<const float*>(user);
    written |= std::uint32_t{nodes->slots[i] % 2 == 0} << i;
  }
  return written;
}

TEST_F(CTransformFrame, WritesPropagatesAndReads) {
  float way = 2;
  juxta_propagate_result result;
  ASSERT_EQ(juxta_hierarchy_frame(world_, JUXTA_NODE_PLACE, rise, &way, matrices_.data(), kNodes, nullptr,
                                  &result, nullptr),
            JUXTA_OK);
  EXPECT_EQ(result.computed, kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) {
    const bool root = i % 2 == 0, wrote = ids_[i].slot % 2 == 0,
               above = ids_[i & ~std::size_t{1}].slot % 2 == 0;
    EXPECT_EQ(x_of(i), root ? static_cast<float>(i) : static_cast<float>(2 * i - 1)) << i;
    EXPECT_EQ(y_of(i), (wrote ? 2.0F : 0.0F) + (!root && above ? 2.0F : 0.0F)) << i;
  }
}

TEST_F(CTransformFrame, MatricesOfWhatChanged) {
  float way = 1;
  ASSERT_EQ(juxta_hierarchy_for_each_tile(world_, JUXTA_NODE_ALL, rise, &way, nullptr, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_propagate(world_, nullptr, nullptr, nullptr), JUXTA_OK);
  std::size_t written = 0;
  ASSERT_EQ(juxta_hierarchy_changed_matrices(world_, 0, matrices_.data(), kNodes, &written, nullptr, nullptr),
            JUXTA_OK);
  EXPECT_EQ(written, kNodes);
  ASSERT_EQ(juxta_hierarchy_changed_matrices(world_, 1, matrices_.data(), kNodes, &written, nullptr, nullptr),
            JUXTA_OK);
  EXPECT_EQ(written, 0U);
}

TEST_F(CTransformFrame, SpansOfWhatChanged) {
  ASSERT_EQ(juxta_hierarchy_set_context(world_, ids_[7], 77, nullptr), JUXTA_OK);
  const float stretch[3] = {2, 3, 4};
  ASSERT_EQ(juxta_hierarchy_set_stretch(world_, ids_[7], stretch, nullptr), JUXTA_OK);
  ASSERT_EQ(juxta_hierarchy_propagate(world_, nullptr, nullptr, nullptr), JUXTA_OK);
  struct Seen {
    std::vector<juxta_qvvs> worlds{kNodes};
    std::vector<int> times = std::vector<int>(kNodes);
  } seen;
  const auto read = [](void* user, const juxta_world_lanes* nodes) {
    auto* const all = static_cast<Seen*>(user);
    for (std::size_t i = 0; i < 16; ++i) {
      if ((nodes->mask >> i & 1) != 0) {
        all->worlds[nodes->slots[i]] = {{nodes->qx[i], nodes->qy[i], nodes->qz[i], nodes->qw[i]},
                                        {nodes->x[i], nodes->y[i], nodes->z[i]},
                                        nodes->context[i],
                                        {nodes->stretch_x[i], nodes->stretch_y[i], nodes->stretch_z[i]},
                                        nodes->scale[i]};
        ++all->times[nodes->slots[i]];
      }
    }
  };
  ASSERT_EQ(juxta_hierarchy_changed_spans(world_, 0, read, &seen, nullptr, nullptr), JUXTA_OK);
  for (const juxta_id id : ids_) {
    juxta_qvvs world{};
    ASSERT_EQ(juxta_hierarchy_world(world_, &id, 0, 1, &world, nullptr), JUXTA_OK);
    EXPECT_EQ(seen.times[id.slot], 1);
    EXPECT_EQ(std::memcmp(&world, &seen.worlds[id.slot], sizeof world), 0);
  }
  EXPECT_EQ(seen.worlds[ids_[7].slot].context, 77);
  juxta_error error;
  EXPECT_EQ(juxta_hierarchy_changed_spans(world_, 0, nullptr, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
}

TEST_F(CTransformFrame, Refusals) {
  float way = std::numeric_limits<float>::quiet_NaN();
  juxta_error error;
  EXPECT_EQ(juxta_hierarchy_for_each_tile(world_, JUXTA_NODE_PLACE, rise, &way, nullptr, &error),
            JUXTA_NOT_FINITE);
  EXPECT_EQ(juxta_hierarchy_for_each_tile(world_, JUXTA_NODE_PLACE, nullptr, &way, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(
      juxta_hierarchy_for_each_tile(world_, static_cast<juxta_node_fields>(0), rise, &way, nullptr, &error),
      JUXTA_INVALID_ARGUMENT);
  way = 1;
  EXPECT_EQ(juxta_hierarchy_frame(world_, JUXTA_NODE_PLACE, rise, &way, matrices_.data(), kNodes - 1, nullptr,
                                  nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(
      juxta_hierarchy_frame(world_, JUXTA_NODE_PLACE, rise, &way, nullptr, kNodes, nullptr, nullptr, &error),
      JUXTA_INVALID_ARGUMENT);
  EXPECT_EQ(juxta_hierarchy_changed_matrices(world_, 0, matrices_.data(), 3, nullptr, nullptr, &error),
            JUXTA_INVALID_ARGUMENT);
  juxta_local_transform local;
  ASSERT_EQ(juxta_hierarchy_local(world_, ids_.data(), 0, 1, &local, nullptr), JUXTA_OK);
  EXPECT_EQ(local.position[1], 0);  // none of the refused calls wrote it
}

}  // namespace
