// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// One hash for places taken out of a file and for animations at many times, on every compiler and
// optimisation.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "files/gltf_files.h"
#include "scenes/draws.h"
#include "support/fnv.h"

namespace juxta {
namespace {

std::vector<float> drawn(scenes::Draws& draws, std::size_t count) {
  std::vector<float> numbers(count);
  for (float& number : numbers) {
    number = draws.uniform(-1, 1);
  }
  return numbers;
}

std::uint64_t hash_of(const GltfScene& scene, float time, std::uint64_t hash) {
  std::vector<LocalTransform> locals(scene.nodes.size());
  std::vector<Vec3> stretches(scene.nodes.size());
  rest(scene, locals, stretches);
  if (!scene.animations.empty()) {
    sample(scene, scene.animations[0], time, locals, stretches);
  }
  return test::fnv(std::span<const Vec3>(stretches),
                   test::fnv(std::span<const LocalTransform>(locals), hash));
}

TEST(GltfGolden, AnimationsAtManyTimes) {
  scenes::Draws draws(7);
  std::uint64_t hash = test::fnv(std::span<const char>());
  for (const std::string path : {"translation", "rotation", "scale"}) {
    for (const std::string way : {"STEP", "LINEAR", "CUBICSPLINE"}) {
      const std::size_t width = path == "rotation" ? 4 : 3, keys = 9;
      const std::vector<float> times = {0, .25F, .3F, 1, 1.5F, 2.75F, 3, 5, 8};
      const auto values = drawn(draws, keys * width * (way == "CUBICSPLINE" ? 3 : 1));
      const GltfScene scene =
          test::read(test::animated(path, way, times, values, width == 4 ? "VEC4" : "VEC3"));
      for (int i = -10; i < 900; ++i) {
        hash = hash_of(scene, static_cast<float>(i) / 100, hash);
      }
    }
  }
  EXPECT_EQ(hash, 0xf8989f6f4a2384a1ULL) << std::hex << hash;
}

TEST(GltfGolden, MatricesTakenApart) {
  scenes::Draws draws(8);
  std::string nodes;
  for (int i = 0; i < 500; ++i) {
    const auto q = drawn(draws, 4);
    const Quat turn = normalized({q[0], q[1], q[2], q[3]});
    const float size[3] = {draws.uniform(.5F, 2), draws.uniform(.5F, 2), i % 2 == 0 ? -1.0F : 1.0F};
    nodes += i == 0 ? "{\"matrix\":[" : "]},{\"matrix\":[";
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 column =
          rotate(turn, Vec3{axis == 0 ? 1.0F : 0, axis == 1 ? 1.0F : 0, axis == 2 ? 1.0F : 0}) * size[axis];
      nodes +=
          std::to_string(column.x) + "," + std::to_string(column.y) + "," + std::to_string(column.z) + ",0,";
    }
    nodes += std::to_string(i) + ",0,0,1";
  }
  const GltfScene scene = test::read(test::gltf("\"nodes\":[" + nodes + "]}]"));
  ASSERT_EQ(scene.nodes.size(), 500u);
  const std::uint64_t hash = hash_of(scene, 0, test::fnv(std::span<const char>()));
  EXPECT_EQ(hash, 0x1f2a08ac625a6d84ULL) << std::hex << hash;
}

}  // namespace
}  // namespace juxta
