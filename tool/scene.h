// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// The parts of 'juxta scene': a file's nodes at a time, how they are told, listed, drawn and timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "juxta/core/error.h"
#include "juxta/core/executor.h"
#include "juxta/core/monitor.h"
#include "juxta/files/gltf_scene.h"
#include "juxta/math/qvvs.h"
#include "juxta/transform/prefab.h"

namespace juxta::tool {

/// The nodes of a file, posed. Everything is by node, as the file counts them.
struct Pose {
  std::string file;
  GltfScene scene;
  std::uint32_t animation = kGltfNone;  ///< Which one poses the nodes; kGltfNone: the file's own places.
  float time = 0;
  std::vector<LocalTransform> locals;
  std::vector<Vec3> stretches;
  std::vector<Qvvs> worlds;
  std::vector<std::uint32_t> depths;
  std::vector<std::uint32_t> listed;  ///< All nodes, each tree as it is read: a node, then its children.
  std::vector<bool> joint;            ///< Part of a skin.
};

/// The nodes in the order of GltfScene::order, parents as places in that order. `root` true: below one more
/// node, which comes first.
[[nodiscard]] std::vector<NodeDescription> describe_nodes(const Pose& pose, bool root);

/// Fills what follows from the scene, the animation and the time. Errors: of Hierarchy.
[[nodiscard]] Result<void> pose_nodes(Pose& pose, const Executor* executor);

/// "node", or a part of it that a terminal can show.
[[nodiscard]] std::string shown_name(const Pose& pose, std::uint32_t node);

/// One kind of frame, and how long it took.
struct FrameTime {
  std::string what;          ///< "all", "one_percent", "none", "animated".
  std::size_t moved = 0;     ///< Nodes written.
  std::size_t computed = 0;  ///< World transforms computed.
  std::size_t frames = 0;
  double seconds = 0;  ///< The median frame, from the first write to the end of propagate().
};
struct HerdTimes {
  std::size_t instances = 0, nodes = 0;  ///< Nodes of all instances.
  bool prefab = false;                   ///< Made by instantiate(), else by insert().
  double spawn_seconds = 0;              ///< Making them, and their first propagate().
  std::size_t memory_bytes = 0;
  unsigned threads = 1;
  std::vector<FrameTime> frames;
};
/// Makes instances of the scene and times frames. Errors: of Hierarchy; kCancelled.
[[nodiscard]] Result<HerdTimes> time_herd(const Pose& pose, std::size_t instances, const Executor* executor,
                                          Monitor& monitor);

/// The file in a few lines, and what a hierarchy shows differently.
[[nodiscard]] std::string format_summary(const Pose& pose);
[[nodiscard]] std::string format_times(const HerdTimes& times);
/// Writes the tree with world transforms to the standard output. Errors: kIo.
[[nodiscard]] Result<void> print_tree(const Pose& pose);
/// World matrices; "-" is the standard output (docs/formats/gltf.md). Errors: kIo.
[[nodiscard]] Result<void> write_scene_csv(const Pose& pose, const std::string& path);
/// `times` may be null.
[[nodiscard]] Result<void> write_scene_json(const Pose& pose, const HerdTimes* times,
                                            const std::string& path);

enum class View { kFront, kSide, kTop };
/// The nodes as lines from parent to child.
[[nodiscard]] std::string draw_scene(const Pose& pose, View view);

}  // namespace juxta::tool
