// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "bench/support/once.h"
#include "bench/support/settings.h"
#include "scenes/hierarchies.h"

namespace juxta::bench {

/// `nominal` nodes, or JUXTA_BENCH_POINTS where that is less.
[[nodiscard]] inline std::size_t node_count(std::size_t nominal) {
  return std::min(nominal, number_setting("JUXTA_BENCH_POINTS", nominal));
}

/// What all worlds are drawn from: JUXTA_BENCH_SEED, or 1.
[[nodiscard]] inline std::uint64_t seed() {
  return number_setting("JUXTA_BENCH_SEED", 1);
}

/// What all contenders of a workload are built from.
struct Forest {
  explicit Forest(scenes::PrefabScene scene) : prefabs(std::move(scene)), trees(scenes::as_trees(*prefabs)) {}
  explicit Forest(scenes::TreeScene scene) : trees(std::move(scene)) {}

  std::optional<scenes::PrefabScene> prefabs;  ///< To be instantiated, where there are any.
  scenes::TreeScene trees;                     ///< All nodes; rows name them by their place here.
};

using SharedForest = std::shared_ptr<Once<Forest>>;

/// Instances of the eight prefabs, `nominal` nodes or fewer.
[[nodiscard]] inline SharedForest share_prefabs(std::size_t nominal) {
  return std::make_shared<Once<Forest>>([nominal] {
    return std::make_unique<Forest>(scenes::make_prefabs(scenes::form_of(node_count(nominal)), seed()));
  });
}

[[nodiscard]] inline SharedForest share_trees(scenes::TreeShape shape, std::size_t nominal) {
  return std::make_shared<Once<Forest>>([shape, nominal] {
    return std::make_unique<Forest>(scenes::make_trees(shape, node_count(nominal), seed()));
  });
}

/// Ropes of 1,000 nodes each, or one that is shorter.
[[nodiscard]] inline SharedForest share_ropes(std::size_t nominal) {
  static constexpr std::size_t kLength = 1000;
  return std::make_shared<Once<Forest>>([nominal] {
    const std::size_t nodes = node_count(nominal), length = nodes < kLength ? nodes : kLength;
    return std::make_unique<Forest>(scenes::make_ropes(nodes / length, length, seed()));
  });
}

}  // namespace juxta::bench
