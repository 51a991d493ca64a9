// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// What of a glTF file is read: places, trees, skins, keys, and where the bytes may come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <utility>

#include "files/gltf_files.h"
#include "juxta/core/monitor.h"
#include "juxta/files/output_file.h"
#include "scenes/draws.h"
#include "support/code_of.h"

namespace juxta {
namespace {

using test::accessor;
using test::bytes_of;
using test::embedded;
using test::gltf;
using test::read;
using test::view;

void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-6F) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(Gltf, ReadsPlacesAndTheTree) {
  const GltfScene scene =
      read(gltf(R"("scene":1,"scenes":[{"name":"none"},{"name":"all","nodes":[3,2]}],"nodes":[
      {"name":"hand","translation":[1,2,3]},
      {"name":"arm","children":[0],"rotation":[0,0.6,0,0.8],"scale":[2,2,2]},
      {"name":"body","children":[1,4]},
      {"extras":{"deep":[[[[1]]]]},"extensions":{"X":{}}},
      {"name":"tail"}],"extras":null)"));
  ASSERT_EQ(scene.nodes.size(), 5u);
  EXPECT_EQ(scene.nodes[0].local, (LocalTransform{{0, 0, 0, 1}, {1, 2, 3}, 1}));
  EXPECT_EQ(scene.nodes[1].local, (LocalTransform{{0, .6F, 0, .8F}, {0, 0, 0}, 2}));
  EXPECT_EQ(scene.nodes[0].parent, 1u);
  EXPECT_EQ(scene.nodes[2].parent, kGltfNone);
  EXPECT_EQ(scene.nodes[2].children, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_EQ(scene.order, (std::vector<std::uint32_t>{2, 3, 1, 4, 0})) << "level by level";
  ASSERT_EQ(scene.scenes.size(), 2u);
  EXPECT_EQ(scene.scenes[1].name, "all");
  EXPECT_EQ(scene.scenes[1].nodes, (std::vector<std::uint32_t>{3, 2}));
  EXPECT_EQ(scene.default_scene, 1u);
  EXPECT_TRUE(scene.notes.empty());
  EXPECT_TRUE(read(gltf(R"("nodes":[])")).nodes.empty());
}

TEST(Gltf, ScenesMayListNodesThatAreNoRoots) {
  using Nodes = std::vector<std::uint32_t>;
  const auto roots_of = [](const char* listed) {
    const GltfScene scene = read(gltf(std::string(R"("nodes":[{"children":[1,2]},{"name":"b","children":[3]},
        {},{},{"children":[5]},{}],"scenes":[{"nodes":[4]},{"name":"s","nodes":)") +
                                      listed + "}]"));
    EXPECT_EQ(scene.nodes[1].parent, 0u) << "it stays where it is";
    EXPECT_EQ(scene.scenes[0].nodes, Nodes{4});
    return std::pair(scene.scenes[1].nodes, scene.notes.size());
  };
  EXPECT_EQ(roots_of("[0,1,2,3,4,5]"),
            std::pair(Nodes({0, 4}), std::size_t{4}));  // all of them, as many files do
  EXPECT_EQ(roots_of("[5,3,2,1,0,4]"), std::pair(Nodes({0, 4}), std::size_t{4}));
  EXPECT_EQ(roots_of("[3,5]"), std::pair(Nodes({3, 5}), std::size_t{2}));  // only parts of trees
  EXPECT_EQ(roots_of("[3,4,1,2]"), std::pair(Nodes({4, 1, 2}), std::size_t{3}));
  EXPECT_EQ(roots_of("[4,0]"), std::pair(Nodes({4, 0}), std::size_t{0}));
  const GltfScene scene = read(
      gltf(R"("nodes":[{"children":[1]},{"name":"b"}],"scenes":[{"nodes":[0]},{"name":"s","nodes":[0,1]}])"));
  ASSERT_EQ(scene.notes.size(), 1u);
  EXPECT_EQ(scene.notes[0].kind, GltfNoteKind::kRootHasParent);
  EXPECT_EQ(scene.notes[0].node, 1u);
  EXPECT_EQ(scene.notes[0].scene, 1u);
  EXPECT_EQ(describe(scene, scene.notes[0]),
            "node 1 'b': scene 1 's' lists it as a root, but it has a parent, below which it stays");
}

/// Which nodes are shown, beside a walk up from each.
TEST(Gltf, EveryListOfNodesShowsEachOfThemOnce) {
  scenes::Draws draws(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t count = 1 + draws.below(30);
    std::vector<std::uint32_t> parents(count, kGltfNone);
    std::vector<std::string> children(count);
    for (std::uint32_t i = 1; i < count; ++i) {
      if (draws.below(5) != 0) {
        parents[i] = draws.below(i);
        children[parents[i]] += (children[parents[i]].empty() ? "" : ",") + std::to_string(i);
      }
    }
    std::string nodes, listed;
    std::vector<std::uint32_t> names, expected;
    for (std::uint32_t i = 0; i < count; ++i) {
      nodes += (i == 0 ? "" : ",") + (children[i].empty() ? "{}" : R"({"children":[)" + children[i] + "]}");
      if (draws.below(3) == 0) {
        listed += (names.empty() ? "" : ",") + std::to_string(i);
        names.push_back(i);
      }
    }
    for (const std::uint32_t node : names) {
      std::uint32_t up = parents[node];
      while (up != kGltfNone && std::find(names.begin(), names.end(), up) == names.end()) {
        up = parents[up];
      }
      if (up == kGltfNone) {
        expected.push_back(node);
      }
    }
    const GltfScene scene = read(gltf(R"("nodes":[)" + nodes + R"(],"scenes":[{"nodes":[)" + listed + "]}]"));
    ASSERT_EQ(scene.scenes[0].nodes, expected) << nodes << " lists " << listed;
  }
}

TEST(Gltf, OddScalesBecomeStretches) {
  const GltfScene scene = read(gltf(R"("nodes":[{"scale":[2,3,4],"children":[1]},{"scale":[-1,-1,-1]},
      {"scale":[2,2.000001,2]},{"scale":[2,-2,2],"children":[4]},{"rotation":[0,0,0,3]}])"));
  EXPECT_EQ(scene.nodes[0].stretch, (Vec3{2, 3, 4}));
  EXPECT_EQ(scene.nodes[0].local.scale, 1);
  EXPECT_EQ(scene.nodes[1].stretch, (Vec3{-1, -1, -1}));
  EXPECT_EQ(scene.nodes[1].local.scale, 1);
  EXPECT_EQ(scene.nodes[2].stretch, (Vec3{1, 1, 1})) << "uniform but for a rounding";
  EXPECT_EQ(scene.nodes[2].local.scale, 2);
  EXPECT_EQ(scene.nodes[3].stretch, (Vec3{2, -2, 2}));
  EXPECT_EQ(scene.nodes[4].local.rotation, (Quat{0, 0, 0, 1}));
  ASSERT_EQ(scene.notes.size(), 3u) << "a leaf's stretch needs no note";
  EXPECT_EQ(scene.notes[0].kind, GltfNoteKind::kStretchHasChildren);
  EXPECT_EQ(scene.notes[1].node, 3u);
  EXPECT_EQ(scene.notes[2].kind, GltfNoteKind::kRotationNormalised);
  EXPECT_NE(describe(scene, scene.notes[2]).find("node 4"), std::string::npos);
}

/// The node's place must move points as the matrix does.
void expect_matrix(const std::vector<float>& m) {
  std::string text;
  for (const float number : m) {
    text += text.empty() ? "" : ",";
    text += std::to_string(number);
  }
  const GltfScene scene = read(gltf(R"("nodes":[{"matrix":[)" + text + "]}]"));
  ASSERT_EQ(scene.nodes.size(), 1u);
  const GltfNode& node = scene.nodes[0];
  EXPECT_NEAR(length_squared(node.local.rotation), 1, 1e-6);
  EXPECT_GT(node.local.scale, 0);
  for (const Vec3 p : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{-2, 3, .5F}}) {
    const Vec3 want = {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
                       m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
                       m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14]};
    expect_near(node.local.position + rotate(node.local.rotation, (p * node.stretch) * node.local.scale),
                want, 2e-5F);
  }
}

TEST(Gltf, TakesMatricesApart) {
  expect_matrix({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  expect_matrix({0, 0, -2, 0, 0, 2, 0, 0, 2, 0, 0, 0, 5, 6, 7, 1});   // a quarter turn, twice as large
  expect_matrix({-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});  // half turns, about z, y and x
  expect_matrix({-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1});
  expect_matrix({1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1});
  expect_matrix({3, 0, 0, 0, 0, 0, 4, 0, 0, -5, 0, 0, 1, 1, 1, 1});  // not uniform
  expect_matrix({-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});  // a mirror
  expect_matrix({0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0, -3, 0, 0, 1});  // a mirror that is not uniform
  expect_matrix({.36F, .48F, -.8F, 0, -.8F, .6F, 0, 0, .48F, .64F, .6F, 0, 9, 8, 7, 1});
}

std::string skinned(const std::string& skin, const std::string& bytes, std::size_t count) {
  return gltf(R"("nodes":[{"children":[1,2]},{"skin":0,"mesh":1},{}],"meshes":[{},{}],"skins":[)" + skin +
              "]," + embedded(bytes) + R"(,"bufferViews":[)" + view(0, bytes.size()) + R"(],"accessors":[)" +
              accessor(0, count, "MAT4") + "]");
}

TEST(Gltf, ReadsSkins) {
  std::vector<float> numbers(32);
  std::iota(numbers.begin(), numbers.end(), 0.5F);
  const GltfScene scene = read(
      skinned(R"({"name":"fur","joints":[2,0],"skeleton":0,"inverseBindMatrices":0})", bytes_of(numbers), 2));
  ASSERT_EQ(scene.skins.size(), 1u);
  EXPECT_EQ(scene.skins[0].joints, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(scene.skins[0].skeleton, 0u);
  ASSERT_EQ(scene.skins[0].to_joint.size(), 2u);
  EXPECT_EQ(scene.skins[0].to_joint[1][15], 31.5F);
  EXPECT_EQ(scene.nodes[1].skin, 0u);
  EXPECT_EQ(scene.nodes[1].mesh, 1u);
  EXPECT_EQ(scene.nodes[0].skin, kGltfNone);
  EXPECT_TRUE(read(skinned(R"({"joints":[2]})", "x", 0)).skins[0].to_joint.empty());
}

TEST(Gltf, ReadsKeysOfEveryKind) {
  const std::string times = bytes_of<float>({0, 1}),
                    bytes = bytes_of<std::int8_t>({0, 0, 0, 127, -128, 0, 0, 0});
  const std::string shorts = bytes_of<std::uint16_t>({0, 65535, 32768, 65535});
  const std::string file =
      gltf(R"("nodes":[{},{}],)" + embedded(times + bytes + shorts) + R"(,"bufferViews":[)" + view(0, 8) +
           "," + view(8, 8) + "," + view(16, 8) + R"(],"accessors":[)" + accessor(0, 2, "SCALAR") + "," +
           accessor(1, 2, "VEC4", 5120, R"(,"normalized":true)") + "," +
           accessor(2, 4, "SCALAR", 5123, R"(,"normalized":true)") + R"(],"animations":[{"channels":[
        {"sampler":2,"target":{"node":1,"path":"rotation"}},{"sampler":0,"target":{"node":0,"path":"weights"}},
        {"sampler":2,"target":{"node":0,"path":"rotation"}},{"sampler":9,"target":{"node":0,"path":"pointer"}},
        {"sampler":0,"target":{"path":"weights"}}],
      "samplers":[{"input":0,"output":2},{"input":77,"output":77},{"input":0,"output":1,"interpolation":"STEP"}]}])");
  const GltfScene scene = read(file);
  ASSERT_EQ(scene.animations.size(), 1u);
  const GltfAnimation& animation = scene.animations[0];
  ASSERT_EQ(animation.channels.size(), 3u);
  ASSERT_EQ(animation.samplers.size(), 2u) << "keys that nobody uses are not read";
  EXPECT_EQ(animation.channels[0].sampler, animation.channels[2].sampler);
  const GltfSampler& turn = animation.samplers[animation.channels[0].sampler];
  EXPECT_EQ(turn.interpolation, GltfInterpolation::kStep);
  EXPECT_EQ(turn.values, (std::vector<float>{0, 0, 0, 1, -1, 0, 0, 0}));
  const GltfSampler& weights = animation.samplers[animation.channels[1].sampler];
  EXPECT_EQ(weights.width, 2u);
  EXPECT_EQ(weights.values, (std::vector<float>{0, 1, 32768.0F / 65535.0F, 1}));
  EXPECT_EQ(animation.duration, 1);
  ASSERT_EQ(scene.notes.size(), 2u);
  EXPECT_EQ(scene.notes[0].kind, GltfNoteKind::kChannelSkipped);
  EXPECT_EQ(scene.notes[0].node, 0u);
  EXPECT_EQ(scene.notes[1].node, kGltfNone);
  EXPECT_NE(describe(scene, scene.notes[1]).find("skipped"), std::string::npos);
}

TEST(Gltf, ReadsSparseAndInterleavedAccessors) {
  // Times and values share a view with a stride of 16; then element 1 of the values is replaced.
  const std::string mixed = bytes_of<float>({0, 1, 2, 3, 1, 4, 5, 6, 2, 7, 8, 9});
  const std::string sparse = bytes_of<std::uint16_t>({1, 0}) + bytes_of<float>({-1, -2, -3});
  const auto file = [&](const std::string& values) {
    return gltf(R"("nodes":[{}],)" + embedded(mixed + sparse) +
                R"(,"bufferViews":[{"buffer":0,"byteLength":48,"byteStride":16},)" + view(48, 4) + "," +
                view(52, 12) + R"(],"accessors":[)" + accessor(0, 3, "SCALAR") + "," + values +
                R"(],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
                "samplers":[{"input":0,"output":1}]}])");
  };
  const std::string part =
      R"(,"sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":2}})";
  const auto values_of = [&](const std::string& values) {
    return read(file(values)).animations.at(0).samplers.at(0).values;
  };
  EXPECT_EQ(values_of(accessor(0, 3, "VEC3", 5126, R"(,"byteOffset":4)")),
            (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(values_of(accessor(0, 3, "VEC3", 5126, R"(,"byteOffset":4)" + part)),
            (std::vector<float>{1, 2, 3, -1, -2, -3, 7, 8, 9}));
  EXPECT_EQ(values_of(R"({"componentType":5126,"count":3,"type":"VEC3")" + part + "}"),
            (std::vector<float>{0, 0, 0, -1, -2, -3, 0, 0, 0}));
}

/// A folder that goes with the test.
class GltfFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("juxta_gltf_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

/// A node that moves from (1,2,3) to (4,5,6), the keys in a buffer of this description.
std::string moving(const std::string& buffer) {
  return gltf(R"("nodes":[{}],"images":[{"uri":"no.png"}],"buffers":[)" + buffer +
              R"(,{"byteLength":99,"uri":"http://example.org/x.bin"}],"bufferViews":[)" + view(0, 8) + "," +
              view(8, 24) + R"(],"accessors":[)" + accessor(0, 2, "SCALAR") + "," + accessor(1, 2, "VEC3") +
              R"(],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
              "samplers":[{"input":0,"output":1}]}])");
}

TEST_F(GltfFolder, ReadsBuffersFromFilesChunksAndText) {
  const std::string bytes = bytes_of<float>({0, 1, 1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(write_file((folder_ / "sub" / "a b.bin").string(), bytes + "padding").has_value());
  ASSERT_TRUE(
      write_file((folder_ / "scene.gltf").string(), moving(R"({"byteLength":32,"uri":"sub/a%20b.bin"})"))
          .has_value());
  const auto from_file = read_gltf((folder_ / "scene.gltf").string());
  ASSERT_TRUE(from_file.has_value()) << from_file.error().message;
  const GltfScene from_chunk = read(test::glb(moving(R"({"byteLength":32})"), bytes));
  const GltfScene from_text =
      read(moving(R"({"byteLength":32,"uri":"data:;base64,)" + test::base64(bytes + "more") + "\"}"));
  for (const GltfScene* scene : {&*from_file, &from_chunk, &from_text}) {
    EXPECT_EQ(scene->animations.at(0).samplers.at(0).values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  }
  const auto missing = parse_gltf(moving(R"({"byteLength":32,"uri":"b.bin"})"), folder_.string());
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(test::code_of(missing), ErrorCode::kIo);
  EXPECT_NE(missing.error().message.find("b.bin"), std::string::npos);
  const auto truncated = parse_gltf(moving(R"({"byteLength":40,"uri":"sub/a b.bin"})"), folder_.string());
  ASSERT_FALSE(truncated.has_value());
  EXPECT_NE(truncated.error().message.find("has 39 bytes, buffer 0 needs 40"), std::string::npos)
      << truncated.error().message;
}

TEST_F(GltfFolder, NeverLeavesTheFolder) {
  ASSERT_TRUE(write_file((folder_ / "secret.bin").string(), std::string(32, 'x')).has_value());
  for (const std::string uri :
       {"../secret.bin", "%2e%2e/secret.bin", "sub/../../secret.bin", "/etc/passwd", "file:///etc/passwd",
        "http://example.org/a.bin", "..\\\\secret.bin", "C:secret.bin", "a%00b", ""}) {
    const auto scene =
        parse_gltf(moving(R"({"byteLength":32,"uri":")" + uri + "\"}"), (folder_ / "sub").string());
    ASSERT_FALSE(scene.has_value()) << uri;
    EXPECT_EQ(test::code_of(scene), ErrorCode::kIo) << uri;
    EXPECT_NE(scene.error().message.find("buffer 0"), std::string::npos) << scene.error().message;
  }
}

TEST(Gltf, CanBeCancelled) {
  class Stop final : public Monitor {
   public:
    explicit Stop(int calls) : calls_(calls) {}
    bool on_progress(std::string_view, std::uint64_t, std::uint64_t) override { return calls_-- > 0; }

   private:
    int calls_;
  };
  int calls = 0;
  for (;; ++calls) {
    Stop stop(calls);
    const auto scene =
        parse_gltf(test::animated("scale", "STEP", {0}, {1, 1, 1}, "VEC3"), {}, {.monitor = &stop});
    if (scene) {
      break;
    }
    EXPECT_EQ(test::code_of(scene), ErrorCode::kCancelled);
  }
  EXPECT_GE(calls, 4);
}

TEST(Gltf, HoldsADeepChain) {
  constexpr int kDepth = 200'000;
  std::string nodes;
  for (int i = 0; i + 1 < kDepth; ++i) {
    nodes += "{\"children\":[" + std::to_string(i + 1) + "]},";
  }
  const GltfScene scene = read(gltf("\"nodes\":[" + nodes + "{}]"));
  ASSERT_EQ(scene.order.size(), static_cast<std::size_t>(kDepth));
  EXPECT_EQ(scene.order.back(), static_cast<std::uint32_t>(kDepth - 1));
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(read(gltf("\"nodes\":[{}],\"extras\":" + deep)).nodes.size(), 1u);
}

}  // namespace
}  // namespace juxta
