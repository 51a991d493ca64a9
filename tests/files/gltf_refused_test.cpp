// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// Broken glTF files: each is refused in one sentence that names the node, or whatever is broken.
#include <gtest/gtest.h>

#include <limits>

#include "files/gltf_files.h"

namespace juxta {
namespace {

using test::accessor;
using test::animated;
using test::bytes_of;
using test::embedded;
using test::glb;
using test::gltf;
using test::refused;
using test::view;

/// Nodes 0 and 1 are sound, node 2 'bad' is this.
void refused_node(const std::string& members, const std::string& word, ErrorCode code = ErrorCode::kParse) {
  const Error error = refused(gltf(R"("nodes":[{},{},{"name":"bad",)" + members + "}]"), code, word);
  EXPECT_EQ(error.index, 2u) << error.message;
  EXPECT_NE(error.message.find("node 2"), std::string::npos) << error.message;
}

TEST(GltfRefused, NodesByName) {
  refused_node(R"("children":[2])", "'bad': a cycle");
  refused_node(R"("children":[3])", "child 3 is not there: the file has 3 nodes");
  refused_node(R"("children":[-1])", "'children' must be a list of whole numbers");
  refused_node(R"("children":[4294967296])", "'children' must be a list of whole numbers");
  refused_node(R"("children":[0.5])", "'children' must be a list of whole numbers");
  refused_node(R"("children":1)", "'children' must be a list of whole numbers");
  refused_node(R"("rotation":[0,0,0,0])", "'rotation' has length 0");
  refused_node(R"("rotation":[0,0,0])", "'rotation' must be a list of 4 numbers");
  refused_node(R"("rotation":"none")", "'rotation' must be a list of 4 numbers");
  refused_node(R"("scale":[1,0,1])", "'scale' is 0 on an axis");
  refused_node(R"("scale":[0,0,0])", "'scale' is 0 on an axis");
  refused_node(R"("scale":[1e-60,1,1])", "'scale' is 0 on an axis");
  refused_node(R"("scale":[1,1,null])", "'scale' must be a list of 3 numbers");
  refused_node(R"("translation":[1,2,1e39])", "not finite as a float", ErrorCode::kNotFinite);
  refused_node(R"("translation":[1,2,1e999])", "not finite as a float", ErrorCode::kNotFinite);
  refused_node(R"("translation":[1,2,NaN])", "the JSON is broken");
  refused_node(R"("matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1])", "'matrix' has shear");
  refused_node(R"("matrix":[1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1])", "'matrix' has a scale of 0");
  refused_node(R"("matrix":[1,0,0,0.1,0,1,0,0,0,0,1,0,0,0,0,1])", "last row");
  refused_node(R"("matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2])", "last row");
  refused_node(R"("matrix":[1,0,0])", "'matrix' must be a list of 16 numbers");
  refused_node(R"("matrix":[3e38,3e38,3e38,0,-3e38,3e38,0,0,-3e38,-3e38,6e37,0,0,0,0,1])", "'matrix' has");
  refused_node(R"("skin":0)", "skin 0 is not there");
  refused_node(R"("mesh":4)", "mesh 4 is not there");
  refused_node(R"("name":7)", "'name' must be a text");
  EXPECT_EQ(refused(gltf(R"("nodes":[{},7])"), ErrorCode::kParse, "node 1: must be an object").index, 1u);
}

TEST(GltfRefused, TreesThatAreNone) {
  EXPECT_EQ(refused(gltf(R"("nodes":[{"children":[2]},{"name":"b","children":[2]},{"name":"kid"}])"),
                    ErrorCode::kParse, "node 2 'kid': it has two parents, node 0 and node 1 'b'")
                .index,
            2u);
  refused(gltf(R"("nodes":[{"children":[1,1]},{}])"), ErrorCode::kParse,
          "node 1: it is a child of node 0 twice");
  EXPECT_EQ(refused(gltf(R"("nodes":[{},{"children":[4]},{"children":[3]},{"name":"x","children":[5]},{},
                        {"name":"y","children":[2]}])"),
                    ErrorCode::kParse, "node 2: a cycle: it is its own ancestor, through node 5 'y'")
                .index,
            2u);
  refused(gltf(R"("nodes":[{}],"scenes":[{"nodes":[0,0]}])"), ErrorCode::kParse,
          "scene 0: it names a node twice");
  refused(gltf(R"("nodes":[{}],"scenes":[{"nodes":[1]}])"), ErrorCode::kParse, "node 1 is not there");
  refused(gltf(R"("nodes":[{}],"scene":0)"), ErrorCode::kParse, "scene 0 is not there");
  refused(gltf(R"("nodes":[{}],"scene":"x")"), ErrorCode::kParse, "'scene': must be a whole number");
  refused(gltf(R"("nodes":{})"), ErrorCode::kParse, "'nodes': must be a list");
}

TEST(GltfRefused, TextThatIsNoGltf) {
  refused("", ErrorCode::kParse, "the JSON is broken");
  refused("[]", ErrorCode::kParse, "not one object");
  refused("{}", ErrorCode::kParse, "'asset' with its 'version' is missing");
  refused(R"({"asset":{"version":2}})", ErrorCode::kParse, "'asset'");
  refused(R"({"asset":{"version":"1.0"},"nodes":{}})", ErrorCode::kCorruptFile, "glTF '1.0'");
  const Error error = refused("{\n\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[{},\n{\"name\":}]}",
                              ErrorCode::kParse, "node 1: the JSON is broken");
  EXPECT_EQ(error.line, 4u);
  EXPECT_EQ(error.index, 1u);
}

TEST(GltfRefused, BrokenBinaryFiles) {
  const std::string good = glb(gltf(R"("nodes":[{}])"), "1234");
  ASSERT_TRUE(parse_gltf(good).has_value());
  for (std::size_t size = 4; size < good.size(); ++size) {
    const Error error = refused(good.substr(0, size), ErrorCode::kCorruptFile, "");
    EXPECT_NE(error.byte, Error::kNowhere) << size;
  }
  const auto with = [&](std::size_t at, const std::string& bytes) {
    std::string file = good;
    return file.replace(at, bytes.size(), bytes);
  };
  EXPECT_EQ(refused(with(4, test::little_endian(1)), ErrorCode::kCorruptFile, "version 1").byte, 4u);
  refused(with(8, test::little_endian(0)), ErrorCode::kCorruptFile, "the header says 0 bytes");
  refused(with(8, test::little_endian(0xFFFFFFFF)), ErrorCode::kCorruptFile, "truncated");
  refused(with(12, test::little_endian(0xFFFFFFF0)), ErrorCode::kCorruptFile, "a chunk ends");
  refused(with(16, "BIN "), ErrorCode::kCorruptFile, "the first chunk");
  EXPECT_TRUE(parse_gltf(good + "rest").has_value())
      << "what stands behind the length in the header is not the file";
}

/// A file with these views and accessors over 40 bytes, animated by accessors 0 (times) and 1.
void refused_keys(const std::string& views, const std::string& accessors, const std::string& word,
                  ErrorCode code = ErrorCode::kParse) {
  const std::string bytes =
      bytes_of<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, std::numeric_limits<float>::infinity()});
  refused(gltf(R"("nodes":[{}],)" + embedded(bytes) + R"(,"bufferViews":[)" + views + R"(],"accessors":[)" +
               accessors + R"(],"animations":[{"name":"run","channels":[
               {"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":0,"output":1}]}])"),
          code, word);
}

TEST(GltfRefused, RangesBehindTheEnd) {
  const std::string times = accessor(0, 2, "SCALAR"), good = view(0, 8) + "," + view(8, 24);
  refused_keys(good, times, "animation 0 'run', sampler 0, values: accessor 1 is not there: the file has 1");
  refused_keys(view(0, 8), times + "," + accessor(1, 2, "VEC3"), "accessor 1 names buffer view 1");
  refused_keys(good, times + "," + accessor(1, 3, "VEC3"),
               "accessor 1 ends behind buffer view 1 of 24 bytes");
  refused_keys(good, times + "," + accessor(1, 2, "VEC3", 5126, R"(,"byteOffset":4)"),
               "ends behind buffer view 1");
  refused_keys(good, times + "," + accessor(1, 2, "VEC3", 5126, R"(,"byteOffset":9007199254740992)"),
               "ends behind");
  refused_keys(good, accessor(0, 1u << 27, "SCALAR") + "," + accessor(1, 1u << 27, "VEC3"),
               "more than 268435456", ErrorCode::kTooLarge);
  refused_keys(good, times + "," + accessor(1, 1, "VEC3"), "has 1 elements, 2 are wanted");
  refused_keys(good, times + "," + accessor(1, 2, "VEC4"), "has 4 numbers per element, 3 are wanted");
  refused_keys(good, times + "," + accessor(1, 2, "VEC3", 5123), "component type 5123");
  refused_keys(good, times + "," + accessor(1, 2, "VEC3", 5123, R"(,"normalized":true)"),
               "component type 5123");
  refused_keys(good, times + "," + accessor(1, 2, "VEC9"), "accessor 1: 'type' is 'VEC9'");
  refused_keys(good, times + "," + accessor(1, 2, "VEC3", 5124), "accessor 1: 'componentType' is 5124");
  refused_keys(view(0, 8) + R"(,{"buffer":0,"byteLength":24,"byteStride":7})", times,
               "buffer view 1: 'byteStride'");
  refused_keys(view(0, 8) + "," + view(24, 24), times + "," + accessor(1, 2, "VEC3"),
               "which ends behind buffer 0");
  refused_keys(view(0, 8) + "," + view(9007199254740991u, 24), times + "," + accessor(1, 2, "VEC3"),
               "behind buffer 0");
  refused_keys(view(0, 8) + R"(,{"buffer":1,"byteLength":24})", times + "," + accessor(1, 2, "VEC3"),
               "names buffer 1");
  refused_keys(view(0, 8) + R"(,{"buffer":0,"byteLength":24,"byteStride":8})",
               times + "," + accessor(1, 2, "VEC3"), "a stride of 8");
  refused_keys(view(0, 8) + R"(,{"buffer":0,"byteLength":-24})", times,
               "buffer view 1: 'byteLength' must be");
  refused_keys(view(0, 8) + "," + view(16, 24), times + "," + accessor(1, 2, "VEC3"),
               "accessor 1 has a number that is not finite, in element 1", ErrorCode::kNotFinite);
  refused_keys(good, R"({"componentType":5126,"count":2,"type":"SCALAR"},)" + accessor(1, 2, "VEC3"),
               "times: accessor 0 has no buffer view");
}

TEST(GltfRefused, SparseElements) {
  const std::string times = accessor(0, 2, "SCALAR"), good = view(0, 8) + "," + view(8, 24);
  const auto sparse = [&](const std::string& part) {
    return times + "," + accessor(1, 2, "VEC3", 5126, R"(,"sparse":)" + part);
  };
  const std::string values = R"("values":{"bufferView":1})";
  refused_keys(good, sparse("7"), "'sparse': must be an object");
  refused_keys(good, sparse(R"({"count":1})"), "accessor 1, 'indices' of 'sparse': is missing");
  refused_keys(good, sparse(R"({"count":1,"indices":{"bufferView":0,"componentType":5126},)" + values + "}"),
               "sparse indices of component type 5126");
  refused_keys(good, sparse(R"({"count":3,"indices":{"bufferView":0,"componentType":5125},)" + values + "}"),
               "ends behind buffer view 0");
  refused_keys(good, sparse(R"({"count":2,"indices":{"bufferView":0,"componentType":5125},)" + values + "}"),
               "replaces element 1065353216 of 2");
  refused_keys(good, sparse(R"({"count":2,"indices":{"bufferView":0,"componentType":5121},)" + values + "}"),
               "replaces element 0 of 2: sparse indices must rise");
}

TEST(GltfRefused, Animations) {
  const std::vector<float> two = {0, 0, 0, 1, 0, 0, 0, 0};
  refused(animated("rotation", "LINEAR", {0, 1}, two, "VEC4"), ErrorCode::kParse,
          "animation 0 'swing', channel 0 of node 0 'door': key 1 is a rotation of length 0");
  refused(animated("scale", "ZIGZAG", {0}, {1, 1, 1}, "VEC3"), ErrorCode::kParse,
          "'interpolation' is 'ZIGZAG'");
  refused(animated("scale", "STEP", {1, 0}, {1, 1, 1, 1, 1, 1}, "VEC3"), ErrorCode::kParse,
          "its times must rise");
  refused(animated("scale", "STEP", {-1}, {1, 1, 1}, "VEC3"), ErrorCode::kParse,
          "its times must be 0 or more");
  refused(animated("scale", "CUBICSPLINE", {0}, {1, 1, 1}, "VEC3"), ErrorCode::kParse,
          "has 1 elements, 3 are wanted");
  refused(animated("weights", "STEP", {0, 1}, {1}, "SCALAR"), ErrorCode::kParse, "fewer values than keys");
  std::string weights = animated("weights", "STEP", {0, 1}, {1, 2}, "SCALAR");
  weights.replace(weights.find(R"("bufferView":1,)"), 15, "");
  refused(weights, ErrorCode::kParse, "accessor 1 has no buffer view");  // two zeros, or a billion of them
  const auto with_channels = [](const std::string& channels) {
    std::string file = animated("translation", "STEP", {0}, {1, 1, 1}, "VEC3");
    const std::string old = R"([{"sampler":0,"target":{"node":0,"path":"translation"}}])";
    return file.replace(file.find(old), old.size(), channels);
  };
  const std::string good = R"({"sampler":0,"target":{"node":0,"path":"translation"}})";
  ASSERT_TRUE(parse_gltf(with_channels("[" + good + "]")).has_value());
  refused(with_channels("[" + good + "," + good + "]"), ErrorCode::kParse,
          "two channels move the same property of node 0 'door'");
  refused(with_channels(R"([{"sampler":1,"target":{"node":0,"path":"translation"}}])"), ErrorCode::kParse,
          "channel 0: sampler 1 is not there");
  refused(with_channels(R"([{"sampler":0,"target":{"node":1,"path":"translation"}}])"), ErrorCode::kParse,
          "channel 0: node 1 is not there");
  refused(with_channels("[" + good + R"(,{"sampler":0,"target":{"node":0,"path":"rotation"}}])"),
          ErrorCode::kParse, "its path 'rotation' wants 4");
  refused(with_channels(R"([{"sampler":0}])"), ErrorCode::kParse, "'target' is missing");
  refused(with_channels("7"), ErrorCode::kParse, "'channels': must be a list");
}

TEST(GltfRefused, SkinsAndBuffers) {
  const auto skin = [](const std::string& members) {
    return gltf(R"("nodes":[{},{}],"skins":[{)" + members + "}]");
  };
  refused(skin(R"("joints":[0,0])"), ErrorCode::kParse, "skin 0: it names a joint twice");
  refused(skin(R"("joints":[])"), ErrorCode::kParse, "skin 0: it has no joint");
  refused(skin(R"("joints":[0,2])"), ErrorCode::kParse, "skin 0: node 2 is not there");
  refused(skin(R"("joints":[0],"skeleton":5)"), ErrorCode::kParse, "node 5 is not there");
  refused(skin(R"("name":"fur")"), ErrorCode::kParse, "skin 0 'fur': 'joints' is missing");
  refused(skin(R"("joints":[0],"inverseBindMatrices":0)"), ErrorCode::kParse,
          "skin 0, inverse bind matrices: accessor 0 is not there");
  const auto buffer = [](const std::string& members) {
    return gltf(R"("nodes":[{}],"skins":[{"joints":[0],"inverseBindMatrices":0}],"buffers":[{)" + members +
                R"(}],"bufferViews":[)" + view(0, 64) + R"(],"accessors":[)" + accessor(0, 1, "MAT4") + "]");
  };
  refused(buffer(R"("byteLength":64)"), ErrorCode::kParse, "buffer 0: it has neither a 'uri'");
  refused(buffer(R"("byteLength":0,"uri":"a.bin")"), ErrorCode::kParse,
          "buffer 0: 'byteLength' must be above 0");
  refused(buffer(R"("byteLength":64,"uri":"data:;base64,AAAA")"), ErrorCode::kParse,
          "buffer 0: its data URI");
  refused(buffer(R"("byteLength":64,"uri":"data:text/plain,AAAA")"), ErrorCode::kParse,
          "buffer 0: its data URI");
  refused(buffer(R"("byteLength":64,"uri":"a.bin")"), ErrorCode::kIo, "a.bin");
  refused(glb(buffer(R"("byteLength":64)"), "short"), ErrorCode::kParse, "enough bytes in the binary chunk");
}

}  // namespace
}  // namespace juxta
