// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "juxta/core/try.h"
#include "tool/answers.h"
#include "tool/row_writer.h"
#include "tool/scene.h"

namespace juxta::tool {
namespace {

constexpr std::uint32_t kDeepest = 24;  // levels that are indented; below them a number says how deep
constexpr std::size_t kWidest = 44;     // characters of the first column
constexpr std::size_t kMostNotes = 8;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string indented_name(const Pose& pose, std::uint32_t node) {
  const std::uint32_t depth = pose.depths[node];
  std::string text(std::size_t{2} * std::min(depth, kDeepest), ' ');
  if (depth > kDeepest) {
    text += fmt::format("({}) ", depth);
  }
  return text + shown_name(pose, node);
}

/// At most six digits, never "-0".
std::string digits(float value) {
  const std::string text = fmt::format("{:.6g}", value);
  return text == "-0" ? "0" : text;
}

std::string row(const Pose& pose, std::uint32_t node, std::size_t width) {
  const Qvvs& world = pose.worlds[node];
  std::string name = indented_name(pose, node);
  name.resize(name.size() + width - std::min(width, characters(name)), ' ');
  std::string out = name;
  for (const float p : {world.position.x, world.position.y, world.position.z}) {
    fmt::format_to(std::back_inserter(out), " {:>11}", digits(p));
  }
  const Quat& q = world.rotation;
  fmt::format_to(std::back_inserter(out), "  {:>7.4f} {:>7.4f} {:>7.4f} {:>7.4f}  {:>8}", q.x, q.y, q.z, q.w,
                 digits(world.scale));
  const Vec3& s = world.stretch;
  if (s != Vec3{1, 1, 1}) {
    fmt::format_to(std::back_inserter(out), "  stretch {} {} {}", digits(s.x), digits(s.y), digits(s.z));
  }
  out += pose.joint[node] ? "  joint\n" : "\n";
  return out;
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", grouped(count), what, count == 1 ? "" : "s");
}

std::string clean(const std::string& text) {
  std::string out = text;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
  return out;
}

}  // namespace

std::string shown_name(const Pose& pose, std::uint32_t node) {
  const std::string& name = pose.scene.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node) : clean(name);
}

std::string format_summary(const Pose& pose) {
  const GltfScene& scene = pose.scene;
  const auto roots = static_cast<std::size_t>(std::count(pose.depths.begin(), pose.depths.end(), 0u));
  const std::uint32_t deepest =
      pose.depths.empty() ? 0 : *std::max_element(pose.depths.begin(), pose.depths.end());
  std::string out =
      fmt::format("{}: {}, {}, {} deep", pose.file, counted(scene.nodes.size(), "node"),
                  counted(roots, "root"), counted(pose.depths.empty() ? 0 : deepest + 1, "level"));
  if (!scene.skins.empty()) {
    const auto joints = static_cast<std::size_t>(std::count(pose.joint.begin(), pose.joint.end(), true));
    out += fmt::format(", {} of {}", counted(scene.skins.size(), "skin"), counted(joints, "joint"));
  }
  out += '\n';
  for (std::size_t i = 0; i < scene.animations.size(); ++i) {
    const GltfAnimation& animation = scene.animations[i];
    const std::string at = i == pose.animation ? fmt::format(", at {:g} s", pose.time) : "";
    out += fmt::format("  animation {}{}: {:g} s, {}{}\n", i,
                       animation.name.empty() ? "" : " " + clean(animation.name), animation.duration,
                       counted(animation.channels.size(), "channel"), at);
  }
  for (std::size_t i = 0; i < std::min(scene.notes.size(), kMostNotes); ++i) {
    out += "  note: " + describe(scene, scene.notes[i]) + "\n";
  }
  if (scene.notes.size() > kMostNotes) {
    out += fmt::format("  and {} more notes: see --json\n", scene.notes.size() - kMostNotes);
  }
  return out;
}

Result<void> print_tree(const Pose& pose) {
  std::size_t width = 4;
  for (const std::uint32_t node : pose.listed) {
    width = std::max(width, characters(indented_name(pose, node)));
  }
  width = std::min(width, kWidest);
  RowWriter out;
  JUXTA_TRY(out.open("-"));
  out.buffer() = fmt::format("{:<{}} {:>11} {:>11} {:>11}  {:>7} {:>7} {:>7} {:>7}  {:>8}\n", "node", width,
                             "x", "y", "z", "qx", "qy", "qz", "qw", "scale");
  for (const std::uint32_t node : pose.listed) {
    out.buffer() += row(pose, node, width);
    JUXTA_TRY(out.flush());
  }
  return out.close();
}

std::string format_times(const HerdTimes& times) {
  const auto per_node = [&](double seconds) { return seconds * 1e9 / static_cast<double>(times.nodes); };
  std::string out = fmt::format("{} of the scene below a root each: {} as {}, on {}, {:.0f} bytes a node\n",
                                counted(times.instances, "instance"), counted(times.nodes, "node"),
                                times.prefab ? "a prefab" : "single trees", counted(times.threads, "thread"),
                                static_cast<double>(times.memory_bytes) / static_cast<double>(times.nodes));
  out +=
      fmt::format("  {:<12} {:>13} {:>14} {:>12} {:>12}\n", "frame", "moved", "computed", "ms", "ns a node");
  out += fmt::format("  {:<12} {:>13} {:>14} {:>12.4f} {:>12.3f}\n", "spawn", grouped(times.nodes),
                     grouped(times.nodes), times.spawn_seconds * 1e3, per_node(times.spawn_seconds));
  for (const FrameTime& frame : times.frames) {
    out += fmt::format("  {:<12} {:>13} {:>14} {:>12.4f} {:>12.3f}\n", frame.what, grouped(frame.moved),
                       grouped(frame.computed), frame.seconds * 1e3, per_node(frame.seconds));
  }
  return out;
}

}  // namespace juxta::tool
