// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#pragma once

namespace juxta::bench {

// Each registers its rows, named `workload/contender`. Data is made when a row first runs.
void register_threads();  ///< threads_1M/*: to be registered first, see embree_scene.h
void register_pairs();    ///< pairs_*, bipartite_100k_25k: all boxes move, then all pairs
void register_queries();  ///< query_any, query_all, their batches, query_all_spawn
void register_rays();     ///< ray_closest_*
void register_builds();   ///< build_100k: what either order costs, and the peers' trees
void register_moves();    ///< moves_1pct_100k: single bodies move
void register_events();   ///< events_1M: begin and end of overlaps
void register_spawn();    ///< spawn_frame, spawn_large, spawn_orbits, small_layer
void register_stages();   ///< sweep_*: the stages of the published sweep over one bucket
void register_objects();  ///< objects_*: FindObjects alone, as printed and otherwise
void register_reach();    ///< nearest_100k, boxcast_100k

}  // namespace juxta::bench
