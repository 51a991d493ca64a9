// Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
// World boxes of many nodes against the plain twin, bit for bit, on every instruction set: nodes of one kind
// and of all kinds, products that nearly cancel with the position, the smallest and the largest floats, empty
// boxes and numbers that are not finite, every length.
#include "transform/world_boxes_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "juxta/transform/world_boxes.h"
#include "support/each_isa.h"
#include "transform/draw_transforms.h"

namespace juxta::transform_detail {
namespace {

using scenes::Draws;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLeast = std::numeric_limits<float>::denorm_min();

enum class Kind { kUnturned, kMapped, kTurned, kAll };
constexpr Kind kKinds[] = {Kind::kUnturned, Kind::kMapped, Kind::kTurned, Kind::kAll};
enum class Numbers { kGame, kShort, kTiny, kAnyBits };
constexpr Numbers kNumbers[] = {Numbers::kGame, Numbers::kShort, Numbers::kTiny, Numbers::kAnyBits};

float draw_number(Draws& draws, Numbers numbers) {
  if (draws.below(8) == 0) {
    const float simple[] = {0.0F, -0.0F, 1.0F, -1.0F};
    return simple[draws.below(4)];
  }
  const auto whole = [&] { return static_cast<float>(static_cast<int>(draws.below(64)) - 32); };
  switch (numbers) {
    case Numbers::kGame:
      return draws.uniform(-10, 10);
    case Numbers::kShort:
      return whole() / 8;
    case Numbers::kTiny:  // products of three are around the smallest steps, those of two far above
      return std::ldexp(whole(), draws.below(2) == 0 ? -54 : -149);
    case Numbers::kAnyBits:
      break;
  }
  return std::bit_cast<float>(draws.below(1U << 31) | draws.below(2) << 31);
}

Vec3 draw_three(Draws& draws, Numbers numbers) {
  const float x = draw_number(draws, numbers), y = draw_number(draws, numbers),
              z = draw_number(draws, numbers);
  return {x, y, z};
}

Quat draw_turn(Draws& draws, Kind kind) {
  if (kind == Kind::kAll) {
    kind = kKinds[draws.below(3)];
  }
  if (kind == Kind::kTurned) {
    const Quat q = test::draw_rotation(draws);
    return draws.below(16) == 0 ? Quat{0, q.x, q.x, q.x} : q;  // three of one size: no rotation of a cube
  }
  const auto zero = [&] { return draws.below(4) == 0 ? -0.0F : 0.0F; };
  const float size = draws.below(2) == 0 ? 1.0F : std::sqrt(0.5F);
  const auto one = [&] { return draws.below(2) == 0 ? -size : size; };
  const std::uint32_t which = kind == Kind::kUnturned ? 8 : 1 + draws.below(15);
  Quat q{zero(), zero(), zero(), zero()};
  float* const parts[] = {&q.x, &q.y, &q.z, &q.w};
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((which >> i & 1) != 0) {
      *parts[i] = one();
    }
  }
  return q;
}

struct Scene {
  std::vector<Qvvs> nodes;
  std::vector<Aabb3> local;

  /// `unit`: neither scaled nor stretched.
  void add(Draws& draws, Kind kind, Numbers numbers, bool unit) {
    Qvvs node{draw_turn(draws, kind), draw_three(draws, numbers), 7, {1, 1, 1}, draw_number(draws, numbers)};
    if (unit) {
      node.scale = 1;
    } else if (draws.below(2) == 0) {
      node.stretch = draw_three(draws, numbers);
    }
    const Vec3 a = draw_three(draws, numbers), b = draw_three(draws, numbers);
    Aabb3 box{{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
              {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
    if (draws.below(4) == 0) {  // the float next to where a side becomes 0, or one beside it
      const double product = double{node.scale} * double{node.stretch.x} * double{box.lo[0]};
      const auto at = static_cast<float>(-product);
      const float beside[] = {at, std::nextafter(at, kInf), std::nextafter(at, -kInf)};
      node.position.x = beside[draws.below(3)];
    }
    if (draws.below(64) == 0) {
      box.lo[draws.below(3)] = draws.below(2) == 0 ? kNan : kInf;
    }
    if (!unit && draws.below(64) == 0) {
      const float endless[] = {kInf, -kInf, kNan};
      node.stretch.y = endless[draws.below(3)];
    }
    nodes.push_back(node);
    local.push_back(box);
  }
};

/// How many boxes differ from the twin's in a bit.
std::size_t differences(const Scene& scene) {
  const std::size_t count = scene.nodes.size();
  std::vector<Aabb3> fast(count), plain(count), in_place = scene.local;
  box_nodes(scene.nodes.data(), scene.local.data(), fast.data(), count);
  box_nodes(scene.nodes.data(), in_place.data(), in_place.data(), count);
  box_nodes_reference(scene.nodes.data(), scene.local.data(), plain.data(), count);
  std::size_t different = 0;
  for (std::size_t i = 0; i < count; ++i) {
    different += std::memcmp(&fast[i], &plain[i], sizeof plain[i]) != 0;
    different += std::memcmp(&in_place[i], &plain[i], sizeof plain[i]) != 0;
  }
  return different;
}

TEST(WorldBoxesKernel, EqualsItsTwin) {
  test::for_each_isa([](Isa) {
    Draws draws(1);
    for (const Kind kind : kKinds) {
      for (const Numbers numbers : kNumbers) {
        for (const bool unit : {false, true}) {
          Scene scene;
          for (int i = 0; i < 20'000; ++i) {
            scene.add(draws, kind, numbers, unit);
          }
          EXPECT_EQ(differences(scene), 0u)
              << static_cast<int>(kind) << ' ' << static_cast<int>(numbers) << ' ' << unit;
        }
      }
    }
  });
}

TEST(WorldBoxesKernel, EveryLength) {
  test::for_each_isa([](Isa) {
    Draws draws(2);
    for (const Kind kind : kKinds) {
      Scene scene;
      for (int length = 0; length <= 40; ++length) {
        EXPECT_EQ(differences(scene), 0u) << length;
        scene.add(draws, kind, Numbers::kGame, length % 16 < 8);
      }
    }
  });
}

// Around 0 a side may be a 0 of either sign. Both are right; the twin says which.
TEST(WorldBoxesKernel, SidesLessThanOneStepFromZero) {
  const float sizes[] = {0x1p-75F, 0x1.8p-75F, 0x1p-74F, 0x1.8p-74F, 0x1.000002p-75F, 0x1p-100F};
  const float positions[] = {0.0F, -0.0F, kLeast, -kLeast, 3 * kLeast};
  Scene scene;
  for (const float scale : sizes) {
    for (const float stretch : {1.0F, -1.0F, 0x1.000002p0F}) {
      for (const float side : sizes) {
        for (const float position : positions) {
          const Qvvs node{{}, {position, -position, position}, 0, {stretch, stretch, -stretch}, scale};
          scene.nodes.push_back(node);
          scene.local.push_back({{-side, 0, -side}, {-0.0F, side, side}});
        }
      }
    }
  }
  std::vector<Aabb3> plain(scene.nodes.size());
  box_nodes_reference(scene.nodes.data(), scene.local.data(), plain.data(), plain.size());
  std::size_t zeros = 0, minus_zeros = 0;
  for (const Aabb3& box : plain) {
    zeros += box.hi[0] == 0 && !std::signbit(box.hi[0]);
    minus_zeros += box.hi[0] == 0 && std::signbit(box.hi[0]);
  }
  EXPECT_GT(zeros, 10u);
  EXPECT_GT(minus_zeros, 10u);
  test::for_each_isa([&](Isa) { EXPECT_EQ(differences(scene), 0u); });
}

}  // namespace
}  // namespace juxta::transform_detail
