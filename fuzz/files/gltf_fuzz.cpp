// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Any bytes are a glTF file that is read or refused in one sentence, as a scene and as a mesh. What is read
// must obey the contracts of GltfScene, at any time of any animation, and of Mesh. Mutations of bytes alone
// seldom get past the JSON, so the first byte may ask for a file around the rest: a sound one with its keys,
// or one whose mesh they describe, rightly or not.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/check.h"
#include "juxta/files/read_gltf.h"
#include "juxta/files/read_gltf_mesh.h"

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

std::string glb(std::string json, std::string bytes) {
  bytes.resize(bytes.size() + (4 - bytes.size() % 4) % 4);
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
  return glb(std::move(json), bytes);
}

/// A GLB around these bytes: the first twelve describe a mesh of two primitives and its two nodes.
std::string framed_mesh(const std::uint8_t* data, std::size_t size) {
  constexpr const char* kTypes[] = {"VEC3", "VEC3", "VEC3", "SCALAR"};
  constexpr const char* kComponents[] = {"5121", "5123", "5125", "5126"};
  const auto text = [&](std::size_t at, unsigned below) { return std::to_string(data[at] % below); };
  const auto view = [&](std::size_t bit) {
    return (data[0] >> bit & 1U) != 0 ? std::string() : std::string(R"("bufferView":0,)");
  };
  const auto sparse = [&](std::size_t bit) {
    return (data[0] >> bit & 1U) != 0
               ? std::string()
               : R"(,"sparse":{"count":1,"indices":{"bufferView":0,"componentType":5121},)"
                 R"("values":{"bufferView":0,"byteOffset":1}})";
  };
  const std::string bytes(reinterpret_cast<const char*>(data + 12), size - 12);
  const std::string length = std::to_string(bytes.size());
  const auto primitive = [&](std::size_t at) {
    const std::string indices = data[at] % 3 == 0 ? "" : R"(,"indices":1)";
    return R"({"attributes":{"POSITION":0},"mode":)" + text(at + 1, 8) + indices + "}";
  };
  const auto three = [&](std::size_t at) {
    const auto number = [&](std::size_t i) { return std::to_string(static_cast<std::int8_t>(data[i])); };
    return number(at) + "," + number(at + 1) + "," + number(at + 2);
  };
  return glb(R"({"asset":{"version":"2.0"},"nodes":[{"mesh":0,"children":[1],"scale":[)" + three(7) +
                 R"(]},{"mesh":0,"rotation":[)" + three(8) + R"(,1]}],"meshes":[{"primitives":[)" +
                 primitive(1) + "," + primitive(3) + R"(]}],"buffers":[{"byteLength":)" + length +
                 R"(}],"bufferViews":[{"buffer":0,"byteLength":)" + length +
                 (data[11] % 2 == 0 ? "" : R"(,"byteStride":12)") + R"(}],"accessors":[{)" + view(0) +
                 R"("componentType":5126,"type":")" + kTypes[data[5] % 4] + R"(","count":)" + text(5, 64) +
                 sparse(1) + "},{" + view(2) + R"("componentType":)" + kComponents[data[6] % 4] +
                 R"(,"type":"SCALAR","byteOffset":)" + text(10, 16) + R"(,"count":)" + text(6, 32) +
                 sparse(3) + "}]}",
             bytes);
}

void check_mesh(const std::string& bytes) {
  const auto file = juxta::parse_gltf_mesh(bytes, "no-such-folder");
  if (!file) {
    JUXTA_FUZZ_CHECK(!file.error().message.empty());
    JUXTA_FUZZ_CHECK(!file.error().message.starts_with("tinygltf"));
    return;
  }
  const juxta::Mesh& mesh = file->mesh;
  for (const auto& [x, y, z] : mesh.vertices) {
    JUXTA_FUZZ_CHECK(std::isfinite(x) && std::isfinite(y) && std::isfinite(z));
  }
  for (const auto& [a, b, c] : mesh.triangles) {
    JUXTA_FUZZ_CHECK(a < mesh.vertices.size() && b < mesh.vertices.size() && c < mesh.vertices.size());
  }
  JUXTA_FUZZ_CHECK((file->skipped == 0) == file->first_skipped.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = size > 8 && data[0] == 'k' ? framed(data + 1, size - 1)
                            : size > 16 && data[0] == 'm'
                                ? framed_mesh(data + 1, size - 1)
                                : std::string(reinterpret_cast<const char*>(data), size);
  check_mesh(bytes);
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
