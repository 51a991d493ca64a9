// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// A row of tanks, each a hull with a barrel. The first tank drives along the row and hits the others.
// docs/start/games.md explains every line.
#include <juxta/core/try.h>
#include <juxta/layer/find_pairs.h>
#include <juxta/layer/raycast.h>
#include <juxta/transform/hierarchy.h>
#include <juxta/transform/world_boxes.h>

#include <cstdio>
#include <span>
#include <vector>

juxta::Result<std::size_t> drive() {
  // Node 2 i is the hull of tank i, node 2 i + 1 its barrel, 1.5 in front of the hull's centre.
  std::vector<juxta::NodeDescription> nodes;
  std::vector<juxta::Aabb3> shapes;  // each in the space of its own node
  for (std::uint32_t tank = 0; tank < 100; ++tank) {
    nodes.push_back({.local = {.position = {6.0F * static_cast<float>(tank), 0, 0}}});
    nodes.push_back({.local = {.position = {1.5F, 0.5F, 0}}, .parent = 2 * tank});
    shapes.push_back({{-1, -1, -1}, {1, 1, 1}});
    shapes.push_back({{-1, -0.1F, -0.1F}, {1, 0.1F, 0.1F}});
  }
  juxta::Hierarchy hierarchy;
  std::vector<juxta::Id> ids(nodes.size());
  JUXTA_TRY(hierarchy.insert(nodes, ids));

  juxta::Layer layer;
  std::vector<juxta::Qvvs> worlds(nodes.size());
  std::vector<juxta::Aabb3> boxes(nodes.size());
  std::vector<juxta::Pair> pairs(1000);
  std::size_t crashes = 0;
  for (int frame = 0; frame < 55; ++frame) {
    JUXTA_TRY(hierarchy.set_position(ids[0], {0.5F * static_cast<float>(frame), 0, 0}));
    JUXTA_TRY(hierarchy.propagate());                      // the barrel follows its hull
    JUXTA_TRY(hierarchy.world(ids, worlds));               // where every node is now
    JUXTA_TRY(juxta::world_boxes(worlds, shapes, boxes));  // the box around each of them
    JUXTA_TRY(frame == 0 ? layer.rebuild(boxes) : layer.refit(boxes));
    JUXTA_TRY_LET(const juxta::QueryResult touching, juxta::find_pairs(layer, pairs));
    for (const juxta::Pair pair : std::span(pairs).first(touching.written)) {
      crashes += pair.a / 2 != pair.b / 2 ? 1U : 0U;  // a hull always touches its own barrel
    }
  }
  // What does the gun of the first tank point at? Its own two nodes do not count.
  const juxta::Vec3 gun = worlds[1].position;
  const std::vector<std::uint32_t> own = {0, 1};
  const juxta::RayHit hit =
      juxta::raycast_closest(layer, {.origin = gun, .direction = {1, 0, 0}}, {.ignore = own});
  if (hit.body != juxta::kNoBody) {
    std::printf("the gun points at tank %u, %.1f away\n", hit.body / 2, static_cast<double>(hit.t));
  }
  return crashes;
}

int main() {
  const auto crashes = drive();
  if (!crashes) {
    std::fprintf(stderr, "%s\n", crashes.error().message.c_str());
    return 1;
  }
  std::printf("100 tanks, 55 frames: %zu contacts between different tanks\n", *crashes);
  return *crashes > 0 ? 0 : 1;
}
