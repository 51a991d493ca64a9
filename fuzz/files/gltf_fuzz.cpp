// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a glTF file that is read or refused in one sentence. What is read must obey the contract of
// GltfScene, at any time of any animation. Mutations of bytes alone seldom get past the JSON, so the first
// byte may ask for a sound file around the rest: its numbers, and its nodes or keys.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "juxta/files/read_gltf.h"

namespace {

bool finite(const juxta::LocalTransform& t, const juxta::Vec3& s) {
  return std::isfinite(t.position.x) && std::isfinite(t.position.y) && std::isfinite(t.position.z) &&
         std::isfinite(s.x) && std::isfinite(s.y) && std::isfinite(s.z) && std::isfinite(t.scale) &&
         t.scale > 0 && std::abs(length_squared(t.rotation) - 1) < 1e-5F;
}

void check_tree(const juxta::GltfScene& scene) {
  const std::size_t count = scene.nodes.size();
  JUXTA_FUZZ_CHECK(scene.order.size() == count);
  std::vector<bool> seen(count);
  for (const std::uint32_t node : scene.order) {
    JUXTA_FUZZ_CHECK(node < count && !seen[node]);
    const juxta::GltfNode& n = scene.nodes[node];
    JUXTA_FUZZ_CHECK(n.parent == juxta::kGltfNone || (n.parent < count && seen[n.parent]));
    JUXTA_FUZZ_CHECK(n.skin == juxta::kGltfNone || n.skin < scene.skins.size());
    seen[node] = true;
    for (const std::uint32_t child : n.children) {
      JUXTA_FUZZ_CHECK(child < count && scene.nodes[child].parent == node);
    }
    JUXTA_FUZZ_CHECK(finite(n.local, n.stretch));
    JUXTA_FUZZ_CHECK(n.stretch.x != 0 && n.stretch.y != 0 && n.stretch.z != 0);
  }
  for (const juxta::GltfRoots& roots : scene.scenes) {
    for (const std::uint32_t node : roots.nodes) {
      JUXTA_FUZZ_CHECK(node < count && scene.nodes[node].parent == juxta::kGltfNone);
    }
  }
  for (const juxta::GltfSkin& skin : scene.skins) {
    JUXTA_FUZZ_CHECK(!skin.joints.empty());
    JUXTA_FUZZ_CHECK(skin.to_joint.empty() || skin.to_joint.size() == skin.joints.size());
    for (const std::uint32_t joint : skin.joints) {
      JUXTA_FUZZ_CHECK(joint < count);
    }
  }
  for (const juxta::GltfNote& note : scene.notes) {
    JUXTA_FUZZ_CHECK(!juxta::describe(scene, note).empty());
  }
}

void check_animation(const juxta::GltfScene& scene, const juxta::GltfAnimation& animation) {
  std::set<std::pair<std::uint32_t, juxta::GltfPath>> targets;
  for (const juxta::GltfSampler& sampler : animation.samplers) {
    const bool cubic = sampler.interpolation == juxta::GltfInterpolation::kCubicSpline;
    JUXTA_FUZZ_CHECK(!sampler.times.empty() && sampler.width != 0);
    JUXTA_FUZZ_CHECK(sampler.values.size() == sampler.times.size() * sampler.width * (cubic ? 3 : 1));
    JUXTA_FUZZ_CHECK(sampler.times.front() >= 0 && sampler.times.back() <= animation.duration);
  }
  for (const juxta::GltfChannel& channel : animation.channels) {
    JUXTA_FUZZ_CHECK(channel.node < scene.nodes.size() && channel.sampler < animation.samplers.size());
    JUXTA_FUZZ_CHECK(targets.emplace(channel.node, channel.path).second);
  }
  std::vector<juxta::LocalTransform> locals(scene.nodes.size());
  std::vector<juxta::Vec3> stretches(scene.nodes.size());
  juxta::rest(scene, locals, stretches);
  for (const float part : {-1.0F, 0.0F, 0.1F, 0.5F, 0.77F, 1.0F, std::nanf("")}) {
    juxta::sample(scene, animation, part * animation.duration, locals, stretches);
    for (std::size_t i = 0; i < locals.size(); ++i) {
      JUXTA_FUZZ_CHECK(finite(locals[i], stretches[i]));
    }
  }
}

/// A GLB around these bytes: two nodes, an animation whose kind and keys they choose.
std::string framed(const std::uint8_t* data, std::size_t size) {
  constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
  constexpr const char* kWays[] = {"LINEAR", "STEP", "CUBICSPLINE"};
  const std::size_t path = data[0] % 4, way = data[0] / 4 % 3, keys = 1 + data[1] % 4;
  const std::size_t width = path == 1 ? 4 : path == 3 ? 1 : 3;
  std::string bytes(reinterpret_cast<const char*>(data + 2), size - 2);
  bytes.resize(bytes.size() + (4 - bytes.size() % 4) % 4);
  const std::string length = std::to_string(bytes.size()), at = std::to_string(keys * 4);
  const std::string values = std::to_string(keys * (way == 2 ? 3 : 1));
  std::string json = R"({"asset":{"version":"2.0"},"nodes":[{"children":[1]},{}],"buffers":[{"byteLength":)" +
                     length + R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + length +
                     R"(}],"accessors":[{"bufferView":0,"componentType":5126,"type":"SCALAR","count":)" +
                     std::to_string(keys) + R"(},{"bufferView":0,"componentType":5126,"type":")" +
                     (width == 4   ? "VEC4"
                      : width == 3 ? "VEC3"
                                   : "SCALAR") +
                     R"(","byteOffset":)" + at + R"(,"count":)" + values +
                     R"(}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":")" +
                     kPaths[path] + R"("}}],"samplers":[{"input":0,"output":1,"interpolation":")" +
                     kWays[way] + R"("}]}]})";
  json.resize((json.size() + 3) / 4 * 4, ' ');
  const auto word = [](std::size_t value) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      text += static_cast<char>(value >> (8 * i) & 0xFF);
    }
    return text;
  };
  return "glTF" + word(2) + word(28 + json.size() + bytes.size()) + word(json.size()) + "JSON" + json +
         word(bytes.size()) + std::string("BIN\0", 4) + bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bool frame = size > 8 && data[0] == 'k';
  const std::string bytes =
      frame ? framed(data + 1, size - 1) : std::string(reinterpret_cast<const char*>(data), size);
  const auto scene = juxta::parse_gltf(bytes, "no-such-folder");
  if (!scene) {
    JUXTA_FUZZ_CHECK(!scene.error().message.empty());
    JUXTA_FUZZ_CHECK(!scene.error().message.starts_with("tinygltf"));  // the gate has said it before
    return 0;
  }
  check_tree(*scene);
  for (const juxta::GltfAnimation& animation : scene->animations) {
    check_animation(*scene, animation);
  }
  return 0;
}
