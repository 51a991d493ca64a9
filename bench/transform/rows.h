// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace juxta::bench {

/// "workload/what/contender".
[[nodiscard]] inline std::string row_name(std::initializer_list<std::string_view> parts) {
  std::string name;
  for (const std::string_view part : parts) {
    name.append(name.empty() ? "" : "/").append(part);
  }
  return name;
}

// Each registers its rows, named `workload/what happens in a frame/contender`. Worlds are made when a row
// first runs.
void register_frames();  ///< prefabs_*, random_1M, deep_wide and odd trees: roots move, all is propagated
void register_writes();  ///< every_local, one_percent_nodes: locals anywhere in the trees are written
void register_whole_frames();  ///< whole_*: a system writes every local, every world is read
void register_reparent();      ///< prefabs_1M/reparent_*: 120 frames in which nodes get other parents
void register_churn();         ///< prefabs_1M/churn_*: 120 frames in which instances come and go
void register_spawn();         ///< spawn_10k_per_frame: 100 frames of new instances
void register_threads();       ///< threads_*: one thread and two, by the wall clock
void register_forms();         ///< forms_*: the published systems, form by form
void register_builds();        ///< build_*: what it takes to make a world, and bytes per node
void register_cliffs();        ///< cliffs_*: deep chains, chains hung together, frames after building
void register_boxes();         ///< boxes_*: world boxes of nodes that are turned in several ways

}  // namespace juxta::bench
