// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "juxta/core/try.h"
#include "juxta/transform/matrices.h"
#include "tool/answers.h"
#include "tool/row_writer.h"
#include "tool/scene.h"

namespace juxta::tool {
namespace {

using nlohmann::ordered_json;

std::string dumped(const ordered_json& object, int indent) {
  // A name that is no UTF-8 gets the replacement character: JSON has no other way.
  return object.dump(indent, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json json_node(const Pose& pose, std::uint32_t node) {
  const GltfNode& from = pose.scene.nodes[node];
  const Qvvs& world = pose.worlds[node];
  ordered_json to = {{"node", node}, {"name", from.name}};
  to["parent"] = from.parent == kGltfNone ? ordered_json() : ordered_json(from.parent);
  to["depth"] = pose.depths[node];
  to["joint"] = static_cast<bool>(pose.joint[node]);
  to["position"] = {world.position.x, world.position.y, world.position.z};
  to["rotation"] = {world.rotation.x, world.rotation.y, world.rotation.z, world.rotation.w};
  to["scale"] = world.scale;
  to["stretch"] = {world.stretch.x, world.stretch.y, world.stretch.z};
  to["matrix"] = ordered_json::array();
  const Matrix34 matrix = to_matrix34(world);
  for (const auto& row : matrix.m) {
    to["matrix"].push_back(row);
  }
  return to;
}

ordered_json json_times(const HerdTimes& times) {
  ordered_json to = {{"instances", times.instances},
                     {"nodes", times.nodes},
                     {"prefab", times.prefab},
                     {"threads", times.threads},
                     {"memory_bytes", times.memory_bytes},
                     {"spawn_seconds", times.spawn_seconds},
                     {"frames", ordered_json::array()}};
  for (const FrameTime& frame : times.frames) {
    to["frames"].push_back({{"what", frame.what},
                            {"moved", frame.moved},
                            {"computed", frame.computed},
                            {"frames", frame.frames},
                            {"seconds", frame.seconds}});
  }
  return to;
}

/// Everything but the nodes.
ordered_json json_head(const Pose& pose, const HerdTimes* times) {
  ordered_json head = {{"file", pose.file}};
  const bool animated = pose.animation != kGltfNone;
  head["animation"] = animated ? ordered_json(pose.animation) : ordered_json();
  head["time"] = animated ? ordered_json(pose.time) : ordered_json();
  head["animations"] = ordered_json::array();
  for (const GltfAnimation& animation : pose.scene.animations) {
    head["animations"].push_back({{"name", animation.name}, {"seconds", animation.duration}});
  }
  head["notes"] = ordered_json::array();
  for (const GltfNote& note : pose.scene.notes) {
    head["notes"].push_back(describe(pose.scene, note));
  }
  if (times != nullptr) {
    head["times"] = json_times(*times);
  }
  return head;
}

}  // namespace

Result<void> write_scene_csv(const Pose& pose, const std::string& path) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  out.buffer() = "node,name,parent,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n";
  for (std::uint32_t node = 0; node < pose.scene.nodes.size(); ++node) {
    const GltfNode& from = pose.scene.nodes[node];
    out.buffer() += fmt::format("{},{},", node, csv_cell(from.name));
    if (from.parent != kGltfNone) {
      out.buffer() += std::to_string(from.parent);
    }
    const Matrix34 matrix = to_matrix34(pose.worlds[node]);
    for (const auto& row : matrix.m) {
      for (const float number : row) {
        fmt::format_to(std::back_inserter(out.buffer()), ",{}", number);
      }
    }
    out.buffer() += '\n';
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

Result<void> write_scene_json(const Pose& pose, const HerdTimes* times, const std::string& path) {
  RowWriter out;
  JUXTA_TRY(out.open(path));
  std::string head = dumped(json_head(pose, times), 1);
  head.resize(head.rfind('}') - 1);  // the nodes follow one by one: a million of them at once take gigabytes
  out.buffer() = head + ",\n \"nodes\": [";
  for (std::uint32_t node = 0; node < pose.scene.nodes.size(); ++node) {
    out.buffer() += (node == 0 ? "\n  " : ",\n  ") + dumped(json_node(pose, node), -1);
    JUXTA_TRY(out.flush());
  }
  out.buffer() += "\n ]\n}\n";
  return out.close();
}

}  // namespace juxta::tool
