// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Arms of several segments sweep through a hall: the box of every segment goes into a layer, which says
// who touches whom, and what a ray hits. Node i of the list is body i of the layer.
#include <juxta/core/workspace.h>
#include <juxta/layer/find_pairs.h>
#include <juxta/layer/raycast.h>
#include <juxta/transform/hierarchy.h>
#include <juxta/transform/world_boxes.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

namespace {

constexpr std::uint32_t kArms = 20, kSegments = 4;
constexpr float kAbout = 3;  // turn() by nearly half a circle

/// Each segment is a bar of 1 x 0.2 x 0.2, and the next one begins at its end.
std::vector<juxta::NodeDescription> arms() {
  std::vector<juxta::NodeDescription> nodes;
  for (std::uint32_t arm = 0; arm < kArms; ++arm) {
    for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
      const auto self = static_cast<std::uint32_t>(nodes.size());
      const juxta::Vec3 root{5 * static_cast<float>(arm), 0, 0};
      nodes.push_back({.local = {{}, segment == 0 ? root : juxta::Vec3{1, 0, 0}, 1},
                       .parent = segment == 0 ? juxta::NodeDescription::kRoot : self - 1});
    }
  }
  return nodes;
}

/// About the y axis; the hierarchy brings it to length 1.
juxta::Quat turn(float amount) {
  return {0, amount, 0, 1};
}

/// Touching is what a joint does: pairs of one arm do not count.
std::size_t meetings(std::span<const juxta::Pair> pairs) {
  return static_cast<std::size_t>(std::count_if(
      pairs.begin(), pairs.end(), [](juxta::Pair p) { return p.a / kSegments != p.b / kSegments; }));
}

bool complain(const juxta::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return false;
}

struct Hall {
  juxta::Hierarchy transforms;
  std::vector<juxta::Id> nodes;
  std::vector<juxta::Aabb3> local, boxes;
  std::vector<juxta::Qvvs> worlds;
  juxta::Layer layer;

  bool make() {
    const auto described = arms();
    nodes.resize(described.size());
    worlds.resize(described.size());
    boxes.resize(described.size());
    local.assign(described.size(), {{0, -0.1F, -0.1F}, {1, 0.1F, 0.1F}});
    const auto made = transforms.insert(described, nodes);
    return (made || complain(made.error())) && place() && rebuild();
  }
  /// World transforms, and from them the boxes.
  bool place() {
    return transforms.propagate() && transforms.world(nodes, worlds) &&
           juxta::world_boxes(worlds, local, boxes);
  }
  bool rebuild() {
    const auto built = layer.rebuild(boxes);
    return built || complain(built.error());
  }
  /// Even arms bend one way; odd ones face them, and bend the other way, so that neighbours meet.
  bool bend(float amount) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      auto local_transform = transforms.local(nodes[i]);
      if (!local_transform) {
        return complain(local_transform.error());
      }
      const bool odd = i / kSegments % 2 == 1, root = i % kSegments == 0;
      local_transform->rotation = turn(!odd ? amount : root ? kAbout : -amount);
      if (const auto set = transforms.set_local(nodes[i], *local_transform); !set) {
        return complain(set.error());
      }
    }
    return place() && layer.refit(boxes);  // keeps its order while that is good
  }
};

}  // namespace

int main() {
  Hall hall;
  juxta::Workspace workspace;
  std::array<juxta::Pair, 1024> pairs;
  if (!hall.make()) {
    return 1;
  }
  std::size_t found = juxta::find_pairs(hall.layer, pairs, {}, {.workspace = &workspace})->found;
  const std::size_t at_rest = meetings(std::span(pairs).first(found));
  std::size_t most = 0;
  for (int frame = 1; frame <= 30; ++frame) {
    if (!hall.bend(0.02F * static_cast<float>(frame))) {
      return 1;
    }
    found = juxta::find_pairs(hall.layer, pairs, {}, {.workspace = &workspace})->found;
    most = std::max(most, meetings(std::span(pairs).first(std::min(found, pairs.size()))));
  }
  // Along the row of roots: the first thing in the way is a segment of the first arm.
  const auto hit = juxta::raycast_closest(hall.layer, {{-5, 0, 0}, {1, 0, 0}});
  if (hit.body == juxta::kNoBody) {
    return 1;
  }
  const juxta::Qvvs where = *hall.transforms.world(hall.nodes[hit.body]);
  std::printf("%zu segments: %zu meetings at rest, up to %zu while they bend\n", hall.nodes.size(), at_rest,
              most);
  std::printf("a ray hits segment %u of arm %u, which begins at x = %.2f\n", hit.body % kSegments,
              hit.body / kSegments, static_cast<double>(where.position.x));
  return at_rest == 0 && most > 0 && hit.body / kSegments == 0 ? 0 : 1;
}
