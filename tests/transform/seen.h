// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "juxta/transform/hierarchy.h"

namespace juxta::test {

/// What a reader of sixteens was shown.
class Seen {
 public:
  explicit Seen(const Hierarchy& hierarchy) : slots_(hierarchy.slot_count()) {}
  void operator()(const WorldLanes& lanes) {
    const std::lock_guard lock(mutex_);
    for (std::uint32_t i = 0; i < kNodeLanes; ++i) {
      EXPECT_LT(lanes.slots()[i], slots_);
      if (lanes.has(i)) {
        const TransformLanes& t = lanes.world;
        EXPECT_EQ(lanes.id(i).slot, lanes.slots()[i]);
        const Qvvs world{{t.qx[i], t.qy[i], t.qz[i], t.qw[i]},
                         {t.x[i], t.y[i], t.z[i]},
                         lanes.context[i],
                         {lanes.stretch_x[i], lanes.stretch_y[i], lanes.stretch_z[i]},
                         t.scale[i]};
        EXPECT_TRUE(nodes_.emplace(lanes.slots()[i], std::pair(lanes.id(i), world)).second) << "twice";
      }
    }
  }
  void expect_changes(const Hierarchy& hierarchy, std::uint64_t version) const {
    std::size_t count = 0;
    hierarchy.changed_since(version, [&](Id id, const Qvvs& world) {
      ++count;
      const auto found = nodes_.find(id.slot);
      ASSERT_TRUE(found != nodes_.end());
      EXPECT_EQ(found->second.first, id);
      EXPECT_EQ(found->second.second, world);
    });
    EXPECT_EQ(count, nodes_.size());
  }

 private:
  std::size_t slots_;
  std::mutex mutex_;
  std::map<std::uint32_t, std::pair<Id, Qvvs>> nodes_;
};

}  // namespace juxta::test
