// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "juxta/files/svg_tree.h"
#include "tool/answers.h"
#include "tool/scene.h"

namespace juxta::tool {
namespace {

/// What lies to the right and up on the paper. glTF: y is up, z points at the viewer of the front.
TreeNode seen(Vec3 p, View view) {
  TreeNode node;
  node.x = view == View::kSide ? p.z : p.x;
  node.y = view == View::kTop ? -p.z : p.y;
  return node;
}

const char* axes(View view) {
  return view == View::kFront  ? "seen from the front: x to the right, y up"
         : view == View::kSide ? "seen from the right side: z to the right, y up"
                               : "seen from above: x to the right, z down";
}

}  // namespace

std::string draw_scene(const Pose& pose, View view) {
  std::vector<TreeNode> nodes(pose.scene.order.size());
  std::vector<std::uint32_t> places(nodes.size());
  for (std::size_t place = 0; place < nodes.size(); ++place) {  // parents first: what is cut off is deep down
    const std::uint32_t node = pose.scene.order[place];
    const std::uint32_t parent = pose.scene.nodes[node].parent;
    places[node] = static_cast<std::uint32_t>(place);
    nodes[place] = seen(pose.worlds[node].position, view);
    nodes[place].parent = parent == kGltfNone ? TreeNode::kRoot : places[parent];
    nodes[place].marked = pose.joint[node];
    nodes[place].name = pose.scene.nodes[node].name;
  }
  SvgTreeOptions options;
  options.title =
      fmt::format("{}: {} nodes", pose.file.substr(pose.file.find_last_of('/') + 1), grouped(nodes.size()));
  if (pose.animation != kGltfNone) {
    options.title += fmt::format(", animation {} at {:g} s",
                                 pose.scene.animations[pose.animation].name.empty()
                                     ? std::to_string(pose.animation)
                                     : pose.scene.animations[pose.animation].name,
                                 pose.time);
  }
  options.note = axes(view);
  options.plain = "nodes";
  options.marked = "joints of a skin";
  return svg_tree(nodes, options);
}

}  // namespace juxta::tool
