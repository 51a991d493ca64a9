// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <algorithm>

#include "juxta/core/try.h"
#include "juxta/transform/hierarchy.h"
#include "tool/scene.h"

namespace juxta::tool {
namespace {

/// Depths, level by level, and the order in which a person reads a tree.
void list_nodes(Pose& pose) {
  const auto& nodes = pose.scene.nodes;
  pose.depths.assign(nodes.size(), 0);
  for (const std::uint32_t node : pose.scene.order) {
    const std::uint32_t parent = nodes[node].parent;
    pose.depths[node] = parent == kGltfNone ? 0 : pose.depths[parent] + 1;
  }
  std::vector<std::uint32_t> waiting;
  for (auto node = static_cast<std::uint32_t>(nodes.size()); node-- > 0;) {
    if (nodes[node].parent == kGltfNone) {
      waiting.push_back(node);
    }
  }
  while (!waiting.empty()) {
    const std::uint32_t node = waiting.back();
    waiting.pop_back();
    pose.listed.push_back(node);
    waiting.insert(waiting.end(), nodes[node].children.rbegin(), nodes[node].children.rend());
  }
  pose.joint.assign(nodes.size(), false);
  for (const GltfSkin& skin : pose.scene.skins) {
    for (const std::uint32_t joint : skin.joints) {
      pose.joint[joint] = true;
    }
  }
}

}  // namespace

std::vector<NodeDescription> describe_nodes(const Pose& pose, bool root) {
  std::vector<NodeDescription> descriptions;
  std::vector<std::uint32_t> places(pose.scene.nodes.size());
  descriptions.reserve(places.size() + 1);
  if (root) {
    descriptions.emplace_back();
  }
  for (const std::uint32_t node : pose.scene.order) {
    const std::uint32_t parent = pose.scene.nodes[node].parent;
    NodeDescription description;
    description.local = pose.locals[node];
    description.stretch = pose.stretches[node];
    description.parent = parent != kGltfNone ? places[parent] : root ? 0 : NodeDescription::kRoot;
    places[node] = static_cast<std::uint32_t>(descriptions.size());
    descriptions.push_back(description);
  }
  return descriptions;
}

Result<void> pose_nodes(Pose& pose, const Executor* executor) {
  const std::size_t count = pose.scene.nodes.size();
  pose.locals.resize(count);
  pose.stretches.resize(count);
  rest(pose.scene, pose.locals, pose.stretches);
  if (pose.animation != kGltfNone) {
    sample(pose.scene, pose.scene.animations[pose.animation], pose.time, pose.locals, pose.stretches);
  }
  list_nodes(pose);
  Hierarchy hierarchy;
  std::vector<Id> ids(count);
  JUXTA_TRY(hierarchy.insert(describe_nodes(pose, false), ids));
  Context options;
  options.executor = executor;
  JUXTA_TRY(hierarchy.propagate(options));
  std::vector<Qvvs> worlds(count);
  JUXTA_TRY(hierarchy.world(ids, worlds));
  pose.worlds.resize(count);
  for (std::size_t place = 0; place < count; ++place) {
    pose.worlds[pose.scene.order[place]] = worlds[place];
  }
  return {};
}

}  // namespace juxta::tool
